/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The user to whom a process is charged where resources are limited for each user. */
#ifndef HCA_PAYER_H
#define HCA_PAYER_H

#include <linux/cred.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

/**
 * hca_payer() - the user who is charged for the resources of the calling process
 *
 * A process in a user namespace is charged to the namespace's owner, since an owner can have very
 * many subordinate IDs in a namespace. In a namespace that root owns, such as a container's, the
 * process is charged to the namespace's own root, as mapped outside. Of nested namespaces, the
 * outermost one that yields a user other than the global root counts.
 *
 * Context: process.
 * Return: the user.
 */
static inline kuid_t hca_payer(void)
{
	struct user_namespace *ns = current_user_ns();
	kuid_t user = current_uid(), owner;

	for (; ns->parent; ns = ns->parent) {
		owner = uid_eq(ns->owner, GLOBAL_ROOT_UID) ? make_kuid(ns, 0) : ns->owner;
		if (uid_valid(owner) && !uid_eq(owner, GLOBAL_ROOT_UID))
			user = owner;
	}
	return user;
}

#endif
