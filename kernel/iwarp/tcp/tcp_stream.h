/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A stream that is a TCP socket of the kernel, or of a process. Its operations, which may not
 * sleep, take the socket's spin lock as softirqs do; what needs process context is done by the work
 * queue hca-iwarp. Callbacks of the socket only set bits and schedule the stream's user.
 */
#ifndef HCA_IWARP_TCP_TCP_STREAM_H
#define HCA_IWARP_TCP_TCP_STREAM_H

#include <linux/skbuff.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <net/sock.h>
#include "engine/run.h"
#include "iwarp/stream.h"

/* Bits of hca_tcp_stream.flags. */
enum hca_tcp_flag {
	HCA_TCP_CONNECTED, /* octets can be sent */
	HCA_TCP_CLOSING, /* close() was called */
	HCA_TCP_FIN_SENT, /* nothing can be sent any more */
	HCA_TCP_PEER_CLOSED, /* PEER_CLOSED was raised */
	HCA_TCP_ABORTED, /* reset() was called */
	HCA_TCP_ENDED, /* CLOSED or LOST was raised */
	HCA_TCP_RELEASED, /* release() was called, and nothing is left to be sent */
	HCA_TCP_NO_MEMORY, /* memory was short in reception; the retry timer raises READABLE */
};

/* The callbacks that a socket had before it became a stream. */
struct hca_tcp_callbacks {
	void (*state_change)(struct sock *sk);
	void (*data_ready)(struct sock *sk);
	void (*write_space)(struct sock *sk);
	void (*error_report)(struct sock *sk);
};

#define HCA_TCP_SHORT 512 /* octets that are copied rather than cloned */

/*
 * Octets that have arrived. First those in @octets, which TCP does not have any more. The buffers
 * in @queue are copies of such octets as well, and behind them clones of buffers in the socket's
 * receive queue, whose octets TCP keeps until they are consumed. Only operations of the stream use
 * it, which are called one at a time.
 */
struct hca_tcp_receive {
	struct sk_buff_head queue;
	u32 copied; /* octets of the copies that are not consumed, those in @octets included */
	u32 cloned; /* octets of the clones that are not consumed */
	u32 behind; /* octets of clones that are consumed, but which TCP has still */
	u32 ranges; /* of the octets in @queue */
	u32 wanted; /* octets that want() has named */
	/* TCP's next sequence number, and its count of segments, when it last learned of octets. */
	u32 seen, segments;
	u32 acknowledged; /* TCP's count of segments when all of them were acknowledged */
	/*
	 * TCP has no octets that are neither consumed nor in @queue; a callback of the socket
	 * clears it. Changed with the socket locked.
	 */
	bool is_current;
	u16 begin, end; /* of what is not consumed in @octets */
	u8 octets[HCA_TCP_SHORT];
};

struct hca_tcp_claim;

struct hca_tcp_stream {
	struct hca_stream stream; /* first member */
	struct socket *sock; /* of a live stream: with a reference to its file */
	bool is_live; /* the socket is a process's, which may still do with it what it likes */
	gfp_t allocation; /* sk_allocation of the process's socket */
	unsigned long flags; /* bits of enum hca_tcp_flag, changed atomically */
	struct hca_tcp_receive rx;
	/*
	 * A buffer of which TCP has not taken all that is written. It and @is_sending are guarded
	 * by the socket's lock.
	 */
	struct hca_tx_buffer tail;
	bool is_sending; /* a call of TCP is in progress */
	struct hca_runnable push; /* sends @tail */
	struct timer_list retry; /* schedules @push after memory was short */
	struct work_struct work; /* does what close() and reset() ask for */
	/* Ends the use of the socket: it takes the callbacks back, then @free does the rest. */
	struct delayed_work release;
	struct rcu_work free; /* when no callback runs any more */
	unsigned long linger; /* jiffies until which what is left may be sent after release() */
	struct mem_cgroup *memcg; /* is charged for copies; with a reference, or NULL */
	struct hca_tcp_callbacks saved;
	/* The socket was released, and the memory may be freed. Context: work queue. */
	void (*released)(struct hca_tcp_stream *ts);
};

static inline struct hca_tcp_stream *hca_tcp_stream_of(struct hca_stream *s)
{
	return container_of(s, struct hca_tcp_stream, stream);
}

/**
 * hca_tcp_start() - create the work queue of streams and endpoints
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_tcp_start(void);

/**
 * hca_tcp_stop() - destroy the work queue; no stream is left
 *
 * Context: process, may sleep.
 */
void hca_tcp_stop(void);

/**
 * hca_tcp_queue() - queue a work item in the work queue of streams and endpoints
 * @work: the work item
 *
 * Context: any.
 */
void hca_tcp_queue(struct work_struct *work);

/**
 * hca_tcp_queue_later() - queue a work item in the same work queue, after a while
 * @work: the work item; if it waits already, it waits for as long as @ms says
 * @ms: milliseconds
 *
 * Context: any.
 */
void hca_tcp_queue_later(struct delayed_work *work, unsigned int ms);

/**
 * hca_tcp_queue_rcu() - queue a work item in the same work queue, after an RCU grace period
 * @work: the work item
 *
 * Context: any.
 */
void hca_tcp_queue_rcu(struct rcu_work *work);

/**
 * hca_tcp_prepare() - set the options that the socket of a stream, or of a listener, needs
 * @sk: the socket, which is not connected yet
 *
 * Context: process, may sleep.
 */
void hca_tcp_prepare(struct sock *sk);

/**
 * hca_tcp_stream_init() - make a stream of a socket
 * @ts: zeroed
 * @sock: the socket, prepared, which belongs to the stream now; it may be without a connection
 * @released: reports that the stream has released the socket
 *
 * Context: process, may sleep.
 */
void hca_tcp_stream_init(struct hca_tcp_stream *ts, struct socket *sock,
			 void (*released)(struct hca_tcp_stream *ts));

/**
 * hca_tcp_stream_attach() - make a stream of a process's socket
 * @ts: zeroed
 * @sock: the socket; the stream gets a reference of its own to the file
 * @claim: how the socket is checked
 * @released: reports that the stream has released the socket
 *
 * Context: process, may sleep, but does not wait for a process that holds the socket's lock.
 * Return: 0, or the error of hca_tcp_claim(), after which nothing has changed.
 */
int hca_tcp_stream_attach(struct hca_tcp_stream *ts, struct socket *sock,
			  struct hca_tcp_claim *claim,
			  void (*released)(struct hca_tcp_stream *ts));

/**
 * hca_tcp_stream_is_held() - return whether a process holds the lock of its socket
 * @ts: the stream
 *
 * A process can hold the lock for any time, for instance by a system call that waits for a page of
 * its memory. Workers do not wait for that; they look again later.
 *
 * Context: any, without the socket's spin lock.
 * Return: true if the stream is live, and the lock is held.
 */
bool hca_tcp_stream_is_held(struct hca_tcp_stream *ts);

/**
 * hca_tcp_stream_lost() - raise LOST, unless the stream has ended
 * @ts: the stream
 * @error: 0 after reset(); otherwise a negative errno
 *
 * Context: any; hca_engine_run() or hca_engine_raise() must follow.
 */
void hca_tcp_stream_lost(struct hca_tcp_stream *ts, int error);

#endif
