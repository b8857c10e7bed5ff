/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A queue pair of an RNIC whose peer is the model of peer.h, with a stream of the simulator between
 * them. There is one at a time. What the queue pair does is compared with what the RFCs demand.
 */
#ifndef HCA_TESTS_IWARP_JUDGE_H
#define HCA_TESTS_IWARP_JUDGE_H

#include "iwarp/connect.h"
#include "iwarp/endpoint.h"
#include "iwarp/iwarp_qp.h"
#include "iwarp/rnic.h"
#include "qp/cq.h"
#include "tests/sim/iwarp/stream.h"
#include "tests/unit/iwarp/order.h"
#include "tests/unit/iwarp/peer.h"

#define JUDGE_BASE 0x70000u /* address of the memory, but for JUDGE_END */
#define JUDGE_LENGTH 16384u /* octets of memory */
#define JUDGE_EVENTS 5 /* of an endpoint */
#define JUDGE_QP_EVENTS 8

/* MRs, all over the same memory. A script names the key of each. */
enum judge_mr {
	JUDGE_RW, /* $rw: all rights */
	JUDGE_RO, /* $ro: remote reading */
	JUDGE_WO, /* $wo: remote writing */
	JUDGE_LOCAL, /* $local: local writing */
	JUDGE_OTHER, /* $other: all rights, in another protection domain */
	JUDGE_FAST, /* $fast: a fast-registered MR with all rights, which the peer may invalidate */
	JUDGE_END, /* $end: all rights; its last octet has the last address there is */
	JUDGE_MRS,
};

struct judge {
	struct hca_rnic rnic;
	struct hca_cq send_cq, recv_cq;
	struct hca_qp *qp;
	struct hca_iwarp_qp *it;
	struct hca_tpt_entry *mr[JUDGE_MRS];
	void *page[JUDGE_LENGTH / PAGE_SIZE];
	u8 *memory, *before;
	struct sim_stream_pair pair;
	struct sim_stream *core, *model; /* its ends */
	struct hca_endpoint ep;
	bool is_begun; /* the endpoint is in use */
	bool is_held; /* iw_cm's reference to the queue pair, which ends with the connection */
	struct peer peer;
	bool is_stalled; /* the peer reads nothing */
	u8 send_flags; /* of requests that are posted, beside HCA_WQE_SIGNALED */
	/* Events of the endpoint: how many, and with which results. */
	u32 events[JUDGE_EVENTS];
	struct order order;
	int reply_status, close_status;
	u32 qp_events[JUDGE_QP_EVENTS]; /* by enum hca_qp_event */
};

extern struct judge judge;

/* An RNIC, and its end. */
void judge_setup(void);
void judge_teardown(void);
/* MRs, a queue pair in Init with all access rights, and a stream. */
void judge_open(const struct sim_stream_options *options);
void judge_close(void);
/* Both at once. */
void judge_begin(const struct sim_stream_options *options);
void judge_end(void);

/* The connection has ended: the queue pair, in Init, and a new stream for another connection. */
void judge_again(void);
/* A new stream and its peer, with the queue pair as it is, which has no stream any more. */
void judge_reopen(const struct sim_stream_options *options);

/* Another queue pair in Init with all access rights, of the same RNIC, domain and CQs. */
struct hca_qp *judge_create_qp(void);

/* Get the reference to the queue pair that iw_cm has, and destroy the queue pair. */
void judge_destroy(void);

/* The function of the queue pair runs once. Returns whether it wants to run again. */
bool judge_run_qp(int budget);

/* Octets flow both ways until nothing happens any more. */
void judge_exchange(void);

/* Time passes. */
void judge_wait(u32 seconds);

/* The peer does what a script lists, and octets flow. $rw and so on stand for keys. */
void judge_run(const char *script);

/* The RNIC is the responder, and the peer the initiator: up to the event of a request. */
void judge_listen(const char *request);
/* The queue pair accepts. Returns the result. */
int judge_accept(u16 ird, u16 ord);
/* The peer has a reply, and Full Operation begins. */
void judge_agree(void);
/* All of that, and the first FPDU. The RNIC serves and issues 4 Reads. */
void judge_establish(const char *request);

/* The RNIC is the initiator. */
int judge_connect(u16 ird, u16 ord);

void judge_recv(u64 wr_id, u32 offset, u32 length, u32 lkey);
/*
 * A request with one SGE, of $rw or of @lkey, at @offset of the memory; remote: @stag, which is the
 * key that a Send with Invalidate names, and @to.
 */
void judge_post(u8 opcode, u64 wr_id, u32 offset, u32 length, u32 stag, u64 to);
void judge_post_key(u8 opcode, u64 wr_id, u32 offset, u32 length, u32 stag, u64 to, u32 lkey);
/* A local request that invalidates a key. */
void judge_post_invalidate(u64 wr_id, u32 key);
/* The next completion of a CQ has this status. Returns it. */
struct hca_cqe judge_expect(struct hca_cq *cq, u64 wr_id, enum ib_wc_status status);
void judge_expect_none(struct hca_cq *cq);

/* All memory is as it was when judge_open() or this function returned. */
bool judge_is_untouched(void);

/* Whether the peer's end has seen a FIN, or a RST. */
bool judge_fin(void);
bool judge_reset(void);

#endif
