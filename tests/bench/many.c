// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The time of an RDMA Write of 64 octets by many active queue pairs. Each of them in turn sends one
 * Write, which is completed before the next one begins. Both ends are in this process.
 *
 * usage: many DEVICE DEVICE QPS TIMES
 * Prints `NANOSECONDS`, the time of one Write, of TIMES, after a round that does not count.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <infiniband/verbs.h>
#include "device.h"

#define OCTETS 64

struct end {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	struct ibv_qp **qp;
	uint16_t lid;
	char memory[OCTETS];
};

static void open_end(struct end *end, const char *name, int qps)
{
	struct ibv_port_attr port;

	end->context = open_device(name);
	end->pd = ibv_alloc_pd(end->context);
	end->cq = ibv_create_cq(end->context, 16, NULL, NULL, 0);
	end->qp = calloc(qps, sizeof(*end->qp));
	if (!end->pd || !end->cq || !end->qp || ibv_query_port(end->context, 1, &port))
		err(1, "%s", name);
	end->mr = ibv_reg_mr(end->pd, end->memory, OCTETS,
			     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	if (!end->mr)
		err(1, "ibv_reg_mr");
	end->lid = port.lid;
}

static struct ibv_qp *make(struct end *end)
{
	struct ibv_qp_init_attr init = {
		.send_cq = end->cq,
		.recv_cq = end->cq,
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 4, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
	};
	struct ibv_qp *qp = ibv_create_qp(end->pd, &init);

	if (!qp)
		err(1, "no queue pair");
	return qp;
}

static void connect_to(struct ibv_qp *qp, uint32_t qpn, uint16_t lid)
{
	struct ibv_qp_attr init = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};
	struct ibv_qp_attr receive = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_4096,
		.dest_qp_num = qpn,
		.ah_attr = { .dlid = lid, .port_num = 1 },
	};
	struct ibv_qp_attr send = { .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7 };

	if (ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
			  IBV_QP_ACCESS_FLAGS))
		err(1, "to Init");
	if (ibv_modify_qp(qp, &receive, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
			  IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
			  IBV_QP_MIN_RNR_TIMER))
		err(1, "to RTR");
	if (ibv_modify_qp(qp, &send, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT |
			  IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC))
		err(1, "to RTS");
}

static void write_once(struct end *from, int i, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;
	struct ibv_wc wc;
	int n;

	if (ibv_post_send(from->qp[i], wr, &bad))
		err(1, "ibv_post_send");
	while (!(n = ibv_poll_cq(from->cq, 1, &wc)))
		;
	if (n < 0 || wc.status)
		errx(1, "queue pair %d: %s", i, n < 0 ? "no completion" : ibv_wc_status_str(wc.status));
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	static struct end from, to;
	struct ibv_send_wr wr = { .opcode = IBV_WR_RDMA_WRITE, .num_sge = 1,
				  .send_flags = IBV_SEND_SIGNALED };
	struct ibv_sge sge = { .length = OCTETS };
	int i, qps, times;
	double begin;

	if (argc != 5)
		errx(2, "usage: many DEVICE DEVICE QPS TIMES");
	qps = atoi(argv[3]);
	times = atoi(argv[4]);
	if (qps < 1 || times < 1)
		errx(2, "QPS and TIMES are numbers above 0");
	open_end(&from, argv[1], qps);
	open_end(&to, argv[2], qps);
	for (i = 0; i < qps; i++) {
		from.qp[i] = make(&from);
		to.qp[i] = make(&to);
		connect_to(from.qp[i], to.qp[i]->qp_num, to.lid);
		connect_to(to.qp[i], from.qp[i]->qp_num, from.lid);
	}
	sge.addr = (uintptr_t)from.memory;
	sge.lkey = from.mr->lkey;
	wr.sg_list = &sge;
	wr.wr.rdma.remote_addr = (uintptr_t)to.memory;
	wr.wr.rdma.rkey = to.mr->rkey;
	for (i = 0; i < qps; i++)
		write_once(&from, i, &wr);
	begin = now();
	for (i = 0; i < times; i++)
		write_once(&from, i % qps, &wr);
	printf("%.1f\n", (now() - begin) / times);
	return 0;
}
