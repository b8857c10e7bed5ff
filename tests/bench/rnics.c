// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The time of an RDMA Write of 64 octets by many connections of rdma_cm between this process and
 * itself: by one of them, by 100, and by all in turn, while the others are idle. Each Write is
 * completed before the next one begins.
 *
 * usage: rnics ADDRESS CONNECTIONS TIMES
 * Prints lines `write-64-active-ACTIVE-of-CONNECTIONS NANOSECONDS`, the time of one Write of TIMES,
 * after rounds that do not count: TCP acknowledges each of the first segments of a connection at
 * once.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <rdma/rdma_cma.h>

#define OCTETS 64
#define PORT 7302
#define RESOLVE_MS 10000
#define FIRST_ROUNDS 20
#define SOME 100 /* connections of many that are active */

static struct rdma_event_channel *channel;
static struct sockaddr_in address = { .sin_family = AF_INET };
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_mr *mr;
static char memory[2 * OCTETS]; /* the source, and what is written */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* All queue pairs share their completion queue. */
static void create_qp(struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = 4, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};

	if (!pd) {
		pd = ibv_alloc_pd(id->verbs);
		cq = ibv_create_cq(id->verbs, 16, NULL, NULL, 0);
		mr = pd ? ibv_reg_mr(pd, memory, sizeof(memory),
				     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE) : NULL;
		if (!cq || !mr)
			err(1, "resources");
	}
	init.send_cq = cq;
	init.recv_cq = cq;
	if (rdma_create_qp(id, pd, &init))
		err(1, "rdma_create_qp");
}

/* Do what an event asks for. Return: the event. */
static enum rdma_cm_event_type next_event(void)
{
	struct rdma_conn_param param = { 0 };
	enum rdma_cm_event_type type;
	struct rdma_cm_event *event;
	struct rdma_cm_id *id;
	int status;

	if (rdma_get_cm_event(channel, &event))
		err(1, "rdma_get_cm_event");
	type = event->event;
	status = event->status;
	id = event->id;
	rdma_ack_cm_event(event);
	if (status)
		errx(1, "%s: %d", rdma_event_str(type), status);
	if (type == RDMA_CM_EVENT_ADDR_RESOLVED && rdma_resolve_route(id, RESOLVE_MS))
		err(1, "rdma_resolve_route");
	if (type == RDMA_CM_EVENT_ROUTE_RESOLVED || type == RDMA_CM_EVENT_CONNECT_REQUEST)
		create_qp(id);
	if (type == RDMA_CM_EVENT_ROUTE_RESOLVED && rdma_connect(id, &param))
		err(1, "rdma_connect");
	if (type == RDMA_CM_EVENT_CONNECT_REQUEST && rdma_accept(id, &param))
		err(1, "rdma_accept");
	return type;
}

static void listen_here(void)
{
	struct rdma_cm_id *id;

	if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) ||
	    rdma_bind_addr(id, (struct sockaddr *)&address) || rdma_listen(id, 16))
		err(1, "listen");
}

static struct rdma_cm_id *connected(void)
{
	struct rdma_cm_id *id;
	int established = 0;

	if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) ||
	    rdma_resolve_addr(id, NULL, (struct sockaddr *)&address, RESOLVE_MS))
		err(1, "rdma_resolve_addr");
	while (established < 2)
		established += next_event() == RDMA_CM_EVENT_ESTABLISHED;
	return id;
}

static void write_once(struct rdma_cm_id *id)
{
	struct ibv_sge sge = { (uintptr_t)memory, OCTETS, mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.opcode = IBV_WR_RDMA_WRITE,
		.sg_list = &sge,
		.num_sge = 1,
		.wr.rdma = { (uintptr_t)memory + OCTETS, mr->rkey },
	};
	struct ibv_wc wc;
	int n;

	if (ibv_post_send(id->qp, &wr, &bad))
		err(1, "ibv_post_send");
	while (!(n = ibv_poll_cq(cq, 1, &wc)))
		;
	if (n < 0 || wc.status)
		errx(1, "%s", n < 0 ? "no completion" : ibv_wc_status_str(wc.status));
}

static void measure(struct rdma_cm_id **id, int active, int connections, int times)
{
	double begin;
	int i;

	for (i = 0; i < FIRST_ROUNDS * active; i++)
		write_once(id[i % active]);
	begin = now();
	for (i = 0; i < times; i++)
		write_once(id[i % active]);
	printf("write-64-active-%d-of-%d %.1f\n", active, connections, (now() - begin) / times);
}

int main(int argc, char **argv)
{
	struct rlimit files = { 65536, 65536 };
	struct rdma_cm_id **id;
	int i, connections, times;

	if (argc != 4 || inet_pton(AF_INET, argv[1], &address.sin_addr) != 1)
		errx(2, "usage: rnics ADDRESS CONNECTIONS TIMES");
	connections = atoi(argv[2]);
	times = atoi(argv[3]);
	if (connections <= SOME || times < 1)
		errx(2, "CONNECTIONS is a number above %d, TIMES one above 0", SOME);
	address.sin_port = htons(PORT);
	id = calloc(connections, sizeof(*id));
	channel = rdma_create_event_channel();
	if (!id || !channel || setrlimit(RLIMIT_NOFILE, &files))
		err(1, "rdma_create_event_channel");
	listen_here();
	for (i = 0; i < connections; i++)
		id[i] = connected();
	measure(id, 1, connections, times);
	measure(id, SOME, connections, times);
	measure(id, connections, connections, times);
	return 0;
}
