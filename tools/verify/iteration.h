/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An iteration: connections of some shape, and requests planned for them, which are posted,
 * complete, and are judged; then all memory is. One thread does everything, so that a seed decides
 * what is asked of the device, if not when it answers.
 */
#ifndef HCAVERIFY_ITERATION_H
#define HCAVERIFY_ITERATION_H

#include "end.h"
#include "matrix.h"
#include "options.h"

#define MAX_CONNECTIONS 3
#define MAX_FLOWS (2 * MAX_CONNECTIONS)
#define MAX_REQUESTS 256 /* of a flow, in one iteration */
#define MAX_CHAIN 4 /* requests that are posted by one call */
#define WORDS 4 /* that the atomics of a flow are about */
#define GRH_LENGTH 40
#define QKEY 0x11111111

/* How completions are waited for. */
enum waiting {
	WAIT_POLL,
	WAIT_EVENT,
	WAIT_SOLICITED, /* receives, by events of solicited messages alone */
};

/* What is drawn for an iteration. */
struct shape {
	bool is_plain; /* one request, without anything special: can the device do this at all? */
	bool one_way; /* the first end requests, the second answers */
	unsigned int connections;
	enum waiting waiting;
	bool signal_all;
	bool late_receives; /* posted behind what they are to receive */
	bool any_receive; /* each receive has room for each message */
	uint32_t mtu, max_length, max_sge, max_inline;
	uint32_t psn;
	uint8_t reads;
	bool grh; /* of connections; datagrams have theirs by themselves */
};

/* What one completion is for. */
struct request {
	uint32_t number; /* the name of its message */
	uint64_t wr_id;
	const struct verb *verb;
	struct origin origin; /* of what it carries */
	uint32_t length;
	struct segments local;
	struct segments remote; /* one, if any */
	uint32_t imm;
	bool is_signaled, is_solicited, is_fenced, is_inline, is_global;
	bool has_window; /* through, or invalidates, the window of this index */
	unsigned int window;
	/* Atomics: */
	uint64_t old, operand, compare, result;
	/* So far: */
	bool is_posted, is_done, is_received, is_lost, has_failed;
};

struct receive {
	uint64_t wr_id;
	struct segments segments;
	uint32_t capacity; /* with room for a GRH */
	uint32_t filled; /* octets, ditto */
	bool is_used;
};

/* The receive queue of one queue pair, or a shared receive queue. */
struct receive_queue {
	struct end *end;
	bool is_shared;
	struct ibv_qp *qp;
	struct ibv_srq *srq;
	struct receive *receives;
	unsigned int num_receives, posted, used;
	unsigned int pending; /* messages that are posted and not received */
};

struct window {
	struct ibv_mw *mw;
	struct segment segment; /* of the answering end's memory */
	bool is_invalid;
};

/* One direction of a connection. */
struct flow {
	struct end *from, *to;
	struct ibv_qp *qp, *peer;
	struct ibv_ah *ah[2]; /* datagrams: without a GRH, and with one */
	struct receive_queue *rq;
	struct request *requests;
	unsigned int num_requests, posted, done, received;
	unsigned int receiving; /* of those posted, how many take a receive and have none yet */
	unsigned int unsolicited, unsignaled; /* in a row, while planning */
	bool has_failed;
	struct segment words[WORDS];
	bool has_words;
	struct window *windows;
	unsigned int num_windows;
};

/* The completion queues of one end in an iteration, their channel, and its shared receive queue. */
struct cq_set {
	struct ibv_comp_channel *channel;
	struct ibv_cq *send_cq, *recv_cq;
	struct ibv_srq *srq;
};

/* Of a service and operation, over all its iterations. */
struct task {
	const struct options *options;
	struct end *ends;
	const struct pattern *pattern;
	const struct service *service;
	const struct operation *operation;
	uint32_t able; /* operations, as bits, that a mix may be of */
	uint32_t group; /* of the numbers of messages */
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
	struct receive_queue receive_queues[MAX_FLOWS];
	union ibv_gid group; /* multicast */
	uint16_t group_lid;
	unsigned int attached; /* flows whose queue pairs are in the group */
	bool no_event; /* what comes now should have had an event */
	bool is_closed; /* receives that are left are flushed */
};

/* plan.c: draw a shape, and requests. Return: how many messages. */
uint32_t iteration_plan(struct iteration *iteration, struct task *task, uint32_t messages);
void iteration_free(struct iteration *iteration);

/* connect.c; a failure is noted by wrong() or lacking(). */
bool iteration_connect(struct iteration *iteration);
void iteration_disconnect(struct iteration *iteration);

/* window.c */
bool windows_bind(struct iteration *iteration);
void windows_free(struct iteration *iteration);
/* Are those that were invalidated? This ends the first connection. */
bool windows_check(struct iteration *iteration);

/* post.c: as much as can be. */
bool post_receives(struct receive_queue *rq, unsigned int more);
bool post_requests(struct iteration *iteration, struct flow *flow, bool *progress);

/* complete.c: judge what a completion says. */
bool complete_request(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc);
bool complete_receive(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc);
bool request_consumes_receive(const struct request *request);

/* deliver.c: what a message that has come should have left. */
bool deliver_request(struct flow *flow, struct request *request);
bool deliver_message(struct iteration *iteration, struct flow *flow, struct request *request,
		     struct receive *receive, const struct ibv_wc *wc);
/* Could this be the message that the completion is for? */
bool could_be(const struct iteration *iteration, const struct flow *flow,
	      const struct request *request, const struct receive *receive,
	      const struct ibv_wc *wc);
/* At the end: what has been lost, or has failed, may have left something. */
void allow_remains(struct iteration *iteration);
/* It does not come any more. */
void lose(struct flow *flow, struct request *request);

/* grh.c: the 40 octets before a datagram. */
bool grh_check(const struct iteration *iteration, const struct flow *flow,
	       const struct request *request, const uint8_t *grh);
void grh_fill(struct ibv_ah_attr *attr, const struct end *from, const union ibv_gid *to);

/*
 * wait.c: arm the completion queues, if the iteration uses events; poll all completions there are;
 * wait until there may be some, or @ms are over.
 */
bool iteration_arm(struct iteration *iteration);
bool iteration_poll(struct iteration *iteration, bool *progress);
bool iteration_wait(struct iteration *iteration, unsigned int ms);

/* async.c: is all quiet? If not @judge, it may be otherwise. */
bool async_events(struct iteration *iteration, bool judge);

/* run.c: all of it. */
bool iteration_run(struct iteration *iteration);

static inline bool is_datagram(const struct iteration *iteration)
{
	return iteration->task->service->flags & SERVICE_DATAGRAM;
}

static inline bool is_reliable(const struct iteration *iteration)
{
	return iteration->task->service->flags & SERVICE_RELIABLE;
}

/* May messages be missing? */
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

/* For messages to people. */
static inline uint32_t shown(const struct request *request)
{
	return request->number & ((1u << ORIGIN_GROUP_SHIFT) - 1);
}

#endif
