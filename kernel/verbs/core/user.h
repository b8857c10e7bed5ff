/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The users of a device, and the number of objects that each user has. */
#ifndef HCA_VERBS_CORE_USER_H
#define HCA_VERBS_CORE_USER_H

#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include "verbs/core/device.h"

struct hca_users {
	/* leaf lock, taken in process context; guards the table and the counts of references */
	spinlock_t lock;
	DECLARE_HASHTABLE(table, 6); /* struct hca_user by identifier */
};

/* A user, possibly root. @objects counts the objects of all processes of the user. */
struct hca_user {
	struct hlist_node node; /* entry of users->table */
	struct hca_users *users;
	kuid_t uid;
	/* references of contexts, and of objects that can outlive a context */
	unsigned int references;
	atomic_t objects[HCA_NUM_OBJECTS];
};

void hca_users_init(struct hca_users *users);

/**
 * hca_user_get() - find or create the user that the calling process counts for
 * @users: the users of the device
 *
 * Context: process; may sleep.
 * Return: the user, to be released by hca_user_put(); NULL if there is no memory.
 */
struct hca_user *hca_user_get(struct hca_users *users);

/* Drops a reference. Dropping the last one frees the user. Context: process. */
void hca_user_put(struct hca_user *user);

/* Returns true if @user is root. Limits of users do not apply to root. Context: any. */
static inline bool hca_user_is_root(const struct hca_user *user)
{
	return uid_eq(user->uid, GLOBAL_ROOT_UID);
}

#endif
