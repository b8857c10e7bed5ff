// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_waits DEVICE DEVICE
 * Makes an object of each type. The queue pair of the first device sends a message for which the
 * other one has no receive request. Prints what the verbs say of them, as JSON, and waits to be
 * killed. Runs in the guest with Active ports.
 */
#include "verbs_pair.h"

#define POSTED 3
#define LIMIT 2

static struct pair pair;

static struct ibv_srq *make_srq(void)
{
	struct ibv_srq_init_attr init = {
		.attr = { .max_wr = 10, .max_sge = 1, .srq_limit = LIMIT },
	};
	struct ibv_srq *srq = ibv_create_srq(pair.a.pd, &init);
	struct ibv_sge sge = sge_of(&pair.a, 0, 100);
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;
	int i;

	for (i = 0; srq && i < POSTED; i++)
		expect_ok(ibv_post_srq_recv(srq, &wr, &bad), "post_srq_recv");
	return srq;
}

/* A window of which the connection's first request has bound 1,000 octets. */
static struct ibv_mw *make_window(struct ibv_mr *mr)
{
	struct ibv_mw_bind bind = {
		.wr_id = 1,
		.send_flags = IBV_SEND_SIGNALED,
		.bind_info = {
			.mr = mr,
			.addr = (uintptr_t)mr->addr,
			.length = 1000,
			.mw_access_flags = IBV_ACCESS_REMOTE_READ,
		},
	};
	struct ibv_mw *mw = ibv_alloc_mw(pair.a.pd, IBV_MW_TYPE_1);
	struct ibv_wc wc;

	if (!mw || ibv_bind_mw(pair.a.qp, mw, &bind) ||
	    !expect(collect(pair.a.send_cq, &wc, 1, 5000) == 1 && !wc.status, "bind_mw"))
		give_up("a window");
	return mw;
}

static void print_query(const struct ibv_mr *mr, const struct ibv_mw *mw)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (ibv_query_qp(pair.a.qp, &attr, IBV_QP_STATE, &init))
		give_up("query_qp");
	printf("{\"qpn\":%u,\"peer_qpn\":%u,\"peer_lid\":%u,\"port\":%u,\"path_mtu\":%u,"
	       "\"retry_cnt\":%u,\"rnr_retry\":%u,\"max_reads\":%u,\"sq_entries\":%u,"
	       "\"rq_entries\":%u,\"qp_state\":%d,\"peer\":%u,\"mr_key\":%u,\"mr_length\":%zu,"
	       "\"mw_key\":%u,\"mw_length\":1000,\"posted\":%d,\"limit\":%d,\"cqe\":%d}\n",
	       pair.a.qp->qp_num, attr.dest_qp_num, attr.ah_attr.dlid, attr.port_num,
	       128u << attr.path_mtu, attr.retry_cnt, attr.rnr_retry, attr.max_rd_atomic,
	       init.cap.max_send_wr, init.cap.max_recv_wr, attr.qp_state, pair.b.qp->qp_num,
	       mr->rkey, mr->length, mw->rkey, POSTED, LIMIT, pair.a.recv_cq->cqe);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct setup setup = default_setup;
	struct ibv_mr *mr;
	struct ibv_mw *mw;

	setup.rnr_timer = 31; /* 491.52 ms */
	setup.timeout = 20; /* 4.29 s */
	setup.retries = 3;
	pair_open(&pair, argc, argv);
	mr = ibv_reg_mr(pair.a.pd, pair.a.memory, 10000, ALL_RIGHTS | IBV_ACCESS_MW_BIND);
	if (!mr || !make_srq() || !pair_connect(&pair, &setup))
		give_up("objects");
	mw = make_window(mr);
	if (!post_send(&pair.a, 2, 0, 100) || ibv_req_notify_cq(pair.a.recv_cq, 0))
		give_up("a message");
	print_query(mr, mw);
	pause();
	return EXIT_FAILURE;
}
