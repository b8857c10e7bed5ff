/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * RNICs of tests, each with a queue pair, completion queues, memory, and an end of a stream. Either
 * both ends of the stream are RNICs, or the second one is the model of a peer.
 */
#ifndef HCA_TESTS_IWARP_RNICS_H
#define HCA_TESTS_IWARP_RNICS_H

#include "iwarp/connect.h"
#include "iwarp/iwarp_qp.h"
#include "qp/srq.h"
#include "tests/sim/iwarp/stream.h"
#include "tests/unit/iwarp/order.h"
#include "tests/unit/iwarp/peer.h"

#define RNICS_BASE 0x70000u /* address of the first octet of an MR */
#define RNICS_PAGES 32
#define RNICS_OCTETS (RNICS_PAGES * PAGE_SIZE)
#define RNICS_ENTRIES 16 /* of each queue */
#define RNICS_REMOTE (IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ)
#define RNICS_ACCESS (IB_UVERBS_ACCESS_LOCAL_WRITE | RNICS_REMOTE)

struct rnic_end {
	struct hca_rnic rnic; /* first member */
	struct hca_endpoint ep;
	struct hca_stream *stream;
	struct hca_iwarp_qp *it;
	struct hca_qp *qp;
	struct hca_cq send_cq, recv_cq;
	struct hca_srq srq;
	u8 *memory;
	void *page[RNICS_PAGES];
	struct hca_tpt_entry *mr;
	unsigned int events[8]; /* of the queue pair, by enum hca_qp_event */
	unsigned int srq_events;
	unsigned int reported[8]; /* by enum hca_endpoint_event */
	struct order order; /* of these events */
	int reply_status, close_status; /* of the events that were reported last */
	u8 state_at_fatal; /* of the queue pair, when HCA_QP_FATAL was reported */
};

struct rnics {
	struct sim_stream_pair pair;
	struct rnic_end end[2];
	struct peer *peer; /* instead of end[1]; or NULL */
	struct hca_connect connect, accept; /* what the ULPs want */
	bool with_srq; /* the queue pairs use SRQs */
	bool kernel; /* the queue pairs are those of the kernel */
	u32 cqe; /* entries of each CQ; 0: many */
};

extern struct rnics rnics;

/* Make two RNICs, with queue pairs in Init. @options: of the stream; NULL: none. */
void rnics_begin(const struct sim_stream_options *options);
/* Make one RNIC and a peer; with the members of rnics that rnics_setup() was to prepare. */
void rnics_begin_peer(const struct sim_stream_options *options);
/* Forget all members of rnics. It comes first, so that a test can set some. */
void rnics_setup(void);
void rnics_end(void);

/* Let the octets on the way arrive, those of the peer included. */
void rnics_settle(void);

/* Start up both RNICs, the first one as the initiator. */
void rnics_connect(void);
/* Begin a connection, up to HCA_ENDPOINT_CONNECT_REQUEST at the second one. */
void rnics_request(void);

/* Start up an RNIC with the peer as initiator, or as responder: revision 1, with CRCs. */
void rnics_serve_peer(void);
void rnics_connect_peer(void);
/* Begin an RNIC that serves the peer, which has sent its first FPDU. */
void rnics_serve_first(const struct sim_stream_options *options);
/* Send what a script of the peer lists, and let it arrive. */
void rnics_peer(const char *script);
/* Whether another FPDU has come from the RNIC; then it is in rnics.peer->fpdu. */
bool rnics_peer_fpdu(void);

int rnics_modify(struct rnic_end *e, enum ib_qp_state state);
void rnics_destroy(struct rnic_end *e);
u8 rnics_state(const struct rnic_end *e);

/* Post requests. Addresses are offsets in the MR of each end. */
struct hca_send_wqe *rnics_wqe(struct rnic_end *e, u8 opcode, u64 wr_id, u32 offset, u32 length);
void rnics_publish(struct rnic_end *e);
void rnics_send(struct rnic_end *e, u64 wr_id, u32 offset, u32 length);
void rnics_rdma(struct rnic_end *e, u8 opcode, u64 wr_id, u32 offset, u32 length, u32 rkey,
		u32 remote);
void rnics_recv(struct rnic_end *e, u64 wr_id, u32 offset, u32 length);

/* The next completion of a queue. */
void rnics_expect(struct hca_cq *cq, u64 wr_id, enum ib_wc_status status);
struct hca_cqe rnics_completion(struct hca_cq *cq);
bool rnics_none(struct hca_cq *cq);

/* Whether memory of the first end is that of the second one. */
bool rnics_same(u32 offset0, u32 offset1, u32 length);

#endif
