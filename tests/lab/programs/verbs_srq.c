// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_srq [DEVICE [DEVICE]]
 * Checks shared receive queues: the object, posting, which queue pair takes which request, the
 * limit, and the end of one of several queue pairs. Runs in the guest with Active ports.
 */
#include "verbs_srq.h"

/* --- the object ------------------------------------------------------------------------------- */

static const struct size {
	const char *what;
	uint32_t wr, sge, limit; /* added to the device's limits where not 0 */
	int error;
} sizes[] = {
	{ "as many entries as there may be", 0, 1, 0, 0 },
	{ "one entry more", 1, 1, 0, EINVAL },
	{ "as many SGEs as there may be", 16, 0, 0, 0 },
	{ "one SGE more", 16, ~0u, 0, EINVAL },
	{ "a limit as large as the queue", 16, 1, 16, 0 },
	{ "a limit above that", 16, 1, 17, EINVAL },
};

static void created(void)
{
	struct ibv_srq *srq;
	unsigned int i;

	for (i = 0; i < COUNT(sizes); i++) {
		const struct size *s = &sizes[i];
		uint32_t wr = s->wr > 1 ? s->wr : limits.max_srq_wr + s->wr;
		uint32_t sge = s->sge == ~0u ? limits.max_srq_sge + 1u :
			       s->sge	     ? s->sge :
					       (uint32_t)limits.max_srq_sge;

		srq = srq_create(pair.b.pd, wr, sge, s->limit);
		if (s->error)
			expect_refused(srq, s->error, s->what);
		else if (expect_made(srq, s->what))
			expect_limit(srq, s->limit);
		if (srq)
			expect_ok(ibv_destroy_srq(srq), "destroy_srq");
		verdict("create_srq: %s (R0-487, R0-238, R0-031, R0-032, R0-488)", s->what);
	}
	expect(limits.max_srq > 0, "max_srq is %d", limits.max_srq);
	expect_refused(srq_create(pair.b.pd, 0, 1, 0), EINVAL, "no entries");
	verdict("create_srq: no entries (R0-214, R0-051, R0-053)");
}

static void modified(void)
{
	struct ibv_srq *srq = srq_create(pair.b.pd, ENTRIES, 1, 5);

	if (expect_made(srq, "create_srq")) {
		expect_error(arm(srq, ENTRIES + 1), EINVAL, "a limit above the size");
		expect_limit(srq, 5);
		expect_ok(arm(srq, 0), "disarm");
		expect_limit(srq, 0);
		expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	}
	verdict("modify_srq: the limit, within the size (R0-489, R0-238)");
}

static void kept(void)
{
	struct ibv_pd *pd = ibv_alloc_pd(pair.b.context);
	struct ibv_qp_init_attr init = {
		.send_cq = pair.b.send_cq,
		.recv_cq = pair.b.recv_cq,
		.cap = { .max_send_wr = 1, .max_recv_wr = 1u << 30, .max_recv_sge = 1u << 30 },
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_recv_wr wr = {}, *bad;
	struct ibv_qp *qp = NULL;

	init.srq = srq_create(pd, ENTRIES, 1, 0);
	if (expect_made(init.srq, "create_srq"))
		qp = ibv_create_qp(pd, &init);
	if (expect_made(qp, "create_qp")) {
		expect_value(init.cap.max_recv_wr, 0, "max_recv_wr");
		expect_ok(to_init(qp, &default_setup), "to INIT");
		expect_error(ibv_post_recv(qp, &wr, &bad), EINVAL, "post_recv");
		expect(bad == &wr, "another request is bad");
	}
	verdict("a queue pair with an SRQ has no receive queue (R0-213, R0-220)");

	if (qp) {
		expect_error(ibv_destroy_srq(init.srq), EBUSY, "destroy_srq while used");
		expect_ok(ibv_post_srq_recv(init.srq, &wr, &bad), "post_srq_recv");
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
		expect_error(ibv_dealloc_pd(pd), EBUSY, "dealloc_pd while there is an SRQ");
		expect_ok(ibv_destroy_srq(init.srq), "destroy_srq with a request in it");
	}
	expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	verdict("what is used is kept; requests keep nothing (R0-218, R0-211)");
}

/* --- posting ---------------------------------------------------------------------------------- */

static void posting(void)
{
	struct ibv_srq *srq = srq_create(pair.b.pd, ENTRIES, 2, 0);
	struct ibv_srq_attr attr;
	struct ibv_sge sge[3] = {};
	struct ibv_recv_wr wr[3] = {}, *bad = NULL;
	unsigned int i;

	if (!expect_made(srq, "create_srq") || !expect_ok(ibv_query_srq(srq, &attr), "query_srq"))
		goto out;
	wr[0].next = &wr[1];
	wr[1].next = &wr[2];
	wr[1].sg_list = sge;
	wr[1].num_sge = attr.max_sge + 1;
	expect_error(ibv_post_srq_recv(srq, wr, &bad), EINVAL, "too many SGEs");
	expect(bad == &wr[1], "another request is bad");
	wr[0].next = NULL;
	for (i = 1; i < attr.max_wr; i++)
		expect_ok(ibv_post_srq_recv(srq, wr, &bad), "post_srq_recv");
	expect_error(ibv_post_srq_recv(srq, wr, &bad), ENOMEM, "one more than there are entries");
	expect(bad == wr, "another request is bad");
	expect_ok(ibv_destroy_srq(srq), "destroy_srq");
out:
	verdict("posting: the first bad one is named, those before it stay, no overflow (R0-221, R0-504)");
}

/* --- several queue pairs ---------------------------------------------------------------------- */

static void shared(void)
{
	unsigned int i;

	if (join(&default_setup, USERS, 0))
		for (i = 0; i < 100 && !lab_reason[0]; i++) {
			post_recv(&pair.b, i, DEST, 100);
			message(i * 7 / 3 % USERS, i);
		}
	part();
	verdict("4 queue pairs: whoever needs a request takes the next (R0-210, R0-227, R0-228)");
}

static void datagrams(void)
{
	struct setup setup = default_setup;
	struct ibv_ah_attr path = path_to(&pair.b, false);
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 100);
	struct ibv_send_wr wr = send_wr(1, &sge);
	struct ibv_ah *ah = ibv_create_ah(pair.a.pd, &path);
	struct ibv_wc wc;
	unsigned int i;

	setup.type = IBV_QPT_UD;
	expect_made(ah, "create_ah");
	if (join(&setup, 2, 0) && ah)
		for (i = 0; i < 10; i++) {
			post_recv(&pair.b, i, DEST, 140);
			wr.wr.ud.ah = ah;
			wr.wr.ud.remote_qpn = to[i & 1]->qp_num;
			wr.wr.ud.remote_qkey = QKEY;
			pair.a.qp = from[0];
			post_wr(&pair.a, &wr);
			completes(pair.b.recv_cq, i, IBV_WC_SUCCESS, &wc);
			expect_value(wc.qp_num, to[i & 1]->qp_num, "qp_num");
		}
	part();
	if (ah)
		expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	verdict("two UD queue pairs receive from one queue (R0-210)");
}

static void not_ready(void)
{
	struct setup setup = default_setup;
	struct ibv_wc wc;

	if (join(&setup, 1, 0)) {
		post_send(&pair.a, 1, SOURCE, 100);
		silent(pair.a.send_cq, "a message for which there is no request");
		post_recv(&pair.b, 2, DEST, 100);
		completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
		completes(pair.a.send_cq, 1, IBV_WC_SUCCESS, &wc);
	}
	part();
	setup.rnr_retries = 0;
	if (join(&setup, 1, 0)) {
		post_send(&pair.a, 1, SOURCE, 100);
		completes(pair.a.send_cq, 1, IBV_WC_RNR_RETRY_EXC_ERR, &wc);
	}
	part();
	verdict("an empty queue is a receiver that is not ready (R0-229)");
}

/* SRQ and queue pair belong to different protection domains; there is a buffer in each. */
static void domains(void)
{
	struct ibv_pd *own = pair.b.pd, *other = ibv_alloc_pd(pair.b.context);
	struct ibv_mr *mr = ibv_reg_mr(other, pair.b.memory, MR_LENGTH, ALL_RIGHTS);
	struct ibv_sge sge = sge_of(&pair.b, DEST, 100);
	struct ibv_recv_wr wr = { .wr_id = 8, .sg_list = &sge, .num_sge = 1 }, *bad;
	struct ibv_wc wc;

	expect_made(mr, "reg_mr");
	pair.b.srq = srq_create(other, ENTRIES, 1, 0);
	if (mr && expect_made(pair.b.srq, "create_srq") && pair_connect(&pair, &default_setup)) {
		from[0] = pair.a.qp;
		to[0] = pair.b.qp;
		sge.lkey = mr->lkey;
		expect_ok(ibv_post_srq_recv(pair.b.srq, &wr, &bad), "post_srq_recv");
		message(0, 8);
		sge.lkey = pair.b.mr->lkey;
		expect_ok(ibv_post_srq_recv(pair.b.srq, &wr, &bad), "post_srq_recv");
		post_send(&pair.a, 2, SOURCE, 100);
		completes(pair.b.recv_cq, 8, IBV_WC_LOC_PROT_ERR, &wc);
		completes(pair.a.send_cq, 2, IBV_WC_REM_OP_ERR, &wc);
	}
	pair.b.pd = own;
	part();
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	expect_ok(ibv_dealloc_pd(other), "dealloc_pd");
	verdict("keys are those of the SRQ's protection domain (R0-064)");
}

/* --- events ----------------------------------------------------------------------------------- */

static void limit(void)
{
	unsigned int i;

	if (join(&default_setup, 1, 8)) {
		for (i = 0; i < ENTRIES; i++)
			post_recv(&pair.b, i, DEST, 100);
		for (i = 0; i < 8; i++)
			message(0, i);
		expect_untold("with 8 requests left");
		expect_limit(pair.b.srq, 8);
		message(0, i++);
		expect_event(IBV_EVENT_SRQ_LIMIT_REACHED, pair.b.srq);
		expect_limit(pair.b.srq, 0);
		message(0, i++);
		expect_untold("though it is not armed any more");
		expect_ok(arm(pair.b.srq, 6), "arm");
		expect_ok(arm(pair.b.srq, 6), "arm again");
		expect_untold("with 6 requests left");
		message(0, i++);
		expect_event(IBV_EVENT_SRQ_LIMIT_REACHED, pair.b.srq);
		expect_ok(arm(pair.b.srq, 6), "arm with 5 left");
		expect_event(IBV_EVENT_SRQ_LIMIT_REACHED, pair.b.srq);
		expect_untold("a second time");
	}
	part();
	verdict("SRQ_LIMIT_REACHED: below the limit, once for each arming (R0-236, R0-237, R0-475)");
}

static void one_ends(void)
{
	unsigned int i;

	if (join(&default_setup, 3, 0)) {
		for (i = 0; i < 4; i++)
			post_recv(&pair.b, i, DEST, 100);
		expect_ok(to_error(to[1]), "to ERR");
		expect_event(IBV_EVENT_QP_LAST_WQE_REACHED, to[1]);
		expect_untold("a second time");
		silent(pair.b.recv_cq, "a request that nobody took");
		for (i = 0; i < 4; i++)
			message(i & 2, i);
	}
	part();
	verdict("one in Error: LAST_WQE_REACHED, no request is flushed, others go on (R0-233, R0-235)");
}

int main(int argc, char **argv)
{
	srq_open(argc, argv);
	created();
	modified();
	kept();
	posting();
	shared();
	datagrams();
	not_ready();
	domains();
	limit();
	one_ends();
	pair_close(&pair);
	return lab_status();
}
