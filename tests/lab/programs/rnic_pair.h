/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Two ends in one process that rdma_cm connects: a begins, b accepts. Both may be ends of one
 * device.
 */
#ifndef HCA_TESTS_RNIC_PAIR_H
#define HCA_TESTS_RNIC_PAIR_H

#include "verbs_lab.h"
#include <arpa/inet.h>
#include <poll.h>
#include <rdma/rdma_cma.h>

#define RNIC_OCTETS 65536u /* of each end's memory, in one MR with all rights */
#define RNIC_ENTRIES 16
#define RNIC_RIGHTS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

struct rnic_end {
	struct rdma_cm_id *id;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	uint8_t *memory;
	bool established, disconnected;
};

struct rnic_pair {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *listener;
	struct sockaddr_in from, to; /* the addresses of a and b */
	struct rnic_end a, b;
};

/* Parses two addresses. The port of b is chosen by rdma_cm. */
static inline void rnic_pair_init(struct rnic_pair *pair, const char *from, const char *to)
{
	*pair = (struct rnic_pair){ .from.sin_family = AF_INET, .to.sin_family = AF_INET };
	if (inet_pton(AF_INET, from, &pair->from.sin_addr) != 1 ||
	    inet_pton(AF_INET, to, &pair->to.sin_addr) != 1)
		give_up("two addresses");
	pair->channel = rdma_create_event_channel();
	if (!pair->channel ||
	    rdma_create_id(pair->channel, &pair->listener, NULL, RDMA_PS_TCP) ||
	    rdma_bind_addr(pair->listener, (struct sockaddr *)&pair->to) ||
	    rdma_listen(pair->listener, 1))
		give_up("listen");
	pair->to.sin_port = rdma_get_src_port(pair->listener);
}

static inline struct rnic_end *rnic_end_of(struct rnic_pair *pair, struct rdma_cm_id *id)
{
	return id == pair->a.id ? &pair->a : &pair->b;
}

/* Makes the objects of an end on the device that rdma_cm has found. */
static inline bool rnic_end_make(struct rnic_end *end)
{
	struct ibv_qp_init_attr init = {
		.cap = {
			.max_send_wr = RNIC_ENTRIES,
			.max_recv_wr = RNIC_ENTRIES,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};

	end->pd = ibv_alloc_pd(end->id->verbs);
	end->cq = ibv_create_cq(end->id->verbs, 2 * RNIC_ENTRIES, NULL, NULL, 0);
	end->memory = calloc(1, RNIC_OCTETS);
	if (!expect(end->pd && end->cq && end->memory, "no domain, CQ or memory"))
		return false;
	end->mr = ibv_reg_mr(end->pd, end->memory, RNIC_OCTETS, RNIC_RIGHTS);
	init.send_cq = end->cq;
	init.recv_cq = end->cq;
	return expect_made(end->mr, "reg_mr") &&
	       expect_ok(rdma_create_qp(end->id, end->pd, &init) ? errno : 0, "create_qp");
}

/* Notes what an event says, for each end. Return: the type of the event; -1: none has come. */
static inline int rnic_pair_event(struct rnic_pair *pair)
{
	struct pollfd readable = { .fd = pair->channel->fd, .events = POLLIN };
	struct rdma_cm_event *event;
	struct rnic_end *end;
	int type;

	if (poll(&readable, 1, PATIENCE_MS) != 1 || rdma_get_cm_event(pair->channel, &event))
		return -1;
	type = event->event;
	if (type == RDMA_CM_EVENT_CONNECT_REQUEST)
		pair->b.id = event->id;
	end = rnic_end_of(pair, event->id);
	if (type == RDMA_CM_EVENT_ESTABLISHED)
		end->established = true;
	if (type == RDMA_CM_EVENT_DISCONNECTED)
		end->disconnected = true;
	rdma_ack_cm_event(event);
	return type;
}

static inline bool rnic_pair_expect(struct rnic_pair *pair, enum rdma_cm_event_type wanted)
{
	int got = rnic_pair_event(pair);

	return expect(got == (int)wanted, "%s, not %s",
		      got < 0 ? "no event" : rdma_event_str(got), rdma_event_str(wanted));
}

static inline bool rnic_pair_resolve(struct rnic_pair *pair)
{
	struct rdma_cm_id **id = &pair->a.id;

	return expect_ok(rdma_create_id(pair->channel, id, NULL, RDMA_PS_TCP) ? errno : 0,
			 "create_id") &&
	       expect_ok(rdma_resolve_addr(*id, (struct sockaddr *)&pair->from,
					   (struct sockaddr *)&pair->to, PATIENCE_MS) ? errno : 0,
			 "resolve_addr") &&
	       rnic_pair_expect(pair, RDMA_CM_EVENT_ADDR_RESOLVED) &&
	       expect_ok(rdma_resolve_route(*id, PATIENCE_MS) ? errno : 0, "resolve_route") &&
	       rnic_pair_expect(pair, RDMA_CM_EVENT_ROUTE_RESOLVED);
}

/* Connects the ends. Return: whether both are established. */
static inline bool rnic_pair_connect(struct rnic_pair *pair)
{
	struct rdma_conn_param param = { .responder_resources = 4, .initiator_depth = 4 };

	pair->a = (struct rnic_end){ 0 };
	pair->b = (struct rnic_end){ 0 };
	if (!rnic_pair_resolve(pair) || !rnic_end_make(&pair->a) ||
	    !expect_ok(rdma_connect(pair->a.id, &param) ? errno : 0, "connect") ||
	    !rnic_pair_expect(pair, RDMA_CM_EVENT_CONNECT_REQUEST) ||
	    !rnic_end_make(&pair->b) ||
	    !expect_ok(rdma_accept(pair->b.id, &param) ? errno : 0, "accept"))
		return false;
	return rnic_pair_expect(pair, RDMA_CM_EVENT_ESTABLISHED) &&
	       rnic_pair_expect(pair, RDMA_CM_EVENT_ESTABLISHED);
}

/* Waits until both ends are told of the end, and their queue pairs are in Error. */
static inline bool rnic_pair_ends(struct rnic_pair *pair)
{
	while (!pair->a.disconnected || !pair->b.disconnected)
		if (!expect(rnic_pair_event(pair) >= 0, "the end of the connection is not told"))
			return false;
	return await_state(pair->a.id->qp, IBV_QPS_ERR) && await_state(pair->b.id->qp, IBV_QPS_ERR);
}

static inline void rnic_end_destroy(struct rnic_end *end)
{
	if (end->id && end->id->qp)
		rdma_destroy_qp(end->id);
	if (end->id)
		expect_ok(rdma_destroy_id(end->id) ? errno : 0, "destroy_id");
	if (end->mr)
		expect_ok(ibv_dereg_mr(end->mr), "dereg_mr");
	if (end->cq)
		expect_ok(ibv_destroy_cq(end->cq), "destroy_cq");
	if (end->pd)
		expect_ok(ibv_dealloc_pd(end->pd), "dealloc_pd");
	free(end->memory);
	*end = (struct rnic_end){ 0 };
}

static inline void rnic_pair_destroy(struct rnic_pair *pair)
{
	rnic_end_destroy(&pair->a);
	rnic_end_destroy(&pair->b);
}

/* Posts an RDMA operation of 64 octets at the beginning of both memories. */
static inline bool rnic_post(struct rnic_end *end, enum ibv_wr_opcode opcode,
			     const struct rnic_end *peer, uint32_t rkey)
{
	struct ibv_sge sge = { (uintptr_t)end->memory, 64, end->mr->lkey };
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = opcode,
		.wr.rdma = { .remote_addr = (uintptr_t)peer->memory, .rkey = rkey },
	}, *bad;

	return expect_ok(ibv_post_send(end->id->qp, &wr, &bad), "post_send");
}

#endif
