/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Two channel adapters connected by a cable, and a filter that may drop its packets. */
#ifndef HCA_TESTS_PAIR_H
#define HCA_TESTS_PAIR_H

#include "qp/srq.h"
#include "transport/rd/rd_eec.h"
#include "transport/xrc/xrc.h"

#define PAIR_MEMORY (1u << 20)
#define PAIR_MORE 8
#define PAIR_QKEY 0x1111
/* The tests send from the lower half of memory and receive in the upper half. */
#define SRC 0u
#define DST (PAIR_MEMORY / 2)

struct pair;

/* Called for each packet that arrives; a packet for which it returns false is dropped. */
typedef bool (*pair_filter)(struct pair *pair, int receiver, const struct hca_packet *pkt);

struct pair_end {
	struct hca_ca ca;
	struct hca_ci *ci; /* what a consumer knows of ca */
	struct hca_port ports[3];
	struct hca_cq send_cq, recv_cq;
	struct hca_qp *qp; /* work requests are posted to this queue pair */
	struct hca_qp *more[PAIR_MORE]; /* further queue pairs, which pair_free() destroys, too */
	struct hca_rd_eec *rd_eec;
	u32 to_eecn, to_qpn, to_qkey; /* RD: the destination of work requests */
	/* XRC: qp is the initiator, target the other half; what it receives goes to srq. */
	struct hca_qp *tgt;
	struct hca_srq srq;
	struct hca_xrc_srq *xrc_srq;
	u32 to_srqn; /* of the peer: the destination of work requests */
	struct hca_tpt_entry *entry;
	u8 *memory; /* PAIR_MEMORY octets, registered page by page in a shuffled order */
	u8 *backing;
	unsigned int notified; /* notifications of send_cq and recv_cq together */
	unsigned int cq_errors;
	unsigned int events[8]; /* counted by enum hca_qp_event */
	unsigned int srq_events[2]; /* counted by enum hca_srq_event */
	unsigned int rd_eec_events[8]; /* those of rd_eec, counted by enum hca_qp_event */
	unsigned int port_events[8]; /* counted by enum hca_port_event */
	unsigned int received; /* number of packets that the transport has received */
};

struct pair {
	struct pair_end end[2];
	pair_filter filter;
	void *data;
};

struct pair_qp {
	u8 type; /* enum ib_qp_type */
	u8 mtu; /* enum ib_mtu */
	u32 send_wr, recv_wr;
	u32 cqe;
	u8 retry, rnr_retry, timeout;
	u8 rd_atomic;
	u32 psn[2];
	bool kernel;
	u8 ports; /* of each adapter, 1 or 2, each cabled to its counterpart; 0 means 1 */
};

extern const struct pair_qp pair_rc, pair_uc, pair_ud, pair_rd, pair_xrc;

/* LIDs are 1 and 2 on ports 1, 3 and 4 on ports 2. */
static inline u16 pair_lid(int end, u8 port)
{
	return 2 * port - 1 + end;
}

/* Whether the transmit queue of port 1 is full: a sender without credit has to wait if it is. */
void pair_queue_is_full(struct pair_end *end, bool full);

/*
 * Make two adapters with Active ports and a connected queue pair each; for RD, connected EE
 * contexts, too; for XRC, two connections, one from each end.
 */
struct pair *pair_new(const struct pair_qp *how);
void pair_free(struct pair *pair);

/* Make another queue pair in state Reset; @srq may be NULL. The caller destroys it. */
struct hca_qp *pair_qp_new(struct pair_end *end, const struct pair_qp *how, struct hca_srq *srq);

/* Move a queue pair in state Reset to RTS, connected to (qpn, lid). */
void pair_connect(struct hca_qp *qp, const struct pair_qp *how, u32 qpn, u16 lid, u32 sq_psn,
		  u32 rq_psn);

/* Move an EE context in state Reset to RTS; @eecn: the EE context number of its peer. */
void pair_connect_rd_eec(struct hca_rd_eec *rd_eec, const struct pair_qp *how, u32 eecn,
			 u16 lid, u32 sq_psn, u32 rq_psn);

/* Make the other half of an XRC connection in state Reset; @xrcd: its XRC domain. */
struct hca_qp *pair_tgt_new(struct pair_end *end, const void *xrcd);

/* XRC: destroy the SRQ of an end. */
void pair_srq_gone(struct pair_end *end);

/* Make a further queue pair, or EE context, in state Reset. */
struct hca_qp *pair_create_qp(struct pair_end *end, const struct pair_qp *how);
struct hca_rd_eec *pair_create_rd_eec(struct pair_end *end);

/* Virtual addresses in the MR: octet @offset of the end's memory. */
u64 pair_addr(const struct pair_end *end, u32 offset);
void pair_write(struct pair_end *end, u32 offset, const void *data, u32 length);
void pair_read(struct pair_end *end, u32 offset, void *data, u32 length);

/* Post a work request, as libhca does, and ring the doorbell. */
struct hca_send_wqe *pair_wqe(struct pair_end *end, u64 wr_id, u8 opcode, u8 flags);
void pair_sge(struct pair_end *end, struct hca_send_wqe *wqe, u32 offset, u32 length);
void pair_post(struct pair_end *end);
void pair_recv(struct pair_end *end, u64 wr_id, u32 offset, u32 length);
void pair_srq_recv(struct pair_end *end, struct hca_srq *srq, u64 wr_id, u32 offset, u32 length);

/* Fill memory with a pattern that follows from a seed; compare the memory of two ends. */
void pair_fill(struct pair_end *end, u32 offset, u32 length, unsigned int seed);
bool pair_same(struct pair_end *a, u32 at_a, struct pair_end *b, u32 at_b, u32 length);

/* Post a request of one SGE; its immediate data is the low half of wr_id. */
void pair_send(struct pair_end *from, u64 wr_id, u8 flags, u32 local, u32 length);
void pair_rdma(struct pair_end *from, struct pair_end *to, u64 wr_id, u8 opcode, u8 flags,
	       u32 local, u32 remote, u32 length);

/* Post a signalled request from SRC to an address that @key covers; post a LOCAL_INV of @key. */
void pair_rdma_by_key(struct pair_end *from, u64 wr_id, u8 opcode, u32 key, u64 addr, u32 length);
void pair_invalidate(struct pair_end *end, u64 wr_id, u32 key);

/* struct hca_srq.notify: counts the event; the context is the end. */
void pair_srq_event(struct hca_srq *srq, enum hca_srq_event event);

/* Assert that the next completion is this one; assert that there is none. */
void pair_expect(struct hca_cq *cq, u64 wr_id, enum ib_wc_status status);
void pair_expect_none(struct hca_cq *cq);

/* Poll one completion; false: there is none. */
bool pair_poll(struct hca_cq *cq, struct hca_cqe *cqe);

/* Run until idle with the clock standing still; run for so many milliseconds. */
void pair_settle(void);
void pair_wait(unsigned int ms);

#endif
