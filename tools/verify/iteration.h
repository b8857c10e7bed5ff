/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An iteration creates connections of a random shape, plans and posts requests, checks their
 * completions, and then checks all memory. A single thread does this, so a seed determines the
 * requests to the device, though not the time of their completions.
 */
#ifndef HCAVERIFY_ITERATION_H
#define HCAVERIFY_ITERATION_H

#include "end.h"
#include "matrix.h"
#include "options.h"

#define MAX_CONNECTIONS 3
#define MAX_FLOWS (2 * MAX_CONNECTIONS)
#define MAX_REQUESTS 256 /* requests of a flow in one iteration */
#define MAX_CHAIN 4 /* requests posted by one call */
#define SRQS 2 /* shared receive queues of an end; two for XRC, otherwise one */
#define OPERANDS 4 /* 64-bit values that the atomics of a flow operate on */
#define GRH_LENGTH 40
#define QKEY 0x11111111

/* Ways to wait for completions. */
enum waiting {
	WAIT_POLL,
	WAIT_EVENT,
	WAIT_SOLICITED, /* wait for events of solicited receives only */
};

/* The random properties of an iteration. */
struct shape {
	/*
	 * the iteration has one ordinary request, to find out whether the device supports the
	 * operation
	 */
	bool is_plain;
	bool one_way; /* only the first end sends requests */
	unsigned int connections;
	enum waiting waiting;
	bool signal_all;
	bool late_receives; /* receives are posted after the messages have been sent */
	bool any_receive; /* each receive has room for every message */
	uint32_t mtu, max_length, max_sge, max_inline;
	uint32_t psn;
	uint8_t reads;
	bool grh; /* connections use a GRH; datagrams choose one by one */
};

/* A planned request. */
struct request {
	uint32_t number; /* number of the message */
	uint64_t wr_id;
	const struct verb *verb;
	struct receive_queue *rq; /* receive queue of the request */
	struct origin origin; /* origin of its payload */
	uint32_t length;
	struct segments local;
	struct segments remote; /* remote segment, if any */
	uint32_t imm;
	bool is_signaled, is_solicited, is_fenced, is_inline, is_global;
	bool has_window; /* the request accesses, or invalidates, the window of index @window */
	unsigned int window;
	/* Operands of an atomic, and its expected result. */
	uint64_t old, operand, compare, result;
	/* Progress of the request. */
	bool is_posted, is_done, is_received, is_lost, has_failed;
	bool is_overdue; /* lost by a timeout; the message may still arrive */
};

struct receive {
	uint64_t wr_id;
	struct segments segments;
	uint32_t capacity; /* octets of the receive, including those for a GRH */
	uint32_t filled; /* octets received, including those for a GRH */
	bool is_used;
};

/* The receive queue of a queue pair, or a shared receive queue. */
struct receive_queue {
	struct end *end;
	bool is_shared;
	struct ibv_qp *qp;
	struct ibv_srq *srq;
	uint32_t srq_num; /* number of an SRQ for XRC */
	struct receive *receives;
	unsigned int num_receives, posted, used;
	unsigned int pending; /* messages that are posted and not received yet */
};

struct window {
	struct ibv_mw *mw;
	struct segment segment; /* segment of the responder's arena */
	bool is_invalid;
};

/* One direction of a connection. */
struct flow {
	struct end *from, *to;
	/* sending and receiving QP; XRC: the initiator, and the target of this flow */
	struct ibv_qp *qp, *peer;
	struct ibv_ah *ah[2]; /* address handles for datagrams: without and with a GRH */
	/* receive queues: two for XRC, of which a request names one; otherwise one */
	struct receive_queue *rq[SRQS];
	struct request *requests;
	unsigned int num_requests, posted, done, received;
	/* Number of posted requests that will consume a receive. */
	unsigned int receiving;
	unsigned int unsolicited, unsignaled; /* numbers of consecutive requests during planning */
	bool has_failed;
	struct segment operands[OPERANDS];
	bool has_operands;
	struct window *windows;
	unsigned int num_windows;
};

/*
 * The completion queues of one end with their completion channel, its shared receive queues, and
 * the XRC domain of the SRQs for XRC.
 */
struct cq_set {
	struct ibv_comp_channel *channel;
	struct ibv_cq *send_cq, *recv_cq;
	struct ibv_xrcd *xrcd;
	struct ibv_srq *srq[SRQS];
};

/* One operation of a service, with its statistics over all iterations. */
struct task {
	const struct options *options;
	struct end *ends;
	const struct pattern *pattern;
	const struct service *service;
	const struct operation *operation;
	uint32_t able; /* operations that a mix may contain, as bits */
	uint32_t group; /* group in the upper bits of the message numbers */
	uint32_t last_number;
	struct rng rng;
	uint64_t planned, messages, octets, lost;
};

struct iteration {
	struct task *task;
	struct shape shape;
	struct cq_set cq_sets[2];
	struct flow flows[MAX_FLOWS];
	unsigned int num_flows;
	/* receive queues of all flows, at least 2 * SRQS */
	struct receive_queue receive_queues[MAX_FLOWS];
	union ibv_gid group; /* multicast group */
	uint16_t group_lid;
	unsigned int attached; /* number of flows whose queue pairs are attached */
	bool no_event; /* a completion found now should have raised an event */
	bool is_closed; /* remaining receives have been flushed */
};

/* plan.c: draws a shape and requests. Return: the number of messages. */
uint32_t iteration_plan(struct iteration *iteration, struct task *task, uint32_t messages);
void iteration_free(struct iteration *iteration);

/* connect.c: create and destroy the objects. wrong() or lacking() records failures. */
bool iteration_connect(struct iteration *iteration);
void iteration_disconnect(struct iteration *iteration);

/* xrc.c: create the objects of XRC. Return: NULL with errno set. */
struct ibv_xrcd *xrc_open_domain(const struct end *end);
struct ibv_srq *xrc_create_srq(const struct end *end, const struct cq_set *cq_set,
			       const struct ibv_srq_attr *attr);
struct ibv_qp *xrc_create_recv_qp(const struct end *end, const struct cq_set *cq_set);

/* window.c: bind and free the memory windows of an iteration. */
bool windows_bind(struct iteration *iteration);
void windows_free(struct iteration *iteration);
/* Checks that an invalidated window refuses access. The connection fails by this. */
bool windows_check(struct iteration *iteration);

/* post.c: post receives and requests, as far as there is room. */
bool post_receives(struct receive_queue *rq, unsigned int more);
bool post_requests(struct iteration *iteration, struct flow *flow, bool *progress);

/* complete.c: check the contents of a completion. */
bool complete_request(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc);
bool complete_receive(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc);
bool request_consumes_receive(const struct request *request);

/* deliver.c: check the contents of memory after a message. */
bool deliver_request(struct flow *flow, struct request *request);
bool deliver_message(struct iteration *iteration, struct flow *flow, struct request *request,
		     struct receive *receive, const struct ibv_wc *wc);
/* Returns whether a completion can be that of this message. */
bool could_be(const struct iteration *iteration, const struct flow *flow,
	      const struct request *request, const struct receive *receive,
	      const struct ibv_wc *wc);
/* Allows the data that lost or failed messages may have left in memory. Called at the end. */
void allow_remains(struct iteration *iteration);
/* Marks a message as lost. */
void lose(struct flow *flow, struct request *request);

/* grh.c: checks the 40 octets before a datagram. */
bool grh_check(const struct iteration *iteration, const struct flow *flow,
	       const struct request *request, const uint8_t *grh);
void grh_fill(struct ibv_ah_attr *attr, const struct end *from, const union ibv_gid *to);

/*
 * wait.c: arm the completion queues if the iteration uses events; poll all completions; wait until
 * there may be completions, or for @ms milliseconds.
 */
bool iteration_arm(struct iteration *iteration);
bool iteration_poll(struct iteration *iteration, bool *progress);
bool iteration_wait(struct iteration *iteration, unsigned int ms);

/* async.c: reads all pending events. An unexpected one is an error if @judge. */
bool async_events(struct iteration *iteration, bool judge);

/* run.c: runs a whole iteration. */
bool iteration_run(struct iteration *iteration);

static inline bool is_datagram(const struct iteration *iteration)
{
	return iteration->task->service->flags & SERVICE_DATAGRAM;
}

static inline bool is_reliable(const struct iteration *iteration)
{
	return iteration->task->service->flags & SERVICE_RELIABLE;
}

static inline bool is_xrc(const struct iteration *iteration)
{
	return iteration->task->service->flags & SERVICE_XRC;
}

/* Returns whether messages may be lost. */
static inline bool may_lose(const struct iteration *iteration)
{
	return iteration->task->options->tolerate_loss && !is_reliable(iteration);
}

static inline const struct status *expected_status(const struct iteration *iteration)
{
	return iteration->task->options->expect;
}

static inline enum provocation provocation(const struct iteration *iteration)
{
	return expected_status(iteration) ? expected_status(iteration)->provocation :
					    PROVOKE_NOTHING;
}

/* Returns the number of a message in the form that is printed. */
static inline uint32_t shown(const struct request *request)
{
	return request->number & ((1u << ORIGIN_GROUP_SHIFT) - 1);
}

#endif
