/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An endpoint: one connection, from its stream's first octet to the end of the stream. A queue pair
 * is attached to it for a part of this time. The endpoint's run function serves it until then, and
 * that of the queue pair as long as it is attached.
 */
#ifndef HCA_IWARP_ENDPOINT_H
#define HCA_IWARP_ENDPOINT_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include "engine/run.h"
#include "iwarp/stream.h"
#include "iwarp/wire/mpa.h"

/* Octets of private data that fit each frame. */
#define HCA_LIVE_PRIVATE_MAX (HCA_MPA_PRIVATE_MAX - HCA_MPA_ENHANCED_BYTES)

struct hca_endpoint;
struct hca_iwarp_qp;
struct hca_rnic;
struct hca_tap_stream;

/* States of MPA's start-up (RFC 5044, 7.1). */
enum hca_startup_state {
	HCA_STARTUP_IDLE,
	HCA_STARTUP_CONNECTING, /* initiator: the request is not sent yet */
	HCA_STARTUP_STREAMING, /* live stream without frames: its last message is not sent yet */
	HCA_STARTUP_REQ_SENT, /* initiator: the reply is due */
	HCA_STARTUP_WAIT_REQ, /* responder: the request is due */
	HCA_STARTUP_WAIT_ULP, /* responder: the ULP is to accept or to reject */
	HCA_STARTUP_REP_SENT, /* responder: the first FPDU is due, before which none may be sent */
	HCA_STARTUP_RTR_DUE, /* initiator: the RTR message is to be sent before others */
	HCA_STARTUP_FULL, /* Full Operation */
	HCA_STARTUP_ENDING, /* the stream is ending; no queue pair is attached */
	HCA_STARTUP_CLOSED, /* the stream has gone */
};

/*
 * Events for the ULP's connection manager. An endpoint reports each at most once, and all in one of
 * these orders; brackets stand around an event that may be missing:
 *
 *   initiator   CONNECT_REPLY with 0, [DISCONNECT], CLOSE
 *               CONNECT_REPLY with an error, CLOSE
 *   responder   CONNECT_REQUEST, ESTABLISHED, [DISCONNECT], CLOSE
 *               CONNECT_REQUEST, CLOSE: the ULP has rejected the request, its accept has failed, or
 *               the device is being removed
 *               CLOSE: no request has come
 *
 * An endpoint of a live stream (live.h) accepts the request by itself.
 *
 * iw_cm waits for the result of a connect and of an accept. Therefore CONNECT_REPLY follows each
 * hca_startup_connect() that returns 0, and ESTABLISHED each hca_startup_accept() that returns 0,
 * even if the stream is lost at once.
 *
 * The states of an identifier of iw_cm (drivers/infiniband/core/iwcm.c) in which it takes an event,
 * and the next state:
 *
 *   CONNECT_REQUEST  LISTEN: a new identifier is in CONN_RECV; ignored in other states
 *   CONNECT_REPLY    CONN_SENT: to ESTABLISHED, or to IDLE with an error; BUG() in other states
 *   ESTABLISHED      CONN_RECV: to ESTABLISHED; BUG() in other states
 *   DISCONNECT       ESTABLISHED: to CLOSING; ignored in other states
 *   CLOSE            ESTABLISHED and CLOSING: to IDLE; DESTROYING: none; BUG() in other states
 *
 * A rejection by the ULP and an error of accept lead to IDLE. An identifier has memory for three
 * events as a responder, and for four as an initiator. Therefore the user of an endpoint passes
 * CLOSE on to iw_cm only if is_connected is set. In all other cases the endpoint ends silently.
 */
enum hca_endpoint_event {
	HCA_ENDPOINT_CONNECT_REQUEST, /* responder: @peer is the request */
	HCA_ENDPOINT_CONNECT_REPLY, /* initiator: @reply_status; @peer if 0 or -ECONNREFUSED */
	HCA_ENDPOINT_ESTABLISHED, /* responder */
	HCA_ENDPOINT_DISCONNECT, /* the peer closes the connection */
	/* The stream was released: @close_status. The endpoint is unused from now on. */
	HCA_ENDPOINT_CLOSE,
};

/*
 * The part of an endpoint that only a live stream has: a stream on which its ends have exchanged
 * octets of another protocol before (req R0-253).
 */
struct hca_live {
	/* Answer the request of the peer. ep->lock is held, and send_lock of the queue pair. */
	void (*answer)(struct hca_endpoint *ep);
	u8 *message; /* the last octets before MPA, not sent yet; or NULL */
	u16 message_length;
	u16 private_length;
	u8 private_data[HCA_LIVE_PRIVATE_MAX]; /* of a responder */
};

struct hca_endpoint {
	struct hca_rnic *rnic;
	struct list_head node; /* of rnic->endpoints */
	struct hca_stream *stream;
	/* Report an event. BH are disabled; no lock is held. */
	void (*event)(struct hca_endpoint *ep, enum hca_endpoint_event event);
	/*
	 * Set the addresses and ports of a descriptor for captures. NULL: the stream has none.
	 * Context: any.
	 */
	void (*ends)(const struct hca_endpoint *ep, struct hca_tap_stream *to);
	/*
	 * The lock is taken with BH disabled, inside send_lock. recv_lock and the locks of a stream
	 * are taken inside it. It guards all that follows as long as no queue pair is attached;
	 * afterwards send_lock of the queue pair does. Start-up holds both as long as there is a
	 * queue pair, because it may detach the queue pair.
	 */
	spinlock_t lock;
	struct hca_iwarp_qp *qp; /* changed with both locks held */
	struct hca_runnable run;
	struct hca_runnable *user; /* @run, or the queue pair's; NULL: none */
	u8 state; /* enum hca_startup_state */
	struct hca_live *live; /* NULL: no octets came before MPA */
	bool is_frame_due; /* @frame is to be sent */
	bool is_frame_tried; /* a fault has seen @frame */
	bool is_frame_sent;
	/*
	 * Reception may find something: the stream has raised an event since reception found no
	 * whole FPDU.
	 */
	bool is_readable;
	bool is_lost; /* the stream has raised LOST or CLOSED */
	bool is_closed; /* the stream has raised CLOSED */
	bool is_peer_closed; /* the stream has raised PEER_CLOSED */
	bool is_aborted; /* start-up has called reset() */
	int reply_status, close_status; /* of two events: 0 or a negative errno */
	int pending; /* events to be reported, bits 1 << enum hca_endpoint_event */
	int raised; /* events that were ever raised, the same bits */
	bool is_result_due; /* CONNECT_REPLY or ESTABLISHED has to follow a connect or an accept */
	bool is_connected; /* CONNECT_REPLY with 0, or ESTABLISHED, was raised */
	struct timer_list timer; /* of start-up, and of the end */
	struct timer_list retry; /* after memory was short */
	bool is_timed; /* @deadline is set */
	unsigned long deadline; /* jiffies at which what the endpoint waits for takes too long */
	struct hca_mpa_frame own, peer; /* the frame that was sent, and the one that was received */
	u32 frame_octets; /* of @frame */
	u8 frame[HCA_MPA_FRAME_MAX]; /* own */
	u8 peer_head_octets; /* of @peer_head; 0: the peer's frame has not arrived */
	u8 peer_head[HCA_MPA_HEADER_BYTES + HCA_MPA_ENHANCED_BYTES]; /* before the private data */
	u8 peer_private[HCA_MPA_PRIVATE_MAX];
	u64 tap_serial[2]; /* newest captures that have the frames: of all, of a queue pair */
	u16 ird, ord; /* limits of Read Requests that the ULP has asked for, then the agreed ones */
};

/**
 * hca_endpoint_init() - initialize an endpoint for a stream
 * @ep: zeroed
 * @rnic: the RNIC, which has the endpoint in its list until hca_endpoint_destroy()
 * @stream: a stream, which may still be connecting; nobody else uses it
 * @event: reports events to the connection manager
 *
 * Context: process.
 */
void hca_endpoint_init(struct hca_endpoint *ep, struct hca_rnic *rnic, struct hca_stream *stream,
		       void (*event)(struct hca_endpoint *ep, enum hca_endpoint_event event));

/**
 * hca_endpoint_destroy() - wait until nothing uses an endpoint any more
 * @ep: an endpoint that was never used, or has reported HCA_ENDPOINT_CLOSE
 *
 * The caller can free the endpoint afterwards. The function waits for an RCU grace period, because
 * an event of the stream, or a timer, may have begun to schedule the run function.
 *
 * Context: process, may sleep.
 */
void hca_endpoint_destroy(struct hca_endpoint *ep);

/**
 * hca_endpoint_use() - choose the run function that serves an endpoint
 * @ep: the endpoint, locked as its comment says
 * @user: run of the endpoint or of the queue pair; NULL: none
 *
 * Context: BH disabled.
 */
void hca_endpoint_use(struct hca_endpoint *ep, struct hca_runnable *user);

/**
 * hca_endpoint_kick() - schedule the run function that serves an endpoint
 * @ep: the endpoint
 *
 * Context: any; BH disabled or a softirq; hca_engine_run() or hca_engine_raise() must follow.
 */
void hca_endpoint_kick(struct hca_endpoint *ep);

/**
 * hca_endpoint_raise() - have an event reported by the run function
 * @ep: the endpoint, locked as its comment says
 * @event: the event; ignored if it was raised before, or if the order of events has no place for it
 *
 * Context: BH disabled.
 */
void hca_endpoint_raise(struct hca_endpoint *ep, enum hca_endpoint_event event);

/**
 * hca_endpoint_reply() - raise HCA_ENDPOINT_CONNECT_REPLY, unless it was raised before
 * @ep: the endpoint, locked as its comment says
 * @status: 0 or a negative errno
 *
 * Context: BH disabled.
 */
void hca_endpoint_reply(struct hca_endpoint *ep, int status);

/**
 * hca_endpoint_notify() - report the events that were raised
 * @ep: the endpoint; after HCA_ENDPOINT_CLOSE it may be gone
 * @events: the value of @pending, which the caller has cleared
 *
 * Context: a run function; BH disabled, no lock held.
 */
void hca_endpoint_notify(struct hca_endpoint *ep, int events);

/**
 * hca_endpoint_start_timer() - limit the time of what an endpoint waits for
 * @ep: the endpoint, locked as its comment says
 * @seconds: after which hca_endpoint_has_expired() is true, and the run function is called
 *
 * Context: BH disabled.
 */
void hca_endpoint_start_timer(struct hca_endpoint *ep, u32 seconds);

/**
 * hca_endpoint_stop_timer() - end the limit of hca_endpoint_start_timer()
 * @ep: the endpoint, locked as its comment says
 *
 * Context: BH disabled.
 */
void hca_endpoint_stop_timer(struct hca_endpoint *ep);

/**
 * hca_endpoint_has_expired() - return, once, that the limit of hca_endpoint_start_timer() is over
 * @ep: the endpoint, locked as its comment says
 *
 * Context: BH disabled.
 */
bool hca_endpoint_has_expired(struct hca_endpoint *ep);

/**
 * hca_endpoint_retry() - have the run function called again soon, since memory is short
 * @ep: the endpoint
 *
 * Context: any.
 */
void hca_endpoint_retry(struct hca_endpoint *ep);

/**
 * hca_endpoint_poll() - clear the events of the stream, and note those that last
 * @ep: the endpoint, locked as its comment says
 *
 * Context: a run function; BH disabled.
 */
void hca_endpoint_poll(struct hca_endpoint *ep);

/**
 * hca_endpoint_is_cut() - return whether the stream has ended otherwise than in order
 * @ep: the endpoint, locked as its comment says
 *
 * Nothing can be sent any more. Octets that have arrived before can still be read.
 *
 * Context: a run function; BH disabled.
 */
static inline bool hca_endpoint_is_cut(const struct hca_endpoint *ep)
{
	return ep->is_lost && !ep->is_closed;
}

/**
 * hca_endpoint_gone() - end the use of a stream that has gone, and raise HCA_ENDPOINT_CLOSE
 * @ep: the endpoint, locked as its comment says, without a queue pair
 * @status: 0: the stream has ended in order; otherwise a negative errno
 *
 * The result of a connect or of an accept is raised as well if it is still due.
 *
 * Context: BH disabled.
 */
void hca_endpoint_gone(struct hca_endpoint *ep, int status);

#endif
