/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Whom a process counts to, where a user may have so much and no more. */
#ifndef HCA_PAYER_H
#define HCA_PAYER_H

#include <linux/cred.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

/**
 * hca_payer() - the user who answers for what the calling process takes
 *
 * A user namespace is its owner's, who can have very many subordinate identifiers in it. One that
 * root has made for others, as for a container, is one user: who its own root is outside. Of nested
 * namespaces, the outermost counts that is somebody's.
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
