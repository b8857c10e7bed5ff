/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The simulator of iWARP: RNICs whose queue pairs are connected by streams, a program of verbs that
 * runs on them, and a model that predicts its results. One exists at a time; all of it follows from
 * the seed.
 */
#ifndef HCA_TESTS_SIM_IWARP_IWSIM_H
#define HCA_TESTS_SIM_IWARP_IWSIM_H

#include "iwarp/connect.h"
#include "iwarp/iwarp_qp.h"
#include "qp/srq.h"
#include "tests/sim/iwarp/stream.h"
#include "tests/sim/sim.h"

enum iwsim_limits {
	IWSIM_CONNECTIONS = 6,
	IWSIM_PAGES = 32, /* most pages of a node */
	IWSIM_CQS = 2, /* of each node */
	IWSIM_ENTRIES = 16, /* of each queue */
	IWSIM_SGES = 2,
	IWSIM_INLINE = 64, /* octets */
	IWSIM_SRQ_OCTETS = 600, /* of each receive request of an SRQ */
	IWSIM_QP_EVENTS = 8,
	IWSIM_EVENTS = 5, /* of an endpoint */
	IWSIM_BASE = 0x70000, /* address of a node's first octet */
};

/* Troubles of a connection, after which requests may fail; bits. */
enum iwsim_trouble {
	IWSIM_T_STREAM = 0x01, /* the stream is cut by a FIN or a RST */
	IWSIM_T_MODIFY = 0x02, /* a consumer has left RTS */
	IWSIM_T_DESTROY = 0x04, /* a queue pair was destroyed */
	IWSIM_T_SPOILED = 0x08, /* a request is wrong */
	IWSIM_T_REFUSED = 0x10, /* the connection is not to be established */
	IWSIM_T_END = 0x20, /* the program has ended */
	IWSIM_T_REMOVE = 0x40, /* a device was removed */
};

struct iwsim_node;
struct iwsim_end;

/* A range of a node's memory that one request uses. */
struct iwsim_span {
	struct list_head in_node;
	struct iwsim_node *node;
	u32 offset, length;
};

/* The memory of a message: at most IWSIM_SGES ranges. */
struct iwsim_buffer {
	struct iwsim_span *span[IWSIM_SGES];
	u32 count, length;
};

/*
 * An MR or a window over all memory of a node, which requests make valid, use and invalidate.
 */
struct iwsim_key {
	struct iwsim_node *node;
	struct hca_tpt_entry *mr;
	u32 key;
};

/* A request that is wrong on purpose. */
struct iwsim_spoiler;

struct iwsim_op {
	struct list_head in_flow;
	u64 id;
	u8 opcode; /* enum ib_uverbs_wr_opcode */
	u8 flags; /* enum hca_wqe_flags */
	u8 status; /* enum ib_wc_status, if @is_done */
	bool is_done; /* it is complete, or the completion of a later one implies that */
	bool is_executed; /* the peer has received, written or read all of it, as far as is known */
	u32 length;
	u8 *data; /* of the message; Read: of the source */
	struct iwsim_buffer local, remote;
	struct iwsim_key key; /* that it invalidates, or makes valid */
	bool by_grant; /* it uses the grant of the peer */
	const struct iwsim_spoiler *spoiler; /* NULL: it is right */
};

struct iwsim_recv {
	struct list_head in_queue;
	u64 id;
	struct iwsim_buffer buffer;
};

/* One end of a connection, with its queue pair. */
struct iwsim_end {
	struct iwsim_node *node;
	struct iwsim_connection *conn;
	struct iwsim_end *peer;
	struct hca_endpoint *ep;
	struct sim_stream *stream;
	struct hca_qp *qp; /* NULL: destroyed */
	u32 qpn;
	struct hca_cq *send_cq, *recv_cq;
	bool is_initiator, with_srq;
	struct hca_connect connect;
	u8 private_data[32];
	/* A key that a request of this end has made valid for the peer. */
	struct iwsim_key grant;
	bool is_granting; /* such a request was posted, and none has ended that */
	u8 reads, ord; /* of the requester, at the last step */
	struct list_head ops; /* those that are not done and executed, in order of posting */
	struct list_head recvs; /* those of its own receive queue that are not complete */
	u32 sends, recvs_posted; /* since the queue pair was made */
	u32 unrung; /* requests that were written, and not published */
	bool has_failed; /* a request has failed, or was flushed */
	bool has_error; /* one of them has failed otherwise */
	bool has_failed_recv;
	u64 last_recv; /* the id of the receive request that was completed last */
	/* Events. */
	u32 qp_events[IWSIM_QP_EVENTS];
	u32 events[IWSIM_EVENTS];
	bool is_answer_due; /* the consumer is to accept or to reject */
	bool may_be_accepted, is_accepted; /* it accepts, and has accepted */
	bool is_over; /* HCA_ENDPOINT_CLOSE was reported */
};

struct iwsim_connection {
	int index;
	struct sim_stream_pair *pair; /* NULL: not begun */
	struct hca_endpoint *ep; /* of both ends */
	struct iwsim_end end[2];
	u32 trouble; /* bits of enum iwsim_trouble */
	u32 troubles; /* their number */
	const struct iwsim_spoiler *spoiler; /* of the first request that is wrong */
	struct iwsim_end *spoiler_end; /* that has posted it */
	u8 spoiled_status; /* of its completion */
};

struct iwsim_node {
	struct hca_rnic rnic; /* first member */
	int index;
	u32 octets;
	u8 *memory, *model; /* what is there, and what should be */
	void *page[IWSIM_PAGES];
	char other_pd; /* its address is another protection domain */
	struct hca_tpt_entry *mr; /* all rights */
	struct hca_tpt_entry *read_only, *foreign; /* no rights of writing; of @other_pd */
	struct hca_tpt_entry *window; /* of a queue pair that is none of those here */
	struct hlist_head windows; /* of that queue pair */
	bool is_removed; /* the device was removed */
	struct list_head spans;
	struct hca_cq cq[IWSIM_CQS];
	u32 cq_load[IWSIM_CQS]; /* completions that may come and were not polled */
	struct hca_srq srq;
	bool has_srq;
	struct list_head srq_recvs;
	u32 srq_posted, srq_reserved; /* requests, and those that messages are on the way for */
};

struct iwsim {
	struct iwsim_node *node[SIM_MAX_NODES];
	int nodes;
	struct iwsim_connection conn[IWSIM_CONNECTIONS];
	int conns;
	bool is_small; /* little memory, for short programs */
};

extern struct iwsim iwsim;

/* The run of a seed, and that of a cut (program.c, cut.c). */
void iwsim_run(void);
void iwsim_cut_run(u64 number);
/* The number of runs that have a cut; known after iwsim_cut_run(0). */
u64 iwsim_cut_count(void);
/* Print what a seed has chosen. */
void iwsim_print(void);

/* Nodes (node.c). */
void iwsim_nodes_new(int nodes);
void iwsim_nodes_free(void);
void iwsim_options_choose(struct hca_rnic_options *options);

/* Memory (memory.c). */
bool iwsim_buffer_new(struct iwsim_buffer *b, struct iwsim_node *node, u32 length, u32 spans);
void iwsim_buffer_get(const struct iwsim_buffer *b, u8 *octets, bool model);
/* Octets that are those of a message; all behind them must have their former value. */
u32 iwsim_buffer_placed(const struct iwsim_buffer *b, const u8 *data, u32 length);
bool iwsim_buffer_changed(const struct iwsim_buffer *b);
/* The contents are right from now on. */
void iwsim_buffer_accept(const struct iwsim_buffer *b);
/* Nothing uses it any more; it is overwritten. */
void iwsim_buffer_free(struct iwsim_buffer *b);
void iwsim_key_new(struct iwsim_key *key, struct iwsim_node *node);
void iwsim_key_free(struct iwsim_key *key);
/* A window or an MR that is not valid yet, and the key that it will have. */
void iwsim_grant_new(struct iwsim_key *key, struct iwsim_node *node, bool is_window);
void iwsim_memory_check(const struct iwsim_node *node);

/* Connections (connection.c). */
/* Return: false if there is no device left. */
bool iwsim_connection_new(struct iwsim_connection *conn,
			  const struct sim_stream_options *options);
void iwsim_connection_begin(struct iwsim_connection *conn);
void iwsim_connection_answer(struct iwsim_end *end, bool accept);
void iwsim_connection_free(struct iwsim_connection *conn);
bool iwsim_is_over(const struct iwsim_connection *conn);
bool iwsim_is_up(const struct iwsim_end *end);
void iwsim_trouble(struct iwsim_connection *conn, u32 trouble);
void iwsim_qp_event(struct hca_qp *qp, enum hca_qp_event event);
int iwsim_modify(struct iwsim_end *end, enum ib_qp_state state);
void iwsim_qp_destroy(struct iwsim_end *end);
u8 iwsim_state(const struct iwsim_end *end);
/* Remove the device of a node. */
void iwsim_remove(struct iwsim_node *node);
/* No Read begins beyond the limit. */
void iwsim_check_reads(struct iwsim_end *end);

/* Posting (post.c). */
bool iwsim_post_recv(struct iwsim_end *end, u32 length);
struct iwsim_op *iwsim_op_new(struct iwsim_end *end, u8 opcode, u32 length, u8 flags);
bool iwsim_op_post(struct iwsim_end *end, struct iwsim_op *op);
void iwsim_op_free(struct iwsim_op *op);
void iwsim_recv_free(struct iwsim_recv *recv);
void iwsim_ring(struct iwsim_end *end);
/* The octets that the next Send can have; -1: no receive request waits for it. */
s64 iwsim_send_capacity(const struct iwsim_end *end);
bool iwsim_is_send(u8 opcode);
bool iwsim_is_read(u8 opcode);
bool iwsim_is_local(u8 opcode);
bool iwsim_is_grant(u8 opcode);

/* Requests that are wrong (spoil.c). NULL: none fits. */
const struct iwsim_spoiler *iwsim_spoiler_choose(const struct iwsim_end *end,
						 const struct iwsim_op *op);
void iwsim_spoil(struct iwsim_end *end, struct iwsim_op *op, struct hca_send_wqe *wqe);
/* Whether a request may complete with an error that is not a flush. */
bool iwsim_may_fail(const struct iwsim_end *end, const struct iwsim_op *op, u8 status);
bool iwsim_may_succeed(const struct iwsim_op *op);
bool iwsim_may_be_received(const struct iwsim_op *op);
/* Whether the request that a Send has taken may complete with an error. */
bool iwsim_may_fail_recv(const struct iwsim_op *op, u8 status);
/* Check the result of a wrong request that was the only trouble of its connection. */
void iwsim_spoiler_check(const struct iwsim_connection *conn);
/* Whether a connection cannot survive its wrong request. */
bool iwsim_spoiler_is_sure(const struct iwsim_connection *conn);

/* Completions (model.c). */
void iwsim_poll(struct iwsim_node *node);
void iwsim_poll_all(void);
/* Check how far the requests of both ends have come, whose connection has ended. */
void iwsim_resolve(struct iwsim_connection *conn);
/* All requests of an end have succeeded. */
void iwsim_check_complete(struct iwsim_end *end);

/* Time (time.c). */
bool iwsim_step(struct iwsim_connection *conn);
void iwsim_settle(void);
void iwsim_wait(u32 milliseconds);

/* The end of connections, and what must hold then (end.c). */
void iwsim_conclude(struct iwsim_connection *conn);
void iwsim_end(void);

#endif
