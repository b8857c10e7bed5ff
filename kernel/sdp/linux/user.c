// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Users of sockets. */
#include "sdp/linux/user.h"
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>

#define USERS_BITS 8

/*
 * The lock guards the table and the counts of references. It is taken in process and softirq
 * context, and no other lock is taken under it. A process cannot choose how long a chain is: each
 * entry is a user ID of the initial user namespace.
 */
static DEFINE_SPINLOCK(users_lock);
static DEFINE_HASHTABLE(users, USERS_BITS);

/*
 * Return: the user that the current process counts to. A user namespace is its owner's; one that
 * root has made for others, as for a container, is one user: who its own root is outside.
 */
static kuid_t sdp_user_acting(void)
{
	struct user_namespace *ns = current_user_ns();
	kuid_t uid = current_uid(), root;

	for (; ns->parent; ns = ns->parent) {
		root = uid_eq(ns->owner, GLOBAL_ROOT_UID) ? make_kuid(ns, 0) : ns->owner;
		if (uid_valid(root) && !uid_eq(root, GLOBAL_ROOT_UID))
			uid = root;
	}
	return uid;
}

static struct sdp_user *sdp_user_find(kuid_t uid)
{
	struct sdp_user *user;

	hash_for_each_possible(users, user, node, __kuid_val(uid)) {
		if (uid_eq(user->uid, uid))
			return user;
	}
	return NULL;
}

struct sdp_user *sdp_user_get(void)
{
	struct sdp_user *new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT), *user;

	if (!new)
		return NULL;
	new->uid = sdp_user_acting();
	spin_lock_bh(&users_lock);
	user = sdp_user_find(new->uid);
	if (!user) {
		user = new;
		new = NULL;
		hash_add(users, &user->node, __kuid_val(user->uid));
	}
	user->refs++;
	spin_unlock_bh(&users_lock);
	kfree(new);
	return user;
}

struct sdp_user *sdp_user_add_ref(struct sdp_user *user)
{
	spin_lock_bh(&users_lock);
	user->refs++;
	spin_unlock_bh(&users_lock);
	return user;
}

void sdp_user_put(struct sdp_user *user)
{
	bool last;

	spin_lock_bh(&users_lock);
	last = !--user->refs;
	if (last)
		hash_del(&user->node);
	spin_unlock_bh(&users_lock);
	if (last)
		kfree(user);
}
