/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Queue pairs of reliable datagrams at either end, over one pair of channels. */
#ifndef HCA_TESTS_RD_CLIENTS_H
#define HCA_TESTS_RD_CLIENTS_H

#include "trace.h"

#define RD_QPS 4

/* Each queue pair talks to the other end's of its number. */
struct rd {
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_qp *qa[RD_QPS], *qb[RD_QPS];
	struct trace *trace;
};

struct rd rd_new(const struct pair_qp *how);
void rd_free(struct rd *rd);

/* What is posted from now on is between the queue pairs of this number. */
void rd_use(struct rd *rd, int i);

/* The same, and post: from end a to end b. */
void rd_send(struct rd *rd, int i, u64 wr_id, u32 length);
void rd_recv(struct rd *rd, int i, u64 wr_id, u32 length);

/* To a state that needs nothing else. */
void rd_qp_to(struct hca_qp *qp, u8 state);
void rd_channel_to(struct hca_rd_eec *rd_eec, u8 state);

/* The channel is as good as new for queue pairs of this number. */
void rd_expect_works(struct rd *rd, int i);

#endif
