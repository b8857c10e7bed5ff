/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The state of transfers that continue while no call waits for them: MSG_ZEROCOPY, io_submit(2). */
#ifndef HCA_SDP_SOCKET_TRANSFERS_H
#define HCA_SDP_SOCKET_TRANSFERS_H

#include <linux/skbuff.h>
#include <linux/timer.h>
#include <linux/types.h>
#include "sdp/link/lock.h"
#include "sdp/protocol/async.h"

struct kiocb;
struct mm_struct;
struct sdp_sock;
struct ubuf_info;

/*
 * The step of a state. The step changes the state if the awaited event has occurred, and returns
 * whether it has.
 */
typedef bool (*sdp_step)(struct sdp_sock *ssk);

/* A transfer. The socket lock protects all members. */
struct sdp_steps {
	u8 state; /* 0: there is no transfer */
	bool referenced; /* @task has a reference to the socket */
	const sdp_step *table; /* the step of each state; NULL for state 0 */
	struct sdp_sock *ssk; /* the socket that embeds this structure */
	unsigned long until; /* jiffies at which @state times out */
	struct timer_list timer; /* queues @task at @until */
	struct sdp_task task; /* processes events, and changes @state */
};

/* The states of a pinned segment of program memory. */
enum sdp_zsend_state {
	SDP_ZSEND_IDLE, /* no segment is pinned */
	SDP_ZSEND_ADVERTISED, /* SrcAvail was sent, and its answer is awaited */
	SDP_ZSEND_WRITTEN, /* an RDMA Write was posted, and its completion is awaited */
	SDP_ZSEND_INVALIDATED, /* the MR is being invalidated */
	SDP_ZSEND_COPIED, /* the unsent rest is being copied into buffers */
};

/*
 * The segment that a call with MSG_ZEROCOPY sends. The socket lock protects all members. While a
 * segment is pinned, payload of other calls is not queued.
 */
struct sdp_zsend {
	struct sdp_steps steps; /* the state is an enum sdp_zsend_state */
	struct ubuf_info *uarg; /* notification of the call; holds a reference */
	u32 octets; /* octets of the segment */
	u32 sent; /* octets known to be read by the peer, written, or copied into buffers */
	u32 head; /* octets sent before the advertised ones, or as payload of SrcAvail */
	u32 left; /* advertised octets that were unread when the task ran last */
};

/* The states of an asynchronous read. */
enum sdp_zread_state {
	SDP_ZREAD_IDLE, /* there is no read */
	SDP_ZREAD_WAITING, /* data is awaited; the pages are not registered */
	SDP_ZREAD_READ, /* an RDMA Read was posted, and its completion is awaited */
	SDP_ZREAD_ADVERTISED, /* SinkAvail was sent, and its answer is awaited */
	SDP_ZREAD_INVALIDATED, /* the MR is being invalidated */
};

/* An asynchronous read. The socket lock protects all members except @canceled. */
struct sdp_zread {
	struct sdp_steps steps; /* the state is an enum sdp_zread_state */
	struct sdp_async async; /* decides on the next action */
	struct kiocb *iocb; /* the read of aio, to be completed */
	struct mm_struct *mm; /* memory of the process that has submitted the read, by mmgrab() */
	struct mmpin pin; /* pages charged to RLIMIT_MEMLOCK */
	u32 reading; /* octets of the RDMA Read under way */
	bool copies; /* SinkAvail is not sent for this read */
	unsigned long canceled; /* bit 0: aio has canceled the read; set without a lock */
	unsigned long deadline; /* jiffies at which a state with a timeout aborts the connection */
};

#endif
