/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Sharing of a name, which is a local address and port, between sockets. Sockets of one user that
 * have SO_REUSEPORT may share a name. Sockets that have SO_REUSEADDR may share a name too, if at
 * most one of these sockets listens. A check looks only at counts, not at each socket of a name.
 *
 * Callers serialize the calls for one name.
 */
#ifndef HCA_SDP_PROTOCOL_SHARE_H
#define HCA_SDP_PROTOCOL_SHARE_H

#include <linux/types.h>

/* Sharing options of a socket at the time when it was counted. */
struct sdp_sharer {
	u32 user;
	bool reuse_addr;
	bool reuse_port;
	bool listens;
};

/* Counts of the sockets that have one name. */
struct sdp_share {
	u32 total;
	u32 reuse_addr; /* sockets that have SO_REUSEADDR and do not listen */
	u32 reuse_port; /* sockets that have SO_REUSEPORT */
	u32 only_port; /* sockets that count in reuse_port but not in reuse_addr */
	u32 user; /* user of the sockets with SO_REUSEPORT, if there are any */
	bool users_differ; /* sockets of several users were counted since reuse_port was last 0 */
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
 * sdp_share_del() - remove a socket from the counts
 * @share: the name
 * @sharer: the socket, with the options that sdp_share_add() has counted
 *
 * Context: any.
 */
void sdp_share_del(struct sdp_share *share, const struct sdp_sharer *sharer);

/**
 * sdp_share_conflicts() - whether a name is in use by sockets that do not share it with @sharer
 * @share: the name; the socket itself is not counted
 * @sharer: the socket
 *
 * SO_REUSEPORT has no effect while sockets of several users with SO_REUSEPORT share the name, which
 * SO_REUSEADDR makes possible.
 *
 * Context: any.
 */
bool sdp_share_conflicts(const struct sdp_share *share, const struct sdp_sharer *sharer);

#endif
