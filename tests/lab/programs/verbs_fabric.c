// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_fabric PATHS ROUNDS SIZE DEVICE DEVICE...
 *        verbs_fabric PATHS ROUNDS SIZE around STEP DEVICE DEVICE...
 * Connects each device with each other one, reliably, and has all write SIZE octets to all at once,
 * ROUNDS times, and then all but the first to the first (incast). Each message is compared.
 *
 * around: connects each device with the one that is STEP further on in the list, which begins again
 * at its end, unreliably, has each send ROUNDS messages there, and prints how many arrive. All are
 * posted in state SQD, so that there is no time in which a sender has nothing to send.
 *
 * PATHS has lines `SLID DLID SL`, in decimal, for pairs of base LIDs whose path has a service level
 * of its own; "-" stands for none. Ports of several LIDs use a different one for each connection.
 */
#include "verbs_lab.h"
#include <arpa/inet.h>

#define MAX_ENDS 16
#define CQ_ENTRIES 8192

/* Attributes of reliable connections alone. */
#define TO_ANSWER (IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)
#define TO_ASK                                                                                     \
	(IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC)
#define CONNECTION_MS 120000
#define LOST_MS 6000 /* a message is lost that has not come so long after another one */

struct end {
	const char *name;
	struct ibv_context *context;
	struct ibv_port_attr port;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	uint8_t *memory; /* what is sent to each of the others, and what they have sent */
	struct ibv_qp *qp[MAX_ENDS];
};

static struct end ends[MAX_ENDS];
static unsigned int num_ends;
static uint32_t size;
static enum ibv_qp_type type = IBV_QPT_RC;
static unsigned int depth = 4; /* of each queue */

static uint8_t *outgoing(const struct end *end, unsigned int to)
{
	return end->memory + (size_t)to * size;
}

static uint8_t *incoming(const struct end *end, unsigned int from)
{
	return end->memory + (size_t)(MAX_ENDS + from) * size;
}

static void end_open(struct end *end, const char *name)
{
	end->name = name;
	end->context = must_open(name);
	end->memory = calloc(2 * MAX_ENDS, size);
	end->pd = ibv_alloc_pd(end->context);
	end->cq = ibv_create_cq(end->context, CQ_ENTRIES, NULL, NULL, 0);
	if (!expect_made(end->pd, "alloc_pd") || !expect_made(end->cq, "create_cq") ||
	    !expect_made(end->memory, "memory") ||
	    !expect_ok(ibv_query_port(end->context, 1, &end->port), "query_port") ||
	    !expect(end->port.state == IBV_PORT_ACTIVE, "%s is not Active", name))
		give_up("open a device");
	end->mr = ibv_reg_mr(end->pd, end->memory, 2ull * MAX_ENDS * size,
			     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	if (!expect_made(end->mr, "reg_mr"))
		give_up("register memory");
}

static struct ibv_qp *qp_new(struct end *end)
{
	struct ibv_qp_init_attr init = {
		.send_cq = end->cq, .recv_cq = end->cq, .qp_type = type, .sq_sig_all = 1,
		.cap = { .max_send_wr = depth, .max_recv_wr = depth, .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT, .port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};
	struct ibv_qp *qp = ibv_create_qp(end->pd, &init);

	if (!expect_made(qp, "create_qp") ||
	    !expect_ok(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				     IBV_QP_ACCESS_FLAGS), "INIT"))
		give_up("make a queue pair");
	return qp;
}

/* The service level of a path, which PATHS has, or 0. */
static uint8_t level_of(FILE *paths, unsigned int slid, unsigned int dlid)
{
	unsigned int from, to, level;

	if (!paths)
		return 0;
	rewind(paths);
	while (fscanf(paths, "%u %u %u", &from, &to, &level) == 3)
		if (from == slid && to == dlid)
			return level;
	expect(false, "PATHS has none from %u to %u", slid, dlid);
	give_up("find a path");
}

static void qp_connect(FILE *paths, unsigned int from, unsigned int to)
{
	const struct end *end = &ends[from], *peer = &ends[to];
	unsigned int bits = (from + to) & ((1u << peer->port.lmc) - 1);
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_2048, .min_rnr_timer = 6,
		.dest_qp_num = peer->qp[from]->qp_num,
		.ah_attr = { .dlid = peer->port.lid + bits, .src_path_bits = bits, .port_num = 1,
			     .sl = level_of(paths, end->port.lid, peer->port.lid) },
	};

	if (!expect_ok(ibv_modify_qp(end->qp[to], &attr,
				     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				     IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				     (type == IBV_QPT_RC ? TO_ANSWER : 0)), "RTR"))
		give_up("connect");
	attr = (struct ibv_qp_attr){
		.qp_state = IBV_QPS_RTS, .timeout = 17, .retry_cnt = 7, .rnr_retry = 7,
	};
	if (!expect_ok(ibv_modify_qp(end->qp[to], &attr,
				     IBV_QP_STATE | IBV_QP_SQ_PSN |
				     (type == IBV_QPT_RC ? TO_ASK : 0)), "RTS"))
		give_up("connect");
}

static void connect_all(FILE *paths)
{
	unsigned int i, j;

	for (i = 0; i < num_ends; i++)
		for (j = 0; j < num_ends; j++)
			if (i != j)
				ends[i].qp[j] = qp_new(&ends[i]);
	for (i = 0; i < num_ends; i++)
		for (j = 0; j < num_ends; j++)
			if (i != j)
				qp_connect(paths, i, j);
}

static uint8_t octet(unsigned int from, unsigned int to, unsigned int round, uint32_t at)
{
	return from * 31 + to * 7 + round * 13 + at + (at >> 8);
}

static void post(unsigned int from, unsigned int to, unsigned int round)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)outgoing(&ends[from], to), .length = size,
		.lkey = ends[from].mr->lkey,
	};
	struct ibv_send_wr wr = {
		.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
		.wr.rdma = { .remote_addr = (uintptr_t)incoming(&ends[to], from),
			     .rkey = ends[to].mr->rkey },
	}, *bad_wr;
	struct ibv_recv_wr recv = {}, *bad_recv;
	uint32_t i;

	for (i = 0; i < size; i++)
		outgoing(&ends[from], to)[i] = octet(from, to, round, i);
	memset(incoming(&ends[to], from), 0, size);
	expect_ok(ibv_post_recv(ends[to].qp[from], &recv, &bad_recv), "post_recv");
	expect_ok(ibv_post_send(ends[from].qp[to], &wr, &bad_wr), "post_send");
}

/* Waits for @left completions at all ends, which come in any order. */
static void await(unsigned int left)
{
	uint64_t deadline = now_ms() + CONNECTION_MS;
	unsigned int i, before;
	struct ibv_wc wc;

	while (left && now_ms() < deadline) {
		before = left;
		for (i = 0; i < num_ends; i++)
			while (left && ibv_poll_cq(ends[i].cq, 1, &wc) == 1) {
				expect(wc.status == IBV_WC_SUCCESS, "%s: %s", ends[i].name,
				       ibv_wc_status_str(wc.status));
				left--;
			}
		if (left == before)
			usleep(200);
	}
	expect(!left, "%u completions are missing", left);
}

static void compare(unsigned int from, unsigned int to, unsigned int round)
{
	const uint8_t *got = incoming(&ends[to], from);
	uint32_t i;

	for (i = 0; i < size && got[i] == octet(from, to, round, i); i++)
		;
	expect(i == size, "from %s to %s: octet %u is wrong", ends[from].name, ends[to].name, i);
}

/* All send to those before @receivers, at once. */
static void exchange(unsigned int receivers, unsigned int round)
{
	unsigned int from, to, messages = 0;

	for (from = 0; from < num_ends; from++)
		for (to = 0; to < receivers; to++)
			if (from != to) {
				post(from, to, round);
				messages++;
			}
	await(2 * messages);
	for (from = 0; from < num_ends; from++)
		for (to = 0; to < receivers; to++)
			if (from != to)
				compare(from, to, round);
}

/* The device that is @step further on. */
static unsigned int onward(unsigned int from, unsigned int step)
{
	return (from + step) % num_ends;
}

static void connect_around(FILE *paths, unsigned int step)
{
	unsigned int i;

	for (i = 0; i < num_ends; i++) {
		ends[i].qp[onward(i, step)] = qp_new(&ends[i]);
		ends[onward(i, step)].qp[i] = qp_new(&ends[onward(i, step)]);
	}
	for (i = 0; i < num_ends; i++) {
		qp_connect(paths, i, onward(i, step));
		qp_connect(paths, onward(i, step), i);
	}
}

/* Posts the message of this number, and a receive request for one. */
static void post_numbered(unsigned int from, unsigned int to, unsigned int number)
{
	struct ibv_sge in = {
		.addr = (uintptr_t)incoming(&ends[to], from), .length = size,
		.lkey = ends[to].mr->lkey,
	}, out = {
		.addr = (uintptr_t)outgoing(&ends[from], to), .length = size,
		.lkey = ends[from].mr->lkey,
	};
	struct ibv_recv_wr recv = { .sg_list = &in, .num_sge = 1 }, *bad_recv;
	struct ibv_send_wr wr = {
		.sg_list = &out, .num_sge = 1, .opcode = IBV_WR_SEND_WITH_IMM,
		.imm_data = htonl(number),
	}, *bad_wr;

	expect_ok(ibv_post_recv(ends[to].qp[from], &recv, &bad_recv), "post_recv");
	expect_ok(ibv_post_send(ends[from].qp[to], &wr, &bad_wr), "post_send");
}

/* Polls an end. @next: the least number of its next message. Return: the messages received. */
static unsigned int poll_numbered(struct end *end, uint32_t *next)
{
	unsigned int received = 0;
	struct ibv_wc wc;

	while (ibv_poll_cq(end->cq, 1, &wc) == 1) {
		expect(wc.status == IBV_WC_SUCCESS, "%s: %s", end->name,
		       ibv_wc_status_str(wc.status));
		if (!(wc.opcode & IBV_WC_RECV))
			continue;
		expect(ntohl(wc.imm_data) >= *next && wc.byte_len == size,
		       "%s: message %u comes after %u, with %u octets", end->name,
		       ntohl(wc.imm_data), *next, wc.byte_len);
		*next = ntohl(wc.imm_data) + 1;
		received++;
	}
	return received;
}

/* Waits for messages until all have come, or none comes any more. Return: their number. */
static unsigned int receive_numbered(unsigned int sent)
{
	unsigned int i, some, received = 0;
	uint32_t next[MAX_ENDS] = {};
	uint64_t last = now_ms();

	while (received < sent && now_ms() < last + LOST_MS) {
		for (some = i = 0; i < num_ends; i++)
			some += poll_numbered(&ends[i], &next[i]);
		received += some;
		if (some)
			last = now_ms();
		else
			usleep(200);
	}
	return received;
}

static void senders_to(enum ibv_qp_state state, unsigned int step)
{
	struct ibv_qp_attr attr = { .qp_state = state };
	unsigned int i;

	for (i = 0; i < num_ends; i++)
		expect_ok(ibv_modify_qp(ends[i].qp[onward(i, step)], &attr, IBV_QP_STATE),
			  "SQD or RTS");
}

static void around(FILE *paths, unsigned int rounds, unsigned int step)
{
	unsigned int i, number;

	connect_around(paths, step);
	senders_to(IBV_QPS_SQD, step);
	for (number = 0; number < rounds; number++)
		for (i = 0; i < num_ends; i++)
			post_numbered(i, onward(i, step), number);
	senders_to(IBV_QPS_RTS, step);
	printf("received %u of %u\n", receive_numbered(num_ends * rounds), num_ends * rounds);
	verdict("%u adapters, each %u times %u octets to the one %u further", num_ends, rounds, size,
		step);
}

static void each_to_each(FILE *paths, unsigned int rounds)
{
	unsigned int round;

	connect_all(paths);
	for (round = 0; round < rounds; round++)
		exchange(num_ends, round);
	verdict("%u adapters, each to each other one, %u times %u octets", num_ends, rounds, size);
	for (round = 0; round < rounds; round++)
		exchange(1, round);
	verdict("... and all to one of them");
}

int main(int argc, char **argv)
{
	unsigned int rounds, step = 0;
	FILE *paths = NULL;
	int i = 4;

	if (argc > 5 && !strcmp(argv[4], "around")) {
		step = atoi(argv[5]);
		i = 6;
	}
	if (argc < i + 2 || argc - i > MAX_ENDS) {
		fprintf(stderr, "usage: verbs_fabric PATHS ROUNDS SIZE [around STEP] DEVICE DEVICE...\n");
		return 2;
	}
	if (strcmp(argv[1], "-") && !(paths = fopen(argv[1], "r")))
		give_up("open PATHS");
	rounds = atoi(argv[2]);
	size = atoi(argv[3]);
	while (i < argc)
		end_open(&ends[num_ends++], argv[i++]);
	if (step) {
		type = IBV_QPT_UC;
		depth = rounds;
		around(paths, rounds, step);
	} else {
		each_to_each(paths, rounds);
	}
	return lab_status();
}
