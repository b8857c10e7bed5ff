/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Users of sockets, who share memory and connections with all others. */
#ifndef HCA_SDP_LINUX_USER_H
#define HCA_SDP_LINUX_USER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/uidgid.h>

/*
 * A user of the initial user namespace. The subordinate user IDs of a user namespace count to the
 * user who has made it.
 */
struct sdp_user {
	struct hlist_node node; /* in the table, by its lock */
	kuid_t uid;
	unsigned int refs; /* sockets, by the table's lock */
	atomic_long_t pages; /* of memory that the connections have */
	atomic_t connections;
	atomic_t routes; /* paths that are looked for */
};

/**
 * sdp_user_get() - find or make the user that the calling process acts for
 *
 * Context: process; may sleep.
 * Return: the user with a reference for the caller, or NULL if there is no memory.
 */
struct sdp_user *sdp_user_get(void);

/**
 * sdp_user_add_ref() - get one more reference
 * @user: the user, to whom the caller has a reference
 *
 * Context: any but hardirq.
 * Return: @user.
 */
struct sdp_user *sdp_user_add_ref(struct sdp_user *user);

/**
 * sdp_user_put() - give a reference back
 * @user: the user, who is freed with the last reference
 *
 * Context: any but hardirq.
 */
void sdp_user_put(struct sdp_user *user);

/**
 * sdp_user_is_root() - whether no limit for users applies
 * @user: the user
 *
 * Context: any.
 */
static inline bool sdp_user_is_root(const struct sdp_user *user)
{
	return uid_eq(user->uid, GLOBAL_ROOT_UID);
}

#endif
