/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Internal interface of the provider: its objects, each of which embeds the object of libibverbs,
 * and the verbs that libhca.c registers with libibverbs.
 *
 * Verbs run in the thread of the caller, in any number of threads at once. A function that creates
 * an object returns NULL and sets errno if it fails. Any other function returns 0 or an errno,
 * unless its description says otherwise.
 */
#ifndef HCA_LIBHCA_H
#define HCA_LIBHCA_H

#include "ibverbs_abi.h"
#include "infiniband/hcadv.h"
#include "ring.h"

#define HCA_MAX_PORTS 255

/* Size of the table of queue pairs: chunks, and entries of each chunk. */
#define HCA_QP_CHUNKS 64
#define HCA_QP_CHUNK 256

struct hca_qp;

struct hca_context {
	struct verbs_context verbs;
	int doorbell; /* file descriptor */
	int events; /* file descriptor of EE context events; -1: not opened yet */
	pthread_mutex_t events_lock; /* protects the opening of events */
	uint8_t num_ports;
	uint16_t num_gids[HCA_MAX_PORTS + 1]; /* length of the GID table, by port number */
	struct hca_qp **qps[HCA_QP_CHUNKS]; /* by QP number; NULL: the chunk is not allocated */
};

struct hca_pd {
	struct ibv_pd pd;
	atomic_uint num_ahs; /* address handles of the domain, which exist in this process only */
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

/* The list of requests that ibv_wr_start() has begun; the send queue's lock is held. */
struct hca_wr {
	uint8_t states; /* states in which a list may begin: bits of enum ibv_qp_state */
	uint16_t opcodes; /* opcodes enabled at creation: bits of enum ibv_wr_opcode */
	int error; /* first error of the list, errno; the list will then not be posted */
	uint32_t producer; /* index of the next request */
	struct hca_send_wqe *wqe; /* request being written; NULL: none */
};

struct hca_qp {
	struct verbs_qp verbs;
	struct hca_queue sq, rq;
	/* States that allow posting: bits of enum ibv_qp_state; 0 if the queue does not exist. */
	uint8_t send_states, recv_states;
	/* Limits that the kernel granted. */
	uint32_t max_send_sge, max_recv_sge;
	uint32_t max_inline; /* octets */
	struct hca_wr wr;
	uint32_t driver_type; /* enum hca_driver_qp_type; 0: a type of libibverbs */
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

/* events.c: the file is opened when it is first used. */
void hca_events_init(struct hca_context *context);
void hca_events_close(struct hca_context *context);

/* doorbell.c */

/**
 * hca_doorbell_open() - open the doorbell of a context
 * @context: context that the kernel has allocated; its member doorbell is set
 *
 * Return: 0 or an errno.
 */
int hca_doorbell_open(struct hca_context *context);
void hca_doorbell_close(struct hca_context *context);

/**
 * hca_doorbell_ring() - make the engine process the rings of a queue pair
 * @context: context of the queue pair
 * @qpn: number of the queue pair
 *
 * When this returns the engine has processed what it could and has scheduled the remaining work.
 * The caller holds no lock.
 *
 * Return: 0, or EIO if the device was removed.
 */
int hca_doorbell_ring(const struct hca_context *context, uint32_t qpn);

/* device.c */
int hca_query_device(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		     struct ibv_device_attr_ex *attr, size_t attr_size);
int hca_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *attr);

/**
 * hca_learn_ports() - query the limits by which address handles are checked
 * @context: context that the kernel has allocated; num_ports and num_gids are set
 *
 * Return: 0 or an errno.
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
 * hca_poll_cq() - poll a completion queue
 * @cq: completion queue
 * @n: maximum number of completions
 * @wc: array of @n completions to fill in
 *
 * Return: number of completions polled; never negative.
 */
int hca_poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc);

/**
 * hca_req_notify_cq() - request an event for the next completion
 * @cq: completion queue
 * @solicited_only: request it for a solicited completion or an error only
 *
 * No event follows for completions that are in the queue already, so the caller polls once more
 * afterwards. A request for solicited completions does not cancel one for any completion.
 *
 * Return: 0.
 */
int hca_req_notify_cq(struct ibv_cq *cq, int solicited_only);

/* srq.c */
struct ibv_srq *hca_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr);
int hca_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask);
int hca_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr);
int hca_destroy_srq(struct ibv_srq *srq);

/**
 * hca_cq_clean() - make unpolled completions of a queue pair release no entries of its queues
 * @cq: one of the completion queues of @qp
 * @qp: queue pair that the kernel has reset or destroyed, so that it adds no more completions
 *
 * When this returns, no thread that polls @cq processes an earlier completion of @qp.
 */
void hca_cq_clean(struct ibv_cq *cq, const struct hca_qp *qp);

/* qp_table.c */

/**
 * hca_qp_table_add() - add a queue pair to the table by which completions find it
 * @context: context of the queue pair
 * @qp: queue pair that the kernel has created
 *
 * Return: 0 or ENOMEM.
 */
int hca_qp_table_add(struct hca_context *context, struct hca_qp *qp);

/*
 * Removes a queue pair from the table. A thread that has found it before may still use it while
 * it holds the lock of a completion queue.
 */
void hca_qp_table_remove(struct hca_context *context, struct hca_qp *qp);

/**
 * hca_qp_table_find() - find the queue pair of a completion
 * @context: context of the completion queue
 * @qpn: QP number of the completion
 *
 * The caller holds the lock of the completion queue; the queue pair is valid until it releases it.
 *
 * Return: the queue pair, or NULL if it was destroyed.
 */
struct hca_qp *hca_qp_table_find(struct hca_context *context, uint32_t qpn);
void hca_qp_table_free(struct hca_context *context);

/* qp.c */
struct ibv_qp *hca_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);

/**
 * hca_make_qp() - create a queue pair of any type
 * @attr: attributes of the queue pair
 * @driver: attributes of type IBV_QPT_DRIVER that uverbs does not have; NULL for other types
 *
 * Return: the queue pair, or NULL with errno set to EOPNOTSUPP or EINVAL for invalid attributes,
 * or to an error that <rdma/hca-abi.h> documents for create QP.
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
 * @qp: queue pair
 * @wr: list of requests; inline data is copied before this returns
 * @bad: set on failure to the first request that was not posted; those before it were posted
 *
 * Return: 0, EINVAL (state of the queue pair, or an invalid request), ENOMEM (the queue is full),
 * or EIO (the device was removed and no request of the list is executed; @bad is the first).
 */
int hca_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);

/* Receive requests; arguments and errors are those of hca_post_send(). */
int hca_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int hca_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);

/**
 * hca_write_bind() - write the fields of a WQE that binds a memory window
 * @wqe: send WQE
 * @mw: memory window
 * @rkey: new R_Key, of which only the low octet is used: some programs derive it from the MR's
 * @info: memory region and range; the MR may be NULL for a range of length 0
 */
void hca_write_bind(struct hca_send_wqe *wqe, const struct ibv_mw *mw, uint32_t rkey,
		    const struct ibv_mw_bind_info *info);

/**
 * hca_queue_wake() - ring the doorbell if the engine does not poll the queue
 * @queue: queue of @qp with published entries
 * @qp: queue pair
 *
 * The caller holds no lock: the engine may process all requests during the call.
 *
 * Return: 0, or EIO if the device was removed.
 */
int hca_queue_wake(const struct hca_queue *queue, const struct ibv_qp *qp);

/* wr.c */

/**
 * hca_wr_opcodes() - opcodes that a type of queue pair supports through the ibv_wr_* functions
 * @type: type of the queue pair
 * @driver_type: enum hca_driver_qp_type, if @type is IBV_QPT_DRIVER
 *
 * Return: bits of enum ibv_wr_opcode, which are those of enum ibv_qp_create_send_ops_flags.
 */
uint64_t hca_wr_opcodes(enum ibv_qp_type type, uint32_t driver_type);

/**
 * hca_wr_enable() - enable the ibv_wr_* functions of a new queue pair
 * @qp: queue pair that the consumer has not got yet
 * @opcodes: opcodes to enable, a subset of hca_wr_opcodes()
 */
void hca_wr_enable(struct hca_qp *qp, uint64_t opcodes);

#endif
