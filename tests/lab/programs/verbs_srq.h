/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A shared receive queue at b, connections whose queue pairs receive from it, and its events. */
#ifndef HCA_TESTS_VERBS_SRQ_H
#define HCA_TESTS_VERBS_SRQ_H

#include "verbs_pair.h"
#include <poll.h>

#define SOURCE 0u
#define DEST (2u << 20)
#define ENTRIES 16
#define USERS 4

static struct pair pair;
static struct ibv_device_attr limits;
static struct ibv_qp *from[USERS], *to[USERS]; /* connections: at a, and at b */

static inline struct ibv_srq *srq_create(struct ibv_pd *pd, uint32_t wr, uint32_t sge,
					 uint32_t limit)
{
	struct ibv_srq_init_attr init = {
		.srq_context = &pair,
		.attr = { .max_wr = wr, .max_sge = sge, .srq_limit = limit },
	};
	struct ibv_srq *srq = ibv_create_srq(pd, &init);

	if (srq)
		expect(init.attr.max_wr >= wr && init.attr.max_sge >= sge, "less was granted");
	return srq;
}

static inline void expect_limit(struct ibv_srq *srq, uint32_t wanted)
{
	struct ibv_srq_attr attr;

	if (expect_ok(ibv_query_srq(srq, &attr), "query_srq"))
		expect_value(attr.srq_limit, wanted, "the limit");
}

static inline int arm(struct ibv_srq *srq, uint32_t limit)
{
	struct ibv_srq_attr attr = { .srq_limit = limit };

	return ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT);
}

static inline void part(void)
{
	unsigned int i;

	for (i = 0; i < USERS; i++) {
		if (from[i])
			expect_ok(ibv_destroy_qp(from[i]), "destroy_qp");
		if (to[i])
			expect_ok(ibv_destroy_qp(to[i]), "destroy_qp");
		from[i] = to[i] = NULL;
	}
	if (pair.b.srq)
		expect_ok(ibv_destroy_srq(pair.b.srq), "destroy_srq");
	pair.b.srq = NULL;
	pair.a.qp = pair.b.qp = NULL;
	poll_all(pair.a.send_cq);
	poll_all(pair.b.recv_cq);
}

/* Makes @n connections whose queue pairs at b receive from one SRQ. */
static inline bool join(const struct setup *setup, unsigned int n, uint32_t limit)
{
	unsigned int i;

	pair.b.srq = srq_create(pair.b.pd, ENTRIES, 1, limit);
	if (!expect_made(pair.b.srq, "create_srq"))
		return false;
	for (i = 0; i < n; i++) {
		if (!pair_connect(&pair, setup))
			return false;
		from[i] = pair.a.qp;
		to[i] = pair.b.qp;
	}
	return true;
}

/* Expects that request @wr_id receives a message of connection @i. */
static inline bool message(unsigned int i, uint64_t wr_id)
{
	struct ibv_wc wc;

	pair.a.qp = from[i];
	return post_send(&pair.a, i, SOURCE, 100) && completes(pair.a.send_cq, i, IBV_WC_SUCCESS,
							       &wc) &&
	       completes(pair.b.recv_cq, wr_id, IBV_WC_SUCCESS, &wc) &&
	       expect_value(wc.qp_num, to[i]->qp_num, "qp_num");
}

static inline bool event_within(struct ibv_async_event *event, unsigned int ms)
{
	struct pollfd p = { .fd = pair.b.context->async_fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1 && !ibv_get_async_event(pair.b.context, event);
}

static inline void expect_event(enum ibv_event_type type, const void *element)
{
	struct ibv_async_event event;

	if (!expect(event_within(&event, PATIENCE_MS), "no event"))
		return;
	expect(event.event_type == type && (const void *)event.element.srq == element,
	       "event %s of something", ibv_event_type_str(event.event_type));
	ibv_ack_async_event(&event);
}

static inline void expect_untold(const char *when)
{
	struct ibv_async_event event;

	if (!expect(!event_within(&event, SILENCE_MS), "an event %s", when))
		ibv_ack_async_event(&event);
}

static inline void srq_open(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	if (!expect_ok(ibv_query_device(pair.b.context, &limits), "query_device"))
		give_up("query_device");
}

#endif
