/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Channel adapters around a hub, a program of verbs that runs on them, and a model that predicts
 * its results. One simulation exists at a time, and everything in it follows from its seed.
 */
#ifndef HCA_TESTS_SIM_H
#define HCA_TESTS_SIM_H

#include <linux/bits.h>
#include <linux/list.h>
#include "qp/qp.h"
#include "qp/srq.h"
#include "shim.h"
#include "tools/lib/rng.h"
#include "transport/group.h"
#include "transport/rd/rd_eec.h"
#include "transport/xrc/xrc.h"

enum sim_limits {
	SIM_MAX_NODES = 8,
	SIM_PORTS = 2, /* of each node */
	SIM_MAX_AREAS = 4, /* of each process */
	SIM_PROCESSES = 2, /* of each node */
	SIM_XRC_SRQS = 4, /* of each node */
	SIM_SRQS = 1 + SIM_XRC_SRQS, /* the first one is not for XRC */
	SIM_CQS = 2 + SIM_XRC_SRQS,
	SIM_MAX_SGE = 4,
	SIM_MAX_INLINE = 200,
	SIM_MAX_LENGTH = 100000, /* of a message */
	SIM_SRQ_CAPACITY = 4200, /* minimum of each receive request; a datagram fits */
	SIM_FIRST_LID = 0x4001,
};

/* Probabilities are in units of 2^-32. */
enum sim_fault {
	SIM_DROP,
	SIM_DUP,
	SIM_REORDER,
	SIM_CORRUPT,
	SIM_NUM_FAULTS,
};

/* The seed decides each option that is negative, and the number of nodes if it is 0. */
struct sim_options {
	u64 seed, seeds;
	s64 chance[SIM_NUM_FAULTS]; /* probabilities, of 2^32 */
	s64 delay_ns;
	s32 nodes, ops;
	u32 types; /* bits: enum ib_qp_type */
	bool trace;
	bool fabric; /* several switches, and packets without queue pairs (fabric.h) */
	bool iwarp; /* RNICs instead of channel adapters (iwarp/iwsim.h) */
	bool cut; /* iWARP: short programs, cut at each octet */
};

/* Read the command line; a wrong one ends the program. */
void sim_options_read(struct sim_options *given, int argc, char **argv);

/*
 * Memory that an application has registered, or had: its content, and the content it should have.
 */
struct sim_area {
	struct sim_node *node;
	struct hca_tpt_entry *mr; /* NULL: the MR is deregistered */
	u32 key, access, length;
	u64 iova;
	u8 *backing; /* pages, in the order in which they were allocated */
	void **page; /* the pages in the order of the MR */
	u32 num_pages, first_offset;
	u8 *model;
	struct list_head spans; /* in use by work requests */
};

/* A segment of an area that one work request uses exclusively. */
struct sim_span {
	struct list_head node;
	struct sim_area *area; /* NULL: no memory, or the memory is released */
	u32 offset, length;
};

/* How memory compares with a message of @length octets that would be placed there. */
struct sim_likeness {
	bool old; /* all octets have their old value */
	bool fresh; /* all octets have the value of the message */
	bool either; /* each octet has one of these values */
	bool rest; /* all octets behind the message have their old value */
};

/* A process of a node, which has a protection domain of its own; the domain is its address. */
struct sim_process {
	struct sim_node *node;
	struct sim_area *area[SIM_MAX_AREAS];
};

struct sim_srq {
	struct hca_srq core;
	bool exists;
	struct sim_node *node;
	struct sim_process *process;
	/* XRC: its number, its XRC domain, and the CQ of its receive requests; otherwise NULL */
	struct hca_xrc_srq *xrc;
	const void *xrcd;
	struct hca_cq *cq;
	struct list_head recvs; /* posted, and not known to be completed */
	bool spoiled; /* memory of some receive requests is deregistered */
	u32 limit; /* the armed limit; 0: not armed */
	/*
	 * number of queue pairs that were destroyed or reset while they may have had a request in
	 * progress
	 */
	u32 lost;
};

struct sim_node {
	int index;
	struct sim_srq srq[SIM_SRQS];
	struct hca_ca ca;
	struct hca_ci *ci; /* what consumers know of ca */
	struct hca_port ports[SIM_PORTS + 1];
	struct hca_cq cq[SIM_CQS];
	u32 num_cqs, num_processes;
	struct sim_process process[SIM_PROCESSES];
	char xrcd[2]; /* the XRC domains are the addresses of these */
	bool troubled; /* one of its EE contexts has been in Error */
};

struct sim_path {
	u8 port; /* local port; 0: no path */
	u16 dlid;
};

/* The paths of one end of a connection or of a pair of EE contexts, and its migration state. */
struct sim_migration {
	const struct hca_eec *eec; /* NULL: there is no connection */
	struct sim_node *node;
	struct sim_qp *qp; /* either qp or rd_eec is set */
	struct sim_rd_eec *rd_eec;
	struct sim_migration *peer;
	u8 state; /* enum ib_mig_state */
	bool loaded; /* "other" is valid as an alternate path */
	struct sim_path used, other;
	struct sim_path cut; /* packets by this path are accepted and dropped */
	u64 changed_ns;
	bool posthumous; /* the end changed after it entered Error; its event is reported later */
	u32 harm; /* the value of the flow's "harm" when the retry counters were reset */
	u32 late; /* packets queued at the port when the path changed; they leave by the old path */
	bool mixed; /* there were such packets: packets may leave by two ports, in any order */
	bool unreported, refused; /* pending events: path migrated, and path migration error */
};

/* One of the two EE contexts of a reliable datagram connection. */
struct sim_rd_eec {
	struct list_head in_world;
	int index;
	struct sim_node *node;
	struct hca_rd_eec *rd_eec; /* NULL: the EE context is destroyed */
	u32 eecn;
	struct sim_rd_eec *peer;
	struct hca_qp_attr attr;
	/* packets in both directions that the hub dropped, duplicated, delayed or corrupted */
	u32 harm;
	bool rough; /* it may enter Error for other reasons, too */
	struct sim_migration migration;
	bool seen; /* a request has been sent; highest is valid */
	u32 highest; /* the highest PSN sent */
	bool notify; /* SQD: the end of the drain is to be reported */
	bool drained; /* the end of the drain was reported */
	u32 begun; /* number of messages begun since the drain */
	u64 changed_ns; /* when the drain was requested, or ended */
};

struct sim_op_kind;

/* An MR that one message is to invalidate. */
struct sim_victim {
	struct sim_node *node;
	struct hca_tpt_entry *mr;
	u32 key;
	void *page[1];
};

enum sim_op_state {
	SIM_POSTED,
	SIM_SUCCEEDED, /* also: a later request's completion will imply it */
	SIM_FAILED,
	SIM_FLUSHED,
	SIM_DISCARDED, /* the queue pair was reset or destroyed */
};

/* A send request. */
struct sim_op {
	struct list_head in_flow, in_queue;
	const struct sim_op_kind *kind;
	struct sim_qp *qp;
	u64 wr_id;
	u8 flags; /* enum hca_wqe_flags */
	enum sim_op_state state;
	u32 length;
	u8 *payload; /* the data that is sent, or is to be returned */
	struct sim_span local[SIM_MAX_SGE];
	struct sim_span remote;
	u8 result[8]; /* atomics: the new value of the remote memory */
	__be32 imm;
	struct sim_victim *victim;
	u32 may; /* bits: statuses that are possible in addition to those of the flow */
	u8 error; /* enum hca_vendor_err of what is wrong with it; 0: that is not known */
	bool must; /* the request cannot succeed */
	/* unreliable services: only the receiver detects the error, and does not report it */
	bool astray;
	bool executed; /* the responder is known to have executed it */
	u32 harm; /* the value of the flow's "harm" when the request was posted */
	u32 index; /* index in its send queue */
	u32 psn, packets; /* connections */
	u32 rnrs; /* number of RNR NAKs for it */
	bool unready; /* there was no receive request for it */
	bool slips; /* unreliable services: the message may be lost without a fault */
	/* index of the receive request that it consumes, or that the next one will */
	u32 recv_index;
	bool promised; /* a credit for its receive request was advertised when it was sent */
	struct sim_qp *flow_to; /* at the other end of the connection */
	struct sim_srq *srq; /* where its receive request comes from; NULL: not from an SRQ */
	u32 srqn; /* XRC: the number of that SRQ */
	struct sim_qp *to; /* datagrams */
	u32 group; /* multicast: the number of the group; otherwise 0 */
	/*
	 * the group's members, as bits by index: may receive it, must receive it, have received it
	 */
	u64 could, sure, got;
	struct sim_rd_eec *rd_eec; /* reliable datagrams */
	bool rough; /* the EE context has been in Error since the request was posted */
	bool frail; /* it cannot succeed in the present state of EE context and receiver */
	u32 to_qpn, from_qpn;
	bool grh;
};

/* A receive request. */
struct sim_recv {
	struct list_head in_queue;
	struct sim_srq *srq; /* NULL: it is one of a queue pair */
	u64 wr_id;
	u32 capacity;
	struct sim_span local[SIM_MAX_SGE];
	u32 may;
	u8 error; /* enum hca_vendor_err of what is wrong with it; 0: that is not known */
	u32 index;
};

/* The requests of one queue pair on one connection. */
struct sim_flow {
	struct list_head in_world;
	struct sim_qp *from, *to; /* to: NULL for datagrams */
	struct list_head ops; /* in the order in which they were posted */
	struct list_head *done; /* the last one that is known to be executed, or the list head */
	u32 consumes_recv; /* number of requests that consume a receive request */
	u32 next_psn; /* the first PSN of the next request */
	bool repeats; /* packets may be sent again, because a receiver was not ready */
	bool far; /* a round trip takes longer than the wait for an early retry */
	bool uneasy; /* retries may be needed, and may be exhausted, even without faults */
	/* packets in both directions that the hub dropped, duplicated, delayed or corrupted */
	u32 harm;
	bool seen; /* a request has crossed the hub; highest is valid */
	u32 highest; /* the highest PSN that has crossed it */
	/* all PSNs before this one are acknowledged, as far as the sender has received */
	u32 acked;
	/*
	 * the highest PSN that the receiver has acknowledged, and the highest with a response,
	 * since the request of that PSN has left for the last time
	 */
	u32 acknowledged, responded;
	bool unlimited; /* the receiver advertises no credits, and so does not limit the sender */
	u32 allowed; /* number of receive requests for which credits were advertised */
};

struct sim_qp {
	struct list_head in_world;
	int index;
	struct sim_node *node;
	struct sim_process *process;
	struct hca_qp *qp; /* NULL: the queue pair is destroyed */
	u32 qpn; /* the number that it has, or had last */
	u8 type; /* enum ib_qp_type */
	u8 state; /* enum ib_qp_state, according to the model */
	bool notify; /* SQD: the end of the drain is to be reported */
	bool drained; /* the end of the drain was reported */
	/* first PSN not sent when the drain was requested, the port's queue included */
	u32 sqd_psn;
	bool may_error; /* it may be in Error although the model does not know */
	bool sends_ended; /* a request has failed or was flushed, and so will be all later ones */
	bool recvs_ended;
	bool signal_all;
	struct hca_cq *send_cq, *recv_cq; /* NULL: it has none */
	struct sim_srq *srq; /* or NULL */
	const void *xrcd; /* XRC target: its XRC domain */
	bool refused; /* it has refused a request with a NAK, and is therefore in Error */
	bool last_wqe; /* in Error: the last-WQE-reached event was reported */
	u32 groups; /* bits: the groups that it is attached to */
	bool blocks; /* it blocks loopback of its own multicasts */
	bool other_rdd; /* RD: its RD domain differs from that of the EE contexts */
	bool unwell; /* RD: it may be in Error, or may enter it by itself */
	struct hca_qp_attr attr;
	struct sim_qp *peer;
	struct sim_flow *out, *in;
	struct sim_migration migration; /* connections */
	struct list_head sends, recvs; /* posted, and not known to be completed */
	u32 recvs_posted;
};

struct sim_hub {
	struct hca_node node;
	struct hca_packet_pool pool;
	struct hca_port ports[SIM_MAX_NODES * SIM_PORTS + 1];
	struct sim_hub_port *port;
	struct sim_held **held; /* a heap; the top is the packet that is due first */
	u32 num_held, room;
	u64 sequence;
	u64 packets, dropped;
	u64 relieved_ns; /* when a node's credits were last restored */
};

struct sim {
	struct sim_options how; /* every choice of the seed is filled in */
	struct rng program, faults, resizes;
	bool clean; /* the run has no faults */
	bool thorough; /* all memory is compared after each event */
	bool tracing;
	bool over; /* the final checks are done; completions during the teardown are not checked */
	u64 next_id;
	u32 laziness; /* the reciprocal of the probability of polling */
	struct sim_node node[SIM_MAX_NODES];
	struct sim_hub hub;
	struct list_head qps, flows, rd_eecs;
	u32 num_qps, num_rd_eecs;
	u64 completions;
};

extern struct sim sim;

static inline u16 sim_lid(const struct sim_node *node, u8 port)
{
	return SIM_FIRST_LID + node->index * SIM_PORTS + port - 1;
}

/* A port's GUID is its LID; @global: the address vector has a GRH to that GUID. */
static inline void sim_route(struct hca_av *av, bool global)
{
	av->has_grh = global;
	av->dgid[0] = 0xfe;
	av->dgid[1] = 0x80;
	av->dgid[14] = av->dlid >> 8;
	av->dgid[15] = av->dlid;
}

/* NULL: the LID belongs to no node. */
static inline struct sim_node *sim_node_of(u16 lid)
{
	u16 index = (u16)(lid - SIM_FIRST_LID) / SIM_PORTS;

	return index < sim.how.nodes ? &sim.node[index] : NULL;
}

/* Random numbers (random.c) from the stream of the program, unless a stream is named. */
u32 sim_below(u32 ceiling);
bool sim_chance(u32 n, u32 of);
void sim_fill(void *octets, u32 length);

#define SIM_ALL_RIGHTS (IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE | \
			IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_REMOTE_ATOMIC | \
			HCA_FLUSH_ACCESS)

/* Creation and teardown (world.c, qp.c, connect.c). */
void sim_world_new(void);
void sim_world_free(void);
struct sim_qp *sim_qp_new(struct sim_node *node, u8 type);
bool sim_type_exists(u8 type);
void sim_qp_destroy(struct sim_qp *qp);
void sim_qp_to_reset(struct sim_qp *qp);
void sim_qp_to_error(struct sim_qp *qp);
void sim_qp_again(struct sim_qp *qp); /* back to RTS from SQE or SQD */
void sim_qp_drain(struct sim_qp *qp);
void sim_qp_drained(struct sim_qp *qp); /* handles the event */
void sim_rd_eec_drain(struct sim_rd_eec *c);
void sim_rd_eec_again(struct sim_rd_eec *c);
void sim_rd_eec_drained(struct sim_rd_eec *c);
void sim_rd_eec_leave(struct sim_rd_eec *c, bool begins, bool again);
void sim_qp_event(struct hca_qp *core, enum hca_qp_event event);
void sim_qp_modify(struct sim_qp *qp, const struct hca_qp_attr *attr, int mask);
void sim_qp_fill(struct sim_qp *qp);
void sim_flow_free(struct sim_flow *flow);
void sim_connect(struct sim_qp *a, struct sim_qp *b);
void sim_start_datagrams(struct sim_qp *qp);
void sim_random_attrs(struct sim_qp *a, struct sim_qp *b);
bool sim_is_impatient(const struct hca_qp_attr *attr, const struct sim_node *a,
		      const struct sim_node *b);
bool sim_is_datagram(const struct sim_qp *qp);
bool sim_is_reliable(const struct sim_qp *qp);
u8 sim_core_state(const struct sim_qp *qp);
u32 sim_mtu(const struct sim_qp *qp);
struct sim_qp *sim_qp_find(const struct sim_node *node, u32 qpn);

/* The network (wire.c). */
void sim_hub_new(void);
void sim_hub_free(void);
u64 sim_hub_next_ns(void);
void sim_hub_deliver(void);
void sim_hub_stall(const struct sim_node *node);
void sim_hub_relieve(const struct sim_node *node);
bool sim_hub_is_stalled(const struct sim_node *node);
bool sim_hub_carries(const struct sim_qp *qp);
bool sim_hub_carries_rd_eec(const struct sim_rd_eec *c);
bool sim_is_response(const struct hca_packet *pkt);
bool sim_is_rnr(const struct hca_packet *pkt);
void sim_left(const struct hca_packet *pkt);
struct sim_flow *sim_flow_of(const struct hca_packet *pkt);

/* Copies of packets in transit (transit.c). */
struct hca_packet *sim_packet_copy(struct hca_packet_pool *pool, struct hca_packet *pkt, s64 flip);
struct hca_packet *sim_packet_copy_again(struct hca_packet *held);

/* Reliable datagrams: EE contexts (rd_eec.c) and messages (reliable.c). */
void sim_rd_eecs_new(void);
void sim_rd_eecs_free(void);
void sim_rd_eecs_trouble(const struct sim_node *node);
void sim_rd_eec_act(void);
void sim_rd_eecs_go_on(void);
void sim_rd_eec_modify(struct sim_rd_eec *c, const struct hca_qp_attr *attr, int mask);
u8 sim_rd_eec_state(const struct sim_rd_eec *c);
void sim_rd_eec_event(struct hca_rd_eec *core, enum hca_qp_event event);
void sim_rd_eec_trouble(struct sim_rd_eec *c);
void sim_rd_eec_harm(struct sim_rd_eec *c);
void sim_rd_eec_check(const struct hca_packet *pkt, struct sim_rd_eec *c);
struct sim_rd_eec *sim_rd_eec_of(const struct hca_packet *pkt);
struct sim_rd_eec *sim_rd_eec_find(const struct sim_node *node, u32 eecn);
struct sim_rd_eec *sim_rd_eec_pick(const struct sim_node *node);
bool sim_rd_address(struct sim_op *op, struct hca_send_wqe *wqe);
void sim_rd_judge(struct sim_op *op, struct hca_send_wqe *wqe);
u32 sim_rd_statuses(const struct sim_op *op);
struct sim_op *sim_rd_arrived(const struct sim_qp *qp, const struct sim_recv *recv,
			      const struct hca_cqe *cqe);
bool sim_rd_may_end(const struct sim_qp *qp, u8 status);

/* Path migration (migrate.c). */
void sim_migration_begin_qps(struct sim_qp *a, struct sim_qp *b);
void sim_migration_begin_rd_eecs(struct sim_rd_eec *a, struct sim_rd_eec *b);
struct sim_migration *sim_migration_of(const struct hca_packet *pkt);
bool sim_migration_recv(struct sim_migration *m, const struct hca_port *port,
			const struct hca_packet *pkt);
void sim_migration_done(struct sim_migration *m);
void sim_migration_leave(struct sim_migration *m, const struct hca_packet *pkt);
bool sim_migration_is_cut(const struct sim_migration *m, const struct hca_packet *pkt);
bool sim_migration_agrees(const struct sim_migration *m);
void sim_migration_event(struct sim_migration *m, enum hca_qp_event event);
void sim_migration_gave_up(struct sim_migration *m);
void sim_migration_act(struct sim_migration *m);
void sim_migration_end(struct sim_migration *m);

/* End-to-end credits (credit.c). */
void sim_credit_recv(struct sim_flow *flow, const struct hca_packet *pkt);
void sim_credit_spend(const struct sim_flow *flow, struct sim_op *op, u32 psn);
void sim_credit_refuse(const struct sim_flow *flow, const struct sim_op *op);

/* Multicast (group.c). */
void sim_group_act(struct sim_qp *qp);
void sim_groups_detach(struct sim_qp *qp);
void sim_groups_unwell(const struct sim_qp *qp);
void sim_group_address(struct sim_op *op, struct hca_send_wqe *wqe);
bool sim_group_awaits(const struct sim_op *op, const struct sim_qp *qp);
void sim_group_got(struct sim_op *op, const struct sim_qp *qp);

/* Shared receive queues (srq.c). */
void sim_srq_new(struct sim_srq *srq, struct sim_process *process);
void sim_srqs_free(struct sim_node *node);
void sim_srq_arm(struct sim_srq *srq);
void sim_srqs_check(const struct sim_node *node);
void sim_srq_resize(struct sim_srq *srq); /* now and then */
bool sim_srq_post(struct sim_srq *srq);
bool sim_uses_srq(const struct sim_qp *qp, const struct sim_srq *srq);
bool sim_uses_srqs(const struct sim_qp *qp);
void sim_srqs_lose(struct sim_qp *qp);
void sim_srq_end(struct sim_srq *srq);
void sim_srqs_end(struct sim_node *node);

/* Extended reliable connections (xrc.c). */
void sim_xrc_srqs_new(struct sim_node *node);
void sim_xrc_srq_renew(struct sim_srq *srq);
void sim_xrc_srqs_withdraw(struct sim_node *node);
struct sim_srq *sim_xrc_srq_pick(const struct sim_qp *tgt);
void sim_xrc_address(struct sim_op *op, struct hca_send_wqe *wqe);
void sim_xrc_judge(struct sim_op *op, struct hca_send_wqe *wqe);

/* Memory (memory.c). */
struct sim_area *sim_area_new(struct sim_process *process, u32 length, u32 access);
void sim_area_free(struct sim_area *area);
void sim_area_deregister(struct sim_area *area);
void sim_area_check(const struct sim_area *area);
bool sim_span_alloc(struct sim_span *span, struct sim_process *process, u32 length, u32 access,
		    u32 align);
void sim_span_drop(struct sim_span *span);
u64 sim_span_addr(const struct sim_span *span);
void sim_span_read(const struct sim_span *span, u8 *octets);
void sim_spans_drop(struct sim_span *span, int n);
struct sim_likeness sim_spans_compare(const struct sim_span *span, int n, u32 skip,
				      const u8 *message,
				      u32 length);

/* Keys that SEND with invalidate ends (victim.c). */
struct sim_victim *sim_victim_new(struct sim_process *process);
void sim_victim_free(struct sim_victim *victim);
bool sim_victim_is_dead(const struct sim_victim *victim);

/* The program (program.c, post.c). */
void sim_program_run(void);
bool sim_post_send(struct sim_qp *qp);
int sim_spans_alloc(struct sim_process *process, struct sim_span *span, u32 length, u32 access);
void sim_spans_write(struct hca_sge *sge, const struct sim_span *span, int n);
struct sim_recv *sim_recv_at(struct sim_qp *qp, u32 index);
bool sim_datagram_slips(const struct sim_qp *to, u32 length);
bool sim_post_recv(struct sim_qp *qp, bool sound);
void sim_ring(struct sim_qp *qp, const struct hca_queue *queue);
u32 sim_random_length(u32 mtu, u32 limit);
u64 sim_next_id(void);

/* The model (model.c, effects.c). */
void sim_succeeded(struct sim_op *op);
void sim_executed(struct sim_op *op);
bool sim_flow_uneasy(const struct sim_flow *flow);
void sim_flow_disturb(struct sim_flow *flow);
void sim_flow_retries_anew(struct sim_flow *flow);
struct sim_op *sim_flow_next(struct sim_flow *flow);
struct sim_op *sim_flow_op(struct sim_flow *flow, u32 recv_index);
struct sim_op *sim_flow_awaited(const struct sim_flow *flow);
void sim_flow_match(struct sim_flow *flow, struct sim_op *op, struct sim_recv *recv);
void sim_flow_orphan(struct sim_flow *flow, const struct sim_srq *srq);
void sim_flow_close(struct sim_flow *flow);
void sim_qp_discard(struct sim_qp *qp);
void sim_qp_unwell(struct sim_qp *qp);
void sim_recv_deliver(struct sim_qp *qp, struct sim_recv *recv, const struct hca_cqe *cqe);
bool sim_recv_holds(const struct sim_recv *recv, const struct sim_op *op,
		    const struct hca_cqe *cqe);
void sim_recv_end(struct sim_recv *recv);
/* Check vendor_err of a completion (error.c). @error: the one of the request, or 0. */
void sim_check_error(const struct sim_qp *qp, const struct hca_cqe *cqe, u8 error);

u32 sim_recv_statuses(const struct sim_qp *qp, const struct sim_recv *recv);
void sim_recv_give_up(struct sim_qp *qp, struct sim_recv *recv);
void sim_local_end(struct sim_op *op);
void sim_poll(void);

/* Checks of the whole state (check.c). */
void sim_check_memory(void);
void sim_check_drained(void);
void sim_check_rd_eecs_drained(void);
void sim_check_end(void);
void sim_check_request(struct sim_flow *flow, const struct hca_packet *pkt);
struct sim_op *sim_flow_psn(const struct sim_flow *flow, u32 psn);

/* A trace for people to read (trace.c). node < 0: the hub. */
void sim_trace_reset(bool all);
void sim_trace(int node, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sim_trace_packet(int node, const char *verb, const struct hca_packet *pkt, const char *what);
void sim_trace_print(void);
const char *sim_status_name(u8 status);
const char *sim_state_name(u8 state);

/* Report a broken invariant and end the run (main.c). */
void sim_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
