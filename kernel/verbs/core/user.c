// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The users of a device. */
#include "verbs/core/user.h"
#include <linux/slab.h>
#include "payer.h"

void hca_users_init(struct hca_users *users)
{
	spin_lock_init(&users->lock);
	hash_init(users->table);
}

/*
 * Finds a user. The lock is held. The table contains only users that have objects of the device.
 * The search visits all of them at most.
 */
static struct hca_user *user_find(struct hca_users *users, kuid_t uid)
{
	struct hca_user *user;

	hash_for_each_possible(users->table, user, node, __kuid_val(uid))
		if (uid_eq(user->uid, uid))
			return user;
	return NULL;
}

struct hca_user *hca_user_get(struct hca_users *users)
{
	struct hca_user *new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT), *user;

	if (!new)
		return NULL;
	new->uid = hca_payer();
	new->users = users;
	spin_lock(&users->lock);
	user = user_find(users, new->uid);
	if (!user) {
		swap(user, new);
		hash_add(users->table, &user->node, __kuid_val(user->uid));
	}
	user->references++;
	spin_unlock(&users->lock);
	kfree(new);
	return user;
}

void hca_user_put(struct hca_user *user)
{
	struct hca_users *users = user->users;
	bool last;

	spin_lock(&users->lock);
	last = !--user->references;
	if (last)
		hash_del(&user->node);
	spin_unlock(&users->lock);
	if (last)
		kfree(user);
}
