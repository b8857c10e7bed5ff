/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Two channel adapters, a cable between them, and a finger on the cable. */
#ifndef HCA_TESTS_PAIR_H
#define HCA_TESTS_PAIR_H

#include "transport/rd_eec.h"
#include "transport/srq.h"

#define PAIR_MEMORY (1u << 20)
#define PAIR_MORE 8
#define PAIR_QKEY 0x1111
/* The tests send from the lower half and receive in the upper. */
#define SRC 0u
#define DST (PAIR_MEMORY / 2)

struct pair;

/* What becomes of a packet that has arrived: false loses it. */
typedef bool (*pair_filter)(struct pair *pair, int receiver, const struct hca_packet *pkt);

struct pair_end {
	struct hca_ca ca;
	struct hca_port ports[3];
	struct hca_cq send_cq, recv_cq;
	struct hca_qp *qp; /* what is posted is posted here */
	struct hca_qp *more[PAIR_MORE]; /* others, that pair_free() destroys too */
	struct hca_rd_eec *rd_eec;
	u32 to_eecn, to_qpn, to_qkey; /* RD: where what is posted goes */
	struct hca_tpt_entry *region;
	u8 *memory; /* PAIR_MEMORY octets, registered page by page in a shuffled order */
	u8 *backing;
	unsigned int notified; /* by send_cq and recv_cq together */
	unsigned int cq_errors;
	unsigned int events[8]; /* by enum hca_qp_event */
	unsigned int srq_events[2]; /* by enum hca_srq_event */
	unsigned int channel_events[8]; /* by enum hca_qp_event */
	unsigned int port_events[8]; /* by enum hca_port_event */
	unsigned int received; /* packets that came to the transport */
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
	u8 ports; /* of each adapter, 1 or 2, cabled one by one; 0 is 1 */
};

extern const struct pair_qp pair_rc, pair_uc, pair_ud, pair_rd;

/* The LID of a port: ports 1 have LIDs 1 and 2, ports 2 have 3 and 4. */
static inline u16 pair_lid(int end, u8 port)
{
	return 2 * port - 1 + end;
}

/* Whether the queue of port 1's VL 0 takes packets: if not, who finds no credit waits. */
void pair_queue_is_full(struct pair_end *end, bool full);

/* Two adapters with Active ports, and a connected queue pair each; RD: and a channel. */
struct pair *pair_new(const struct pair_qp *how);
void pair_free(struct pair *pair);

/* Another queue pair, in Reset; @srq may be NULL. Whoever made it destroys it. */
struct hca_qp *pair_qp_new(struct pair_end *end, const struct pair_qp *how, struct hca_srq *srq);

/* Move a fresh queue pair to RTS towards (qpn, lid). */
void pair_connect(struct hca_qp *qp, const struct pair_qp *how, u32 qpn, u16 lid, u32 sq_psn,
		  u32 rq_psn);

/* The same for a channel; @eecn: the peer's. */
void pair_connect_rd_eec(struct hca_rd_eec *rd_eec, const struct pair_qp *how, u32 eecn,
			 u16 lid, u32 sq_psn, u32 rq_psn);

/* A further queue pair, in state Reset; a further channel. */
struct hca_qp *pair_create_qp(struct pair_end *end, const struct pair_qp *how);
struct hca_rd_eec *pair_create_rd_eec(struct pair_end *end);

/* Addresses as the region has them: octet n of end's memory. */
u64 pair_addr(const struct pair_end *end, u32 offset);
void pair_write(struct pair_end *end, u32 offset, const void *data, u32 length);
void pair_read(struct pair_end *end, u32 offset, void *data, u32 length);

/* Post, as libhca does; the doorbell is rung. */
struct hca_send_wqe *pair_wqe(struct pair_end *end, u64 wr_id, u8 opcode, u8 flags);
void pair_sge(struct pair_end *end, struct hca_send_wqe *wqe, u32 offset, u32 length);
void pair_post(struct pair_end *end);
void pair_recv(struct pair_end *end, u64 wr_id, u32 offset, u32 length);
void pair_srq_recv(struct pair_end *end, struct hca_srq *srq, u64 wr_id, u32 offset, u32 length);

/* Fill memory with a pattern of a seed; compare. */
void pair_fill(struct pair_end *end, u32 offset, u32 length, unsigned int seed);
bool pair_same(struct pair_end *a, u32 at_a, struct pair_end *b, u32 at_b, u32 length);

/* Post a request of one piece; immediate data is the low half of wr_id. */
void pair_send(struct pair_end *from, u64 wr_id, u8 flags, u32 local, u32 length);
void pair_rdma(struct pair_end *from, struct pair_end *to, u64 wr_id, u8 opcode, u8 flags,
	       u32 local, u32 remote, u32 length);

/* The same from SRC, signalled, to an address that a key is for; and make a key of one's own void. */
void pair_rdma_by_key(struct pair_end *from, u64 wr_id, u8 opcode, u32 key, u64 addr, u32 length);
void pair_invalidate(struct pair_end *end, u64 wr_id, u32 key);

/* The next completion is this one; there is none. */
void pair_expect(struct hca_cq *cq, u64 wr_id, enum ib_wc_status status);
void pair_expect_none(struct hca_cq *cq);

/* Take one completion; false: there is none. */
bool pair_poll(struct hca_cq *cq, struct hca_cqe *cqe);

/* Let everything happen that can without the clock, or for so many milliseconds. */
void pair_settle(void);
void pair_wait(unsigned int ms);

#endif
