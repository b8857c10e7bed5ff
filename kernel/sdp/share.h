/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which sockets may share a name: those of one user that have SO_REUSEPORT, and those that have
 * SO_REUSEADDR, of which one at most listens. The sockets of a name are counted, so that nobody
 * goes through them all.
 *
 * Callers serialize the calls for one name.
 */
#ifndef HCA_SDP_SHARE_H
#define HCA_SDP_SHARE_H

#include <linux/types.h>

/* What a socket lets others do, as it was when the socket was counted. */
struct sdp_sharer {
	u32 user;
	bool reuse_addr;
	bool reuse_port;
	bool listens;
};

/* The sockets of one name. */
struct sdp_share {
	u32 total;
	u32 reuse_addr; /* have SO_REUSEADDR and do not listen */
	u32 reuse_port; /* have SO_REUSEPORT */
	u32 only_port; /* of these, those that are not among the first */
	u32 user; /* of those with SO_REUSEPORT, if there are any */
	bool users_differ; /* there were two users among them since there was none with it */
};

/**
 * sdp_share_add() - count a socket
 * @share: the name
 * @sharer: the socket
 *
 * Context: any.
 */
void sdp_share_add(struct sdp_share *share, const struct sdp_sharer *sharer);

/**
 * sdp_share_del() - count a socket no longer
 * @share: the name
 * @sharer: the socket, as it was counted
 *
 * Context: any.
 */
void sdp_share_del(struct sdp_share *share, const struct sdp_sharer *sharer);

/**
 * sdp_share_conflicts() - whether a socket cannot have a name that others have
 * @share: the name; the socket itself is not counted
 * @sharer: the socket
 *
 * If several users have sockets with SO_REUSEPORT there, which is possible by SO_REUSEADDR alone,
 * it is of no use to any.
 *
 * Context: any.
 */
bool sdp_share_conflicts(const struct sdp_share *share, const struct sdp_sharer *sharer);

#endif
