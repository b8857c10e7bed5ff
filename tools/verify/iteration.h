/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An iteration creates connections with random properties, plans and posts requests, checks their
 * completions, and then checks all memory. A single thread does this. Therefore a seed determines
 * the requests to the device, though not the time of their completions.
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
/* maximum number of shared receive queues of an end; XRC has two, other services one */
#define SRQS 2
#define OPERANDS 4 /* number of 64-bit values in memory that the atomics of a flow change */
#define GRH_LENGTH 40
#define RETRIES 7 /* of a packet; after an RNR NAK it stands for any number of them */
#define FEW_RETRIES 2 /* number of retries if the test expects requests to fail */
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
	 * the iteration sends one simple message, which shows whether the device supports the
	 * operation
	 */
	bool is_plain;
	bool one_way; /* only the first end sends requests */
	unsigned int connections;
	enum waiting waiting;
	bool signal_all;
	bool late_receives; /* receives are posted after the messages have been sent */
	bool any_receive; /* each receive is long enough for every message */
	uint32_t mtu, max_length, max_sge, max_inline;
	uint32_t psn;
	uint8_t reads;
	bool grh; /* connected QPs use a GRH; for a datagram, is_global of the request decides */
};

/* A planned request. */
struct request {
	uint32_t number; /* number of the message */
	uint64_t wr_id;
	const struct verb *verb;
	/* receive queue of the responder, if the request consumes a receive */
	struct receive_queue *rq;
	struct origin origin; /* origin of the payload */
	uint32_t length;
	struct segments local;
	/* remote segment; empty if the request does not access remote memory */
	struct segments remote;
	uint32_t imm;
	bool is_signaled, is_solicited, is_fenced, is_inline, is_global;
	/* the request writes through windows[@window] of the flow, or invalidates this window */
	bool has_window;
	unsigned int window;
	/*
	 * values of an atomic: expected original value, swap or add operand, compare value,
	 * expected result
	 */
	uint64_t old, operand, compare, result;
	/* Progress of the request. */
	bool is_posted, is_done, is_received, is_lost, has_failed;
	bool is_overdue; /* counted as lost after a timeout; the message may still arrive */
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
	uint32_t srq_num; /* SRQ number, for XRC only */
	struct receive *receives;
	unsigned int num_receives, posted, used;
	unsigned int pending; /* number of posted messages that have not been received yet */
};

struct window {
	struct ibv_mw *mw;
	struct segment segment; /* range of the responder's arena that the window covers */
	bool is_invalid;
};

/* One direction of a connection. */
struct flow {
	struct end *from, *to;
	/* the sending QP and the receiving QP of the flow; for XRC, the initiator and the target */
	struct ibv_qp *qp, *peer;
	struct rdma_cm_id *id; /* the connection of @qp, if rdma_cm makes it */
	bool has_ended; /* rdma_cm has said that the connection has ended */
	struct ibv_ah *ah[2]; /* address handles for datagrams: without and with a GRH */
	/* receive queues of the flow; XRC has two, and each request names one of them */
	struct receive_queue *rq[SRQS];
	struct request *requests;
	unsigned int num_requests, posted, done, received;
	/* Number of posted requests that will consume a receive. */
	unsigned int receiving;
	/* numbers of requests planned since the last solicited and the last signaled one */
	unsigned int unsolicited, unsignaled;
	bool has_failed;
	struct segment operands[OPERANDS];
	bool has_operands;
	struct window *windows;
	unsigned int num_windows;
};

/*
 * The completion queues of one end with their completion channel, and the shared receive queues of
 * the end. @xrcd is the domain of the SRQs for XRC.
 */
struct cq_set {
	struct ibv_comp_channel *channel;
	struct ibv_cq *send_cq, *recv_cq;
	struct ibv_xrcd *xrcd;
	struct ibv_srq *srq[SRQS];
};

/* The test of one operation by one service, with the statistics of all iterations. */
struct task {
	const struct options *options;
	struct end *ends;
	const struct pattern *pattern;
	const struct service *service;
	const struct operation *operation;
	uint32_t able; /* operations that OPERATION_ANY may choose; bits by index of operations[] */
	uint32_t group; /* the number of the task, which is part of each message number */
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
	/* receive queues: one per flow, or up to SRQS per end if they are shared */
	struct receive_queue receive_queues[MAX_FLOWS];
	union ibv_gid group; /* MGID of the multicast group */
	uint16_t group_lid;
	/* number of flows whose receiving QP is attached to the multicast group */
	unsigned int attached;
	/* a wait for an event has timed out; any completion that is found now lacks its event */
	bool no_event;
	bool is_closed; /* all receiving QPs are in the Error state, which flushes their receives */
};

/* Function of plan.c: draws random properties, and plans requests. Return: number of messages. */
uint32_t iteration_plan(struct iteration *iteration, struct task *task, uint32_t messages);
void iteration_free(struct iteration *iteration);

/*
 * Functions of connect.c: create and destroy the verbs objects of an iteration. Failures are
 * recorded by wrong() or lacking().
 */
bool iteration_connect(struct iteration *iteration);
void iteration_disconnect(struct iteration *iteration);

/*
 * Functions of connect_cm.c. cm_connect() creates the queue pairs of a connection, by the
 * attributes @inits of each end, and has rdma_cm connect them. cm_flush() waits until all that was
 * sent has arrived: over iWARP, a completion says that memory is free, not that the peer has its
 * contents. cm_poll() reads what rdma_cm says of ends of connections, and cm_await_end() waits for
 * the end of one.
 */
bool cm_connect(struct iteration *iteration, struct flow *there, struct flow *back,
		const struct ibv_qp_init_attr inits[2]);
bool cm_flush(struct iteration *iteration);
void cm_poll(struct iteration *iteration);
bool cm_await_end(struct iteration *iteration, const struct flow *flow);
/* cm_disconnect() comes before the queue pair of the flow is destroyed, and cm_close() after it. */
void cm_disconnect(struct flow *flow);
void cm_close(struct flow *flow);

/* Functions of xrc.c: create the objects of XRC. Return: NULL with errno set on failure. */
struct ibv_xrcd *xrc_open_domain(const struct end *end);
struct ibv_srq *xrc_create_srq(const struct end *end, const struct cq_set *cq_set,
			       const struct ibv_srq_attr *attr);
struct ibv_qp *xrc_create_recv_qp(const struct end *end, const struct cq_set *cq_set);

/* Functions of window.c: bind and free the memory windows of an iteration. */
bool windows_bind(struct iteration *iteration);
void windows_free(struct iteration *iteration);
/* Checks that an invalidated window refuses access, which breaks the connection. */
bool windows_check(struct iteration *iteration);

/*
 * Functions of post.c. post_receives() posts up to @more receives. post_requests() posts requests
 * until the queues are full or all requests are posted.
 */
bool post_receives(struct receive_queue *rq, unsigned int more);
bool post_requests(struct iteration *iteration, struct flow *flow, bool *progress);

/* Functions of complete.c: check the contents of a completion. */
bool complete_request(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc);
bool complete_receive(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc);

/* Functions of deliver.c: check the contents of memory after a message. */
bool request_consumes_receive(const struct request *request);
bool deliver_request(struct flow *flow, struct request *request);
bool deliver_message(struct iteration *iteration, struct flow *flow, struct request *request,
		     struct receive *receive, const struct ibv_wc *wc);
/*
 * Returns whether a receive completion can belong to @request, by its fields and the data in
 * memory.
 */
bool could_be(const struct iteration *iteration, const struct flow *flow,
	      const struct request *request, const struct receive *receive,
	      const struct ibv_wc *wc);
/*
 * Allows the data that lost or failed messages may have left in memory. It is called at the end of
 * an iteration.
 */
void allow_remains(struct iteration *iteration);
/* Marks a message as lost. */
void lose(struct flow *flow, struct request *request);

/* Functions of grh.c. grh_check() checks the 40 octets before a datagram. */
bool grh_check(const struct iteration *iteration, const struct flow *flow,
	       const struct request *request, const uint8_t *grh);
void grh_fill(struct ibv_ah_attr *attr, const struct end *from, const union ibv_gid *to);

/*
 * Functions of wait.c. iteration_arm() arms the completion queues if the iteration uses events.
 * iteration_poll() polls all completions. iteration_wait() waits up to @ms milliseconds for an
 * event, or sleeps briefly if the iteration does not use events.
 */
bool iteration_arm(struct iteration *iteration);
bool iteration_poll(struct iteration *iteration, bool *progress);
bool iteration_wait(struct iteration *iteration, unsigned int ms);
/*
 * More functions of wait.c. await_completion() polls one completion of a queue that does not have
 * other outstanding requests; @what names the request in an error message.
 */
bool await_completion(struct ibv_cq *cq, struct ibv_wc *wc, const char *what);
bool is_in_error(struct ibv_qp *qp);

/*
 * Function of async.c: reads all pending asynchronous events. An unexpected event is an error if
 * @judge is true.
 */
bool async_events(struct iteration *iteration, bool judge);

/* Function of run.c: runs a whole iteration. */
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

static inline bool is_iwarp(const struct iteration *iteration)
{
	return iteration->task->ends[0].is_iwarp;
}

/* Returns whether rdma_cm makes the connections. */
static inline bool is_by_cm(const struct iteration *iteration)
{
	return iteration->task->ends[0].listener && iteration->task->service->type == IBV_QPT_RC;
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

/* Returns the number of retries of a connection, after time-outs and after RNR NAKs. */
static inline uint8_t retries_of(const struct iteration *iteration)
{
	return expected_status(iteration) ? FEW_RETRIES : RETRIES;
}

static inline enum provocation provocation_of(const struct iteration *iteration)
{
	return expected_status(iteration) ? expected_status(iteration)->provocation :
					    PROVOKE_NOTHING;
}

/*
 * Returns whether a request that the peer refuses may be complete before: over iWARP, only a Read
 * is answered, and anything else is complete when TCP has taken it.
 */
static inline bool is_refused_late(const struct iteration *iteration,
				   const struct request *request)
{
	return is_iwarp(iteration) && expected_status(iteration) &&
	       provocation_of(iteration) != PROVOKE_WRONG_LKEY &&
	       !(request->verb->flags & VERB_READS);
}

/* Returns a message's number for error messages, without the number of the task (group). */
static inline uint32_t shown_number(const struct request *request)
{
	return request->number & ((1u << ORIGIN_GROUP_SHIFT) - 1);
}

#endif
