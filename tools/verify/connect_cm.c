// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Makes connections by rdma_cm, and waits for what they carry. Both ends are in this process. */
#include <errno.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <string.h>
#include <unistd.h>
#include "iteration.h"
#include "outcome.h"

#define PATIENCE 10000 /* ms without an event after which a connection fails */
#define NAP 1000 /* time in us between two looks */
#define CM_NAME 0x636d /* wr_id of requests that belong to no message */

static bool cm_failed(const struct end *end, const char *what)
{
	return wrong("%s: %s: %s", end->label, what, error_name(errno));
}

/* Reads one event of an end. Return: NULL after an error, or if there is none for too long. */
static struct rdma_cm_event *cm_read_event(const struct end *end, enum rdma_cm_event_type wanted)
{
	struct pollfd ready = { .fd = end->channel->fd, .events = POLLIN };
	struct rdma_cm_event *event;

	if (poll(&ready, 1, PATIENCE) == 1 && !rdma_get_cm_event(end->channel, &event))
		return event;
	wrong("%s: %u s without %s", end->label, PATIENCE / 1000, rdma_event_str(wanted));
	return NULL;
}

/*
 * Waits for an event of an identifier, which must be the one that is wanted. Events of others, such
 * as the end of an earlier connection, are ignored. Return: the identifier of the event, which is
 * another one for a connection request; NULL after an error.
 */
static struct rdma_cm_id *cm_await(const struct end *end, const struct rdma_cm_id *id,
				   enum rdma_cm_event_type wanted)
{
	struct rdma_cm_event *event;
	enum rdma_cm_event_type type;
	struct rdma_cm_id *of;
	bool is_mine;
	int status;

	do {
		event = cm_read_event(end, wanted);
		if (!event)
			return NULL;
		of = event->id;
		is_mine = (event->listen_id ? event->listen_id : of) == id;
		type = event->event;
		status = event->status;
		rdma_ack_cm_event(event);
	} while (!is_mine);
	if (type == wanted)
		return of;
	wrong("%s: %s (status %d) instead of %s", end->label, rdma_event_str(type), status,
	      rdma_event_str(wanted));
	return NULL;
}

static bool cm_create_qp(struct flow *flow, const struct ibv_qp_init_attr *init)
{
	struct ibv_qp_init_attr copy = *init;

	if (rdma_create_qp(flow->id, flow->from->pd, &copy))
		return cm_failed(flow->from, "rdma_create_qp");
	flow->qp = flow->id->qp;
	return true;
}

static struct rdma_conn_param cm_param(const struct iteration *iteration)
{
	return (struct rdma_conn_param){
		.responder_resources = iteration->shape.reads,
		.initiator_depth = iteration->shape.reads,
		.retry_count = retries_of(iteration),
		.rnr_retry_count = retries_of(iteration),
	};
}

/* Finds the way from one end to the other. */
static bool cm_resolve(struct flow *flow)
{
	struct sockaddr *from = rdma_get_local_addr(flow->from->listener);
	struct sockaddr_storage any_port = {};

	memcpy(&any_port, from, from->sa_family == AF_INET ? sizeof(struct sockaddr_in) :
							     sizeof(struct sockaddr_in6));
	/* The port is at the same place in both families. */
	((struct sockaddr_in *)&any_port)->sin_port = 0;
	if (rdma_create_id(flow->from->channel, &flow->id, NULL, RDMA_PS_TCP))
		return cm_failed(flow->from, "rdma_create_id");
	if (rdma_resolve_addr(flow->id, (struct sockaddr *)&any_port,
			      rdma_get_local_addr(flow->to->listener), PATIENCE))
		return cm_failed(flow->from, "rdma_resolve_addr");
	if (!cm_await(flow->from, flow->id, RDMA_CM_EVENT_ADDR_RESOLVED))
		return false;
	if (rdma_resolve_route(flow->id, PATIENCE))
		return cm_failed(flow->from, "rdma_resolve_route");
	return cm_await(flow->from, flow->id, RDMA_CM_EVENT_ROUTE_RESOLVED);
}

/* --- requests that belong to no message ---------------------------------------------------- */

/* Posts a request that accesses the scratch memory of the peer, and waits for its completion. */
static bool cm_request(struct iteration *iteration, struct flow *flow, enum ibv_wr_opcode opcode,
		       uint32_t octets, const char *what)
{
	struct end *from = flow->from, *to = flow->to;
	struct ibv_sge sge = { (uintptr_t)&from->scratch, octets, from->scratch_mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.wr_id = CM_NAME,
		.sg_list = &sge,
		.num_sge = !!octets,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.rdma = { (uintptr_t)&to->scratch, to->scratch_mr->rkey },
	};
	int error = ibv_post_send(flow->qp, &wr, &bad);
	struct ibv_wc wc;

	if (error)
		return wrong("%s: posting %s: %s", from->label, what, error_name(error));
	return await_completion(iteration->cq_sets[from - iteration->task->ends].send_cq, &wc,
				what) &&
	       ((wc.status == IBV_WC_SUCCESS && wc.wr_id == CM_NAME) ||
		wrong("%s: %s: status %s, wr_id %#llx", from->label, what,
		      ibv_wc_status_str(wc.status), (unsigned long long)wc.wr_id));
}

/*
 * Has the end that began a connection send first: where the two have not agreed upon a message for
 * that, the other end may not send before it has got one (RFC 5044, 7.1.2).
 */
static bool cm_begin(struct iteration *iteration, struct flow *there)
{
	return !is_iwarp(iteration) ||
	       cm_request(iteration, there, IBV_WR_RDMA_WRITE, 0, "the first RDMA WRITE");
}

bool cm_flush(struct iteration *iteration)
{
	struct flow *flow;

	/* A Read is answered behind the requests before it (RFC 5040, 5.5). */
	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++)
		if (flow->num_requests &&
		    !cm_request(iteration, flow, IBV_WR_RDMA_READ, sizeof(flow->from->scratch),
				"a last RDMA READ"))
			return false;
	return true;
}

/* --- ends of connections ------------------------------------------------------------------- */

static struct flow *flow_of(struct iteration *iteration, const struct rdma_cm_id *id)
{
	struct flow *flow;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++)
		if (flow->id == id)
			return flow;
	return NULL;
}

/*
 * Reads an event. A program that learns that a connection has ended is to end it, too: some devices
 * flush its requests then, and not before.
 */
static void cm_note_event(struct iteration *iteration, struct end *end)
{
	struct rdma_cm_event *event;
	struct flow *flow;

	if (rdma_get_cm_event(end->channel, &event))
		return;
	flow = event->event == RDMA_CM_EVENT_DISCONNECTED ? flow_of(iteration, event->id) : NULL;
	rdma_ack_cm_event(event);
	if (!flow || flow->has_ended)
		return;
	flow->has_ended = true;
	rdma_disconnect(flow->id);
}

void cm_poll(struct iteration *iteration)
{
	struct end *ends = iteration->task->ends, *end;
	struct pollfd ready = { .events = POLLIN };

	for (end = ends; is_by_cm(iteration) && end < ends + 2; end++) {
		ready.fd = end->channel->fd;
		while (poll(&ready, 1, 0) == 1)
			cm_note_event(iteration, end);
	}
}

bool cm_await_end(struct iteration *iteration, const struct flow *flow)
{
	unsigned int us;

	for (us = 0; us < PATIENCE * 1000; us += NAP) {
		cm_poll(iteration);
		if (flow->has_ended || is_in_error(flow->qp))
			return true;
		usleep(NAP);
	}
	return false;
}

/* --- connections --------------------------------------------------------------------------- */

static bool cm_accept(struct iteration *iteration, struct flow *there, struct flow *back,
		      const struct ibv_qp_init_attr *init)
{
	struct rdma_conn_param param = cm_param(iteration);

	back->id = cm_await(there->to, there->to->listener, RDMA_CM_EVENT_CONNECT_REQUEST);
	if (!back->id || !cm_create_qp(back, init))
		return false;
	if (rdma_accept(back->id, &param))
		return cm_failed(back->from, "rdma_accept");
	return cm_await(there->from, there->id, RDMA_CM_EVENT_ESTABLISHED) &&
	       cm_await(back->from, back->id, RDMA_CM_EVENT_ESTABLISHED);
}

bool cm_connect(struct iteration *iteration, struct flow *there, struct flow *back,
		const struct ibv_qp_init_attr inits[2])
{
	struct rdma_conn_param param = cm_param(iteration);

	if (!cm_resolve(there) || !cm_create_qp(there, &inits[0]))
		return false;
	if (rdma_connect(there->id, &param))
		return cm_failed(there->from, "rdma_connect");
	return cm_accept(iteration, there, back, &inits[1]) && cm_begin(iteration, there);
}

void cm_disconnect(struct flow *flow)
{
	/* It fails if the other end, or an error, has ended the connection before. */
	rdma_disconnect(flow->id);
}

void cm_close(struct flow *flow)
{
	if (rdma_destroy_id(flow->id))
		cm_failed(flow->from, "rdma_destroy_id");
}
