// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: rnic ADDRESS
 *
 * The costs of a connection of rdma_cm between two processes of this machine, of which the one at
 * ADDRESS listens. Neither polls while the other one works, as programs of perftest that connect so
 * do. Measures RDMA Writes and Reads with one request a doorbell, Writes with 16 a doorbell, and
 * messages of 8 octets there and back, for which both ends wait by events.
 *
 * Prints lines NAME NANOSECONDS, each a mean of many repetitions.
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

#define PORT "7301"
#define OCTETS 65536
#define MESSAGE 8 /* octets there and back */
#define ROUND_TRIPS 3000
#define REQUESTS 64 /* that are not complete, at most */
#define READS 16
#define LIST 16 /* requests a doorbell, at most */

/* The server's memory, as the client learns of it. */
struct memory {
	uint64_t address;
	uint32_t key;
};

static char data[OCTETS];

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static struct rdma_cm_id *endpoint(const char *address, int flags)
{
	struct rdma_addrinfo hints = { .ai_flags = flags, .ai_port_space = RDMA_PS_TCP }, *info;
	struct ibv_qp_init_attr init = {
		.cap = {
			.max_send_wr = REQUESTS,
			.max_recv_wr = REQUESTS,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.sq_sig_all = 1,
	};
	struct rdma_cm_id *id;

	if (rdma_getaddrinfo(address, PORT, &hints, &info))
		err(1, "rdma_getaddrinfo %s", address);
	if (rdma_create_ep(&id, info, NULL, &init))
		err(1, "rdma_create_ep");
	rdma_freeaddrinfo(info);
	return id;
}

static struct ibv_mr *registered(struct rdma_cm_id *id)
{
	struct ibv_mr *mr = ibv_reg_mr(id->pd, data, sizeof(data), IBV_ACCESS_LOCAL_WRITE |
				       IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);

	if (!mr)
		err(1, "ibv_reg_mr");
	return mr;
}

static void receive(struct rdma_cm_id *id, struct ibv_mr *mr)
{
	if (rdma_post_recv(id, NULL, data, MESSAGE, mr))
		err(1, "rdma_post_recv");
}

static void message_comes(struct rdma_cm_id *id)
{
	struct ibv_wc wc;

	if (rdma_get_recv_comp(id, &wc) != 1 || wc.status)
		errx(1, "receive: %s", ibv_wc_status_str(wc.status));
}

static void request_ends(struct rdma_cm_id *id)
{
	struct ibv_wc wc;
	int num;

	do
		num = ibv_poll_cq(id->send_cq, 1, &wc);
	while (!num);
	if (num != 1 || wc.status)
		errx(1, "request: %s", ibv_wc_status_str(wc.status));
}

static void send_message(struct rdma_cm_id *id, struct ibv_mr *mr)
{
	if (rdma_post_send(id, NULL, data, MESSAGE, mr, 0))
		err(1, "rdma_post_send");
}

/* Write to @to_client when it listens, then the memory; answer messages until @end is closed. */
static void serve(const char *address, int to_client, int end)
{
	struct rdma_conn_param param = { .responder_resources = READS, .initiator_depth = READS };
	struct rdma_cm_id *listener = endpoint(address, RAI_PASSIVE | RAI_NUMERICHOST), *id;
	struct memory memory = { 0 };
	struct ibv_mr *mr;
	int i;

	if (rdma_listen(listener, 1) || write(to_client, "", 1) != 1 ||
	    rdma_get_request(listener, &id))
		err(1, "listen");
	mr = registered(id);
	for (i = 0; i < 2; i++)
		receive(id, mr);
	if (rdma_accept(id, &param))
		err(1, "rdma_accept");
	memory.address = (uintptr_t)data;
	memory.key = mr->rkey;
	if (write(to_client, &memory, sizeof(memory)) != sizeof(memory))
		err(1, "write");
	for (i = 0; i < ROUND_TRIPS; i++) {
		message_comes(id);
		receive(id, mr);
		send_message(id, mr);
		request_ends(id);
	}
	if (read(end, data, 1))
		err(1, "read");
	exit(0);
}

static void post(struct rdma_cm_id *id, struct ibv_mr *mr, const struct memory *to,
		 enum ibv_wr_opcode opcode, size_t size)
{
	int ret = opcode == IBV_WR_RDMA_READ ?
		rdma_post_read(id, NULL, data, size, mr, 0, to->address, to->key) :
		rdma_post_write(id, NULL, data, size, mr, 0, to->address, to->key);

	if (ret)
		err(1, "a request of %zu octets", size);
}

static void measure(struct rdma_cm_id *id, struct ibv_mr *mr, const struct memory *to,
		    enum ibv_wr_opcode opcode, size_t size, int times)
{
	int open = opcode == IBV_WR_RDMA_READ ? READS : REQUESTS, i;
	double begin = now();

	for (i = 0; i < times; i++) {
		if (i >= open)
			request_ends(id);
		post(id, mr, to, opcode, size);
	}
	for (i = 0; i < open; i++)
		request_ends(id);
	printf("%s-%zu %.1f\n", opcode == IBV_WR_RDMA_READ ? "read" : "write", size,
	       (now() - begin) / times);
}

/* The requests of a list are one behind another in memory, as those of programs are. */
static void measure_lists(struct rdma_cm_id *id, struct ibv_mr *mr, const struct memory *to,
			  size_t size, int times)
{
	struct ibv_send_wr wr[LIST] = { 0 }, *bad;
	struct ibv_sge sge[LIST];
	double begin = now();
	int i, j;

	for (i = 0; i < LIST; i++) {
		sge[i] = (struct ibv_sge){ (uintptr_t)data + i * size, size, mr->lkey };
		wr[i].next = i < LIST - 1 ? &wr[i + 1] : NULL;
		wr[i].sg_list = &sge[i];
		wr[i].num_sge = 1;
		wr[i].opcode = IBV_WR_RDMA_WRITE;
		wr[i].wr.rdma.remote_addr = to->address + i * size;
		wr[i].wr.rdma.rkey = to->key;
	}
	for (i = 0; i < times; i++) {
		if (ibv_post_send(id->qp, wr, &bad))
			err(1, "a list");
		for (j = 0; j < LIST; j++)
			request_ends(id);
	}
	printf("write-%zu-list-%d %.1f\n", size, LIST, (now() - begin) / times / LIST);
}

static void measure_round_trips(struct rdma_cm_id *id, struct ibv_mr *mr)
{
	double begin = now();
	int i;

	for (i = 0; i < ROUND_TRIPS; i++) {
		receive(id, mr);
		send_message(id, mr);
		request_ends(id);
		message_comes(id);
	}
	printf("pingpong %.1f\n", (now() - begin) / ROUND_TRIPS);
}

static void measure_all(const char *address, int from_server)
{
	struct rdma_conn_param param = { .responder_resources = READS, .initiator_depth = READS };
	struct rdma_cm_id *id;
	struct memory memory;
	struct ibv_mr *mr;

	if (read(from_server, data, 1) != 1)
		errx(1, "the server does not listen");
	id = endpoint(address, RAI_NUMERICHOST);
	mr = registered(id);
	if (rdma_connect(id, &param))
		err(1, "rdma_connect");
	if (read(from_server, &memory, sizeof(memory)) != sizeof(memory))
		errx(1, "the server has ended");
	measure_round_trips(id, mr);
	measure(id, mr, &memory, IBV_WR_RDMA_WRITE, 64, 5000);
	measure_lists(id, mr, &memory, 64, 500);
	measure(id, mr, &memory, IBV_WR_RDMA_WRITE, OCTETS, 500);
	measure(id, mr, &memory, IBV_WR_RDMA_READ, OCTETS, 500);
}

int main(int argc, char **argv)
{
	int to_client[2], end[2];

	if (argc != 2)
		errx(2, "usage: rnic ADDRESS");
	memset(data, 1, sizeof(data)); /* else all of its pages were the one of zeros */
	if (pipe(to_client) || pipe(end))
		err(1, "pipe");
	switch (fork()) {
	case -1:
		err(1, "fork");
	case 0:
		close(to_client[0]);
		close(end[1]);
		serve(argv[1], to_client[1], end[0]);
	}
	close(to_client[1]);
	close(end[0]);
	measure_all(argv[1], to_client[0]);
	return 0;
}
