/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The provider among its own files: its objects, each around that of libibverbs, and the verbs
 * that libhca.c hands to libibverbs.
 *
 * Verbs run in the caller's thread, in any number of threads at once. Those that make objects
 * return NULL and set errno when they fail; all others return 0 or an errno, if not said
 * otherwise.
 */
#ifndef HCA_LIBHCA_H
#define HCA_LIBHCA_H

#include "ibverbs_abi.h"
#include "infiniband/hcadv.h"
#include "ring.h"

#define HCA_MAX_PORTS 255

/* The table of queue pairs: chunks, and places in each of them. */
#define HCA_QP_CHUNKS 64
#define HCA_QP_CHUNK 256

struct hca_qp;

struct hca_context {
	struct verbs_context verbs;
	int doorbell; /* file descriptor */
	int events; /* of EE contexts: file descriptor, or -1: nobody has needed it yet */
	pthread_mutex_t events_lock; /* opening it */
	uint8_t num_ports;
	uint16_t num_gids[HCA_MAX_PORTS + 1]; /* GID table's length, by port number */
	struct hca_qp **qps[HCA_QP_CHUNKS]; /* by number; NULL: none there so far */
};

struct hca_pd {
	struct ibv_pd pd;
	atomic_uint num_ahs; /* address handles in it, of which the kernel knows nothing */
};

struct hca_ah {
	struct ibv_ah ah;
	struct hca_av av;
};

struct hca_cq {
	struct ibv_cq cq;
	struct hca_queue queue;
};

struct hca_srq {
	struct ibv_srq srq;
	struct hca_queue queue;
	uint32_t max_sge;
};

/* A list of requests that ibv_wr_start() has begun, under the send queue's lock. */
struct hca_wr {
	uint8_t states; /* in which it may be begun, as send_states below */
	uint16_t opcodes; /* granted at creation: bits of enum ibv_wr_opcode */
	int error; /* the first one: nothing of the list will be posted */
	uint32_t producer; /* where the next request goes */
	struct hca_send_wqe *wqe; /* the request being written; NULL: none */
};

struct hca_qp {
	struct verbs_qp verbs;
	struct hca_queue sq, rq;
	/* States in which one may post: bits of enum ibv_qp_state; none if there is no such queue. */
	uint8_t send_states, recv_states;
	/* What the engine granted. */
	uint32_t max_send_sge, max_recv_sge;
	uint32_t max_inline; /* octets */
	struct hca_wr wr;
	uint32_t driver_type; /* enum hca_driver_qp_type; 0: one of libibverbs' */
	struct hcadv_qp_ex dv;
};

#define HCA_CONTAINER(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

static inline struct hca_context *to_hca_context(struct ibv_context *context)
{
	return HCA_CONTAINER(context, struct hca_context, verbs.context);
}

static inline struct hca_pd *to_hca_pd(struct ibv_pd *pd)
{
	return HCA_CONTAINER(pd, struct hca_pd, pd);
}

static inline struct hca_ah *to_hca_ah(struct ibv_ah *ah)
{
	return HCA_CONTAINER(ah, struct hca_ah, ah);
}

static inline struct hca_cq *to_hca_cq(struct ibv_cq *cq)
{
	return HCA_CONTAINER(cq, struct hca_cq, cq);
}

static inline struct hca_srq *to_hca_srq(struct ibv_srq *srq)
{
	return HCA_CONTAINER(srq, struct hca_srq, srq);
}

static inline struct hca_qp *to_hca_qp(struct ibv_qp *qp)
{
	return HCA_CONTAINER(qp, struct hca_qp, verbs.qp);
}

/* libhca.c */
bool hca_is_ours(struct ibv_device *device);

/* events.c: the file is opened when it is needed. */
void hca_events_init(struct hca_context *context);
void hca_events_close(struct hca_context *context);

/* doorbell.c */

/**
 * hca_doorbell_open() - get the doorbell of a context
 * @context: known to the kernel; its member doorbell is set
 */
int hca_doorbell_open(struct hca_context *context);
void hca_doorbell_close(struct hca_context *context);

/**
 * hca_doorbell_ring() - have the engine look at a queue pair's rings
 * @context: the queue pair's
 * @qpn: its number
 *
 * When this returns the engine has done what it can, or has handed on the rest. No lock is held.
 * Return: 0; EIO: the device has gone.
 */
int hca_doorbell_ring(const struct hca_context *context, uint32_t qpn);

/* device.c */
int hca_query_device(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		     struct ibv_device_attr_ex *attr, size_t attr_size);
int hca_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *attr);

/**
 * hca_learn_ports() - note what address handles are checked against
 * @context: known to the kernel; num_ports and num_gids are set
 */
int hca_learn_ports(struct hca_context *context);

/* pd.c */
struct ibv_pd *hca_alloc_pd(struct ibv_context *context);
int hca_dealloc_pd(struct ibv_pd *pd);

/* ah.c */
bool hca_ah_attr_valid(const struct hca_context *context, const struct ibv_ah_attr *attr);
void hca_av_fill(struct hca_av *av, const struct ibv_ah_attr *attr);
void hca_av_to_ah_attr(const struct hca_av *av, struct ibv_ah_attr *attr);
struct ibv_ah *hca_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr);
int hca_destroy_ah(struct ibv_ah *ah);

/* mr.c */
struct ibv_mr *hca_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, int access);
int hca_dereg_mr(struct verbs_mr *mr);

/* mw.c */
struct ibv_mw *hca_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type);
int hca_dealloc_mw(struct ibv_mw *mw);
int hca_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);

/* cq.c */
struct ibv_cq *hca_create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel,
			     int comp_vector);
int hca_destroy_cq(struct ibv_cq *cq);

/**
 * hca_poll_cq() - take completions
 * @cq: the completion queue
 * @n: at most so many
 * @wc: where to
 *
 * Return: how many there were; never negative, for completions say all by themselves.
 */
int hca_poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc);

/**
 * hca_req_notify_cq() - ask for an event when the next completion is added
 * @cq: the completion queue
 * @solicited_only: only if that one is solicited or an error
 *
 * Not for completions that are there already: poll once more after this. Asking for any
 * completion is not undone by asking for solicited ones. Return: 0.
 */
int hca_req_notify_cq(struct ibv_cq *cq, int solicited_only);

/* srq.c */
struct ibv_srq *hca_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr);
int hca_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask);
int hca_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr);
int hca_destroy_srq(struct ibv_srq *srq);

/**
 * hca_cq_clean() - a queue pair is reset or destroyed: unpolled completions free no entries
 * @cq: one of its completion queues
 * @qp: the queue pair
 *
 * The kernel adds no more of them. When this returns, nobody who polls @cq works on a completion
 * of @qp from before.
 */
void hca_cq_clean(struct ibv_cq *cq, const struct hca_qp *qp);

/* qp_table.c */

/**
 * hca_qp_table_add() - let completions find a queue pair
 * @context: its context
 * @qp: the queue pair, known to the kernel
 *
 * Return: 0 or ENOMEM.
 */
int hca_qp_table_add(struct hca_context *context, struct hca_qp *qp);

/* Undo it. Who has found it before may still use it, under the lock of a completion queue. */
void hca_qp_table_remove(struct hca_context *context, struct hca_qp *qp);

/**
 * hca_qp_table_find() - look up the queue pair of a completion
 * @context: the completion queue's
 * @qpn: the number that the completion has
 *
 * The completion queue's lock is held; the queue pair stays until it is released.
 * Return: the queue pair, or NULL: it has gone.
 */
struct hca_qp *hca_qp_table_find(struct hca_context *context, uint32_t qpn);
void hca_qp_table_free(struct hca_context *context);

/* qp.c */
struct ibv_qp *hca_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);

/**
 * hca_make_qp() - make a queue pair of any type
 * @attr: what it is to be
 * @driver: if its type is IBV_QPT_DRIVER: what uverbs does not know of it; else NULL
 *
 * Return: the queue pair, or NULL and errno is set: EOPNOTSUPP, EINVAL for what is wrong with
 * @attr, and what <rdma/hca-abi.h> says of create QP.
 */
struct ibv_qp *hca_make_qp(struct ibv_qp_init_attr_ex *attr,
			   const struct hca_create_qp_req *driver);
struct ibv_qp *hca_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr);
int hca_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		 struct ibv_qp_init_attr *init);
int hca_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
int hca_destroy_qp(struct ibv_qp *qp);

/* post.c */

/**
 * hca_post_send() - post send requests
 * @qp: the queue pair
 * @wr: a list of them; inline data is copied before this returns
 * @bad: if this fails: the first request that was not taken; those before it were
 *
 * Return: 0; EINVAL: the queue pair's state, or something in the request; ENOMEM: the queue is
 * full; EIO: the device has gone, and what was taken with it (@bad is the first then).
 */
int hca_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);

/* The same for receive requests. */
int hca_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int hca_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);

/**
 * hca_write_bind() - write the part of a request that binds a window
 * @wqe: the request
 * @mw: the window
 * @rkey: its new key, of which the low octet counts: some programs make it of the region's
 * @info: of which region what part; the region may be NULL if there is none
 */
void hca_write_bind(struct hca_send_wqe *wqe, const struct ibv_mw *mw, uint32_t rkey,
		    const struct ibv_mw_bind_info *info);

/**
 * hca_queue_wake() - have the engine look at what has been published, unless it is at it
 * @queue: one of @qp's
 * @qp: the queue pair
 *
 * No lock is held: the engine may do all the work in there. Return: 0; EIO: the device has gone.
 */
int hca_queue_wake(const struct hca_queue *queue, const struct ibv_qp *qp);

/* wr.c */

/**
 * hca_wr_opcodes() - which requests a queue pair takes through ibv_wr_start() and its like
 * @type: the queue pair's
 * @driver_type: enum hca_driver_qp_type, if @type is IBV_QPT_DRIVER
 *
 * Return: bits of enum ibv_wr_opcode, which are those of enum ibv_qp_create_send_ops_flags.
 */
uint64_t hca_wr_opcodes(enum ibv_qp_type type, uint32_t driver_type);

/**
 * hca_wr_enable() - let a queue pair be used through ibv_wr_start() and its like
 * @qp: made, and not yet known to the caller
 * @opcodes: those that it shall take, of hca_wr_opcodes()
 */
void hca_wr_enable(struct hca_qp *qp, uint64_t opcodes);

#endif
