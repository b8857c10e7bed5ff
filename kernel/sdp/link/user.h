/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Users of sockets: each one has a limited share of memory and connections. */
#ifndef HCA_SDP_LINK_USER_H
#define HCA_SDP_LINK_USER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/uidgid.h>

/*
 * A user of the initial user namespace. Subordinate user IDs of a user namespace count as the user
 * who has created the namespace.
 */
struct sdp_user {
	struct hlist_node node; /* entry in the table of users, protected by users_lock of user.c */
	kuid_t uid;
	unsigned int refs; /* number of sockets, protected by users_lock */
	atomic_long_t pages; /* pages charged for the user's connections */
	atomic_t connections; /* number of links of the user's sockets */
	atomic_t routes; /* number of paths being resolved */
};

/**
 * sdp_user_get() - find or make the user for whom the calling process acts
 *
 * Context: process; may sleep.
 * Return: the user with a reference for the caller, or NULL if memory is exhausted.
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
 * sdp_user_put() - release a reference
 * @user: the user, who is freed with the last reference
 *
 * Context: any but hardirq.
 */
void sdp_user_put(struct sdp_user *user);

/**
 * sdp_user_is_root() - whether a user is root, to whom the limits for users do not apply
 * @user: the user
 *
 * Context: any.
 */
static inline bool sdp_user_is_root(const struct sdp_user *user)
{
	return uid_eq(user->uid, GLOBAL_ROOT_UID);
}

#endif
