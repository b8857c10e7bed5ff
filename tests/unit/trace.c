// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include "trace.h"
#include "transport/iba_qp.h"

static struct trace trace;

static bool trace_filter(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	struct traced *t = &trace.packet[trace.n++];

	(void)pair;
	ck_assert_uint_lt(trace.n, TRACE_PACKETS);
	t->receiver = receiver;
	t->payload = pkt->payload_length;
	t->h = pkt->h;
	t->lost = trace.lose && trace.lose(&trace, t);
	return !t->lost;
}

struct trace *trace_on(struct pair *pair)
{
	memset(&trace, 0, sizeof(trace));
	trace.towards = -1;
	pair->filter = trace_filter;
	return &trace;
}

bool trace_lose_nth(struct trace *t, const struct traced *packet)
{
	return (t->towards < 0 || packet->receiver == t->towards) && t->seen++ == t->nth;
}

bool trace_pass_n(struct trace *t, const struct traced *packet)
{
	(void)packet;
	return t->n > t->nth;
}

bool trace_cut(struct trace *t, const struct traced *packet)
{
	return t->towards < 0 || packet->receiver == t->towards;
}

static bool is_wanted(const struct traced *t, int receiver, int opcode)
{
	return t->receiver == receiver && (opcode < 0 || t->h.bth.opcode == opcode);
}

unsigned int trace_count(const struct trace *t, int receiver, int opcode)
{
	unsigned int i, n = 0;

	for (i = 0; i < t->n; i++)
		n += is_wanted(&t->packet[i], receiver, opcode);
	return n;
}

const struct traced *trace_find(const struct trace *t, int receiver, int opcode,
				unsigned int from)
{
	unsigned int i;

	for (i = from; i < t->n; i++)
		if (is_wanted(&t->packet[i], receiver, opcode))
			return &t->packet[i];
	return NULL;
}

unsigned int trace_count_kind(const struct trace *t, int receiver, u8 kind)
{
	unsigned int i, n = 0;

	for (i = 0; i < t->n; i++) {
		const struct hca_headers *h = &t->packet[i].h;

		n += t->packet[i].receiver == receiver &&
		     hca_opcode_operation(h->bth.opcode) == IB_OPCODE_ACKNOWLEDGE &&
		     (h->aeth.syndrome & HCA_SYNDROME_KIND) == kind;
	}
	return n;
}

static int most_outstanding(const struct trace *t)
{
	int outstanding = 0, most = 0;
	unsigned int i;

	for (i = 0; i < t->n; i++) {
		outstanding += t->packet[i].receiver ? 1 : -1;
		most = outstanding > most ? outstanding : most;
	}
	return most;
}

static void post_many(struct pair *pair, int n, trace_compose compose)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	int i;

	for (i = 0; i < n; i++) {
		compose(a, b, i);
		a->qp->sq.ring->producer += i < n - 1;
	}
	pair_post(a);
	pair_settle();
}

void trace_expect_depth(struct trace *trace, struct pair *pair, int depth, trace_compose compose)
{
	struct pair_end *a = &pair->end[0];
	int i;

	hca_qp_eec(a->qp)->attr.max_rd_atomic = depth;
	post_many(pair, 40, compose);
	for (i = 0; i < 40; i++)
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
	ck_assert_int_le(most_outstanding(trace), depth);
}

int trace_exceed_depth(struct pair *pair, trace_compose compose)
{
	struct pair_end *a = &pair->end[0];
	struct hca_cqe cqe;
	int i;

	hca_qp_eec(pair->end[1].qp)->attr.max_dest_rd_atomic = 1;
	hca_qp_eec(a->qp)->attr.max_rd_atomic = 8;
	post_many(pair, 8, compose);
	for (i = 0; pair_poll(&a->send_cq, &cqe) && !cqe.status; i++)
		;
	ck_assert_uint_eq(cqe.status, IB_WC_REM_INV_REQ_ERR);
	ck_assert_int_lt(i, 8);
	return i;
}

void trace_inject(struct pair *pair, int receiver, const struct hca_headers *h, u32 payload)
{
	struct pair_end *end = &pair->end[receiver];
	struct hca_packet *pkt;

	ck_assert_uint_le(payload, HCA_INLINE_BYTES);
	local_bh_disable();
	pkt = hca_packet_alloc(&pair->end[!receiver].ca.pool);
	pkt->h = *h;
	pkt->payload_length = payload;
	memset(pkt->data, h->bth.psn, payload);
	hca_transport_receive(&end->ports[1], pkt);
	hca_engine_run();
	local_bh_enable();
	pair_settle();
}
