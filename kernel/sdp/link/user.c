// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The table of users of sockets. */
#include "sdp/link/user.h"
#include <linux/hashtable.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include "payer.h"

#define USERS_BITS 8

/*
 * users_lock protects the table and the counts of references. It is taken in process and softirq
 * context, and no other lock is taken under it. A process cannot choose the length of a chain: each
 * entry is a user ID of the initial user namespace.
 */
static DEFINE_SPINLOCK(users_lock);
static DEFINE_HASHTABLE(users, USERS_BITS);

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
	new->uid = hca_payer();
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
