// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * How long sending queue pairs to Error occupies the processor with bottom halves disabled, when
 * they have as many posted requests as possible: they are flushed, but not all of them at once.
 *
 * usage: flush DEVICE
 * Prints `flush NANOSECONDS`, the processor time of the longest call. More than 2,000,000, which
 * are instructions in the guest where this runs, are an error.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <infiniband/verbs.h>
#include "device.h"

#define QPS 4
#define ENTRIES 16384
#define LONGEST 2e6

static struct ibv_qp *make(struct ibv_context *context, struct ibv_pd *pd)
{
	struct ibv_cq *cq = ibv_create_cq(context, 2 * ENTRIES, NULL, NULL, 0);
	struct ibv_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = ENTRIES, .max_recv_wr = ENTRIES, .max_send_sge = 1,
			.max_recv_sge = 1 },
	};
	struct ibv_qp *qp = cq ? ibv_create_qp(pd, &init) : NULL;

	if (!qp)
		err(1, "no queue pair");
	return qp;
}

/* To RTS, towards a queue pair that does not exist: nothing is ever acknowledged. */
static void connect_to_nobody(struct ibv_qp *qp)
{
	struct ibv_port_attr port;
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };

	if (ibv_query_port(qp->context, 1, &port))
		err(1, "ibv_query_port");
	if (ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
			  IBV_QP_ACCESS_FLAGS))
		err(1, "to Init");
	attr = (struct ibv_qp_attr){
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = 0xfffff0,
		.ah_attr = { .dlid = port.lid, .port_num = 1 },
	};
	if (ibv_modify_qp(qp, &attr,
			  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				  IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				  IBV_QP_MIN_RNR_TIMER))
		err(1, "to RTR");
	attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS };
	if (ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT |
			  IBV_QP_RETRY_CNT |
					     IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC))
		err(1, "to RTS");
}

static void fill(struct ibv_qp *qp)
{
	struct ibv_send_wr send = { .opcode = IBV_WR_SEND }, *bad_send;
	struct ibv_recv_wr recv = {}, *bad_recv;
	int i;

	for (i = 0; i < ENTRIES; i++)
		if (ibv_post_send(qp, &send, &bad_send) || ibv_post_recv(qp, &recv, &bad_recv))
			errx(1, "request %d cannot be posted", i);
}

/*
 * The processor time of this thread alone: a kernel thread flushes the rest, and may run meanwhile.
 */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	struct ibv_context *context = open_device(argc > 1 ? argv[1] : "hca0");
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_qp_attr error = { .qp_state = IBV_QPS_ERR };
	double longest = 0, begin, elapsed;
	struct ibv_qp *qp[QPS];
	int i;

	if (!pd)
		err(1, "ibv_alloc_pd");
	for (i = 0; i < QPS; i++) {
		qp[i] = make(context, pd);
		connect_to_nobody(qp[i]);
		fill(qp[i]);
	}
	for (i = 0; i < QPS; i++) {
		begin = now();
		if (ibv_modify_qp(qp[i], &error, IBV_QP_STATE))
			err(1, "to Error");
		elapsed = now() - begin;
		if (elapsed > longest)
			longest = elapsed;
	}
	if (longest > LONGEST)
		errx(1, "a call elapsed %.0f ns", longest);
	printf("flush %.1f\n", longest);
	return 0;
}
