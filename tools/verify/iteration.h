/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An iteration creates connections of a random shape, plans requests for them, posts these, and
 * checks their completions and then all memory. One thread does everything, so a seed determines
 * what is requested of the device, though not when the device completes it.
 */
#ifndef HCAVERIFY_ITERATION_H
#define HCAVERIFY_ITERATION_H

#include "end.h"
#include "matrix.h"
#include "options.h"

#define MAX_CONNECTIONS 3
#define MAX_FLOWS (2 * MAX_CONNECTIONS)
#define MAX_REQUESTS 256 /* of a flow, in one iteration */
#define MAX_CHAIN 4 /* requests posted by one call */
#define SRQS 2 /* shared receive queues of an end; only XRC has more than one */
#define OPERANDS 4 /* 64-bit values that the atomics of a flow operate on */
#define GRH_LENGTH 40
#define QKEY 0x11111111

/* How a program waits for completions. */
enum waiting {
	WAIT_POLL,
	WAIT_EVENT,
	WAIT_SOLICITED, /* by events of solicited receives only */
};

/* The random properties of an iteration. */
struct shape {
	/* one ordinary request, to see whether the device supports the operation at all */
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
	bool grh; /* connections use a GRH; each datagram has its own choice */
};

/* A planned request. */
struct request {
	uint32_t number; /* number of the message */
	uint64_t wr_id;
	const struct verb *verb;
	struct receive_queue *rq; /* that it is for */
	struct origin origin; /* origin of its payload */
	uint32_t length;
	struct segments local;
	struct segments remote; /* remote segment, if any */
	uint32_t imm;
	bool is_signaled, is_solicited, is_fenced, is_inline, is_global;
	bool has_window; /* goes through, or invalidates, the window of this index */
	unsigned int window;
	/* Operands of an atomic, and its expected result: */
	uint64_t old, operand, compare, result;
	/* State: */
	bool is_posted, is_done, is_received, is_lost, has_failed;
	bool is_overdue; /* lost because nothing has come for a while; it may yet be on its way */
};

struct receive {
	uint64_t wr_id;
	struct segments segments;
	uint32_t capacity; /* with room for a GRH */
	uint32_t filled; /* octets received, with room for a GRH */
	bool is_used;
};

/* The receive queue of a queue pair, or a shared receive queue. */
struct receive_queue {
	struct end *end;
	bool is_shared;
	struct ibv_qp *qp;
	struct ibv_srq *srq;
	uint32_t srq_num; /* XRC */
	struct receive *receives;
	unsigned int num_receives, posted, used;
	unsigned int pending; /* messages posted and not yet received */
};

struct window {
	struct ibv_mw *mw;
	struct segment segment; /* in the responder's arena */
	bool is_invalid;
};

/* One direction of a connection. */
struct flow {
	struct end *from, *to;
	struct ibv_qp *qp, *peer; /* XRC: the initiator, and the target, which is of this flow */
	struct ibv_ah *ah[2]; /* of datagrams: without a GRH, and with one */
	struct receive_queue *rq[SRQS]; /* a request of XRC is for either; else there is one */
	struct request *requests;
	unsigned int num_requests, posted, done, received;
	/* posted requests that consume a receive and have not done so yet */
	unsigned int receiving;
	unsigned int unsolicited, unsignaled; /* consecutive requests, while planning */
	bool has_failed;
	struct segment operands[OPERANDS];
	bool has_operands;
	struct window *windows;
	unsigned int num_windows;
};

/*
 * The completion queues of one end, their completion channel, its shared receive queues, and the
 * XRC domain of those of XRC.
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
	uint32_t group; /* group of the message numbers */
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
	struct receive_queue receive_queues[MAX_FLOWS]; /* at least 2 * SRQS */
	union ibv_gid group; /* of multicast */
	uint16_t group_lid;
	unsigned int attached; /* number of flows whose queue pairs are attached */
	bool no_event; /* a completion found now should have raised an event */
	bool is_closed; /* remaining receives have been flushed */
};

/* plan.c: draws a shape and requests. Return: number of messages. */
uint32_t iteration_plan(struct iteration *iteration, struct task *task, uint32_t messages);
void iteration_free(struct iteration *iteration);

/* connect.c: failures are recorded by wrong() or lacking(). */
bool iteration_connect(struct iteration *iteration);
void iteration_disconnect(struct iteration *iteration);

/* xrc.c. Return: NULL with errno set. */
struct ibv_xrcd *xrc_open_domain(const struct end *end);
struct ibv_srq *xrc_create_srq(const struct end *end, const struct cq_set *cq_set,
			       const struct ibv_srq_attr *attr);
struct ibv_qp *xrc_create_recv_qp(const struct end *end, const struct cq_set *cq_set);

/* window.c */
bool windows_bind(struct iteration *iteration);
void windows_free(struct iteration *iteration);
/* Checks that invalidated windows refuse access. The first connection fails by that. */
bool windows_check(struct iteration *iteration);

/* post.c: post as much as there is room for. */
bool post_receives(struct receive_queue *rq, unsigned int more);
bool post_requests(struct iteration *iteration, struct flow *flow, bool *progress);

/* complete.c: check the contents of a completion. */
bool complete_request(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc);
bool complete_receive(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc);
bool request_consumes_receive(const struct request *request);

/* deliver.c: check what a message has left in memory. */
bool deliver_request(struct flow *flow, struct request *request);
bool deliver_message(struct iteration *iteration, struct flow *flow, struct request *request,
		     struct receive *receive, const struct ibv_wc *wc);
/* Whether this message can be the one that a completion reports. */
bool could_be(const struct iteration *iteration, const struct flow *flow,
	      const struct request *request, const struct receive *receive,
	      const struct ibv_wc *wc);
/* At the end: allows what lost or failed messages may have left in memory. */
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

/* async.c: checks that no unexpected event is pending; without @judge events are only read. */
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

/* Whether messages may be lost. */
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

/* The number of a message as it is printed. */
static inline uint32_t shown(const struct request *request)
{
	return request->number & ((1u << ORIGIN_GROUP_SHIFT) - 1);
}

#endif
