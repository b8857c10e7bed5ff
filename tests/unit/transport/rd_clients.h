/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Queue pairs of reliable datagrams at both ends, which share one pair of EE contexts. */
#ifndef HCA_TESTS_RD_CLIENTS_H
#define HCA_TESTS_RD_CLIENTS_H

#include "tests/unit/fixture/trace.h"

#define RD_QPS 4

/* Each queue pair communicates with the other end's queue pair of its index. */
struct rd {
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_qp *qa[RD_QPS], *qb[RD_QPS];
	struct trace *trace;
};

struct rd rd_new(const struct pair_qp *how);
void rd_free(struct rd *rd);

/* Requests posted from now on are between the queue pairs of this index. */
void rd_use(struct rd *rd, int i);

/* Select the queue pairs of this index, and post a Send from end a to end b. */
void rd_send(struct rd *rd, int i, u64 wr_id, u32 length);
void rd_recv(struct rd *rd, int i, u64 wr_id, u32 length);

/* Change to a state that requires no attributes. */
void rd_qp_to(struct hca_qp *qp, u8 state);
void rd_eec_to(struct hca_rd_eec *rd_eec, u8 state);

/* Assert that the EE contexts are fully usable for the queue pairs of this index. */
void rd_expect_works(struct rd *rd, int i);

#endif
