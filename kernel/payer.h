/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The user to whom the resources of a process are charged if they are limited for each user. */
#ifndef HCA_PAYER_H
#define HCA_PAYER_H

#include <linux/cred.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

/**
 * hca_payer() - find the user who is charged for the resources of the calling process
 *
 * A process in a user namespace is charged to the owner of the namespace, since the owner can have
 * very many subordinate IDs in the namespace. If the global root owns the namespace (as with many
 * containers), the process is charged to the user to whom root of the namespace is mapped. These
 * rules are applied to each of several nested namespaces; the outermost result that is not the
 * global root is returned.
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
