/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Internal interface of the provider: its objects, which embed the objects of libibverbs, and the
 * verbs that provider.c registers with libibverbs.
 *
 * Verbs run in the thread of the caller, in any number of threads at once. A function that creates
 * an object returns NULL and sets errno if it fails. Any other function returns 0 or an errno,
 * unless its description differs.
 */
#ifndef HCA_LIBHCA_H
#define HCA_LIBHCA_H

#include <time.h>
#include "ibverbs_abi.h"
#include "infiniband/hcadv.h"
#include "qp_type.h"
#include "ring.h"

#define HCA_MAX_PORTS 255

/* Table of queue pairs (qp_table.c): number of chunks, and number of entries in a chunk. */
#define HCA_QP_CHUNKS 64
#define HCA_QP_CHUNK 256

struct hca_qp;

struct hca_context {
	struct verbs_context verbs;
	int doorbell; /* file descriptor */
	int events; /* file descriptor of EE context events; -1: not opened yet */
	pthread_mutex_t events_lock; /* protects the opening of events */
	bool flush, atomic_write; /* operations that the device and the kernel support */
	bool keep_completions; /* default of hca_qp.keep_completions */
	uint8_t num_ports;
	uint16_t num_gids[HCA_MAX_PORTS + 1]; /* length of the GID table, by port number */
	struct hca_qp **qps[HCA_QP_CHUNKS]; /* QPs by number; NULL: the chunk is not allocated */
};

struct hca_pd {
	struct ibv_pd pd;
	/*
	 * Number of objects that the kernel does not count. In a protection domain, these are
	 * address handles and parent domains. In a parent domain, these are all its objects,
	 * because the kernel counts them in the protection domain.
	 */
	atomic_uint users;
	struct hca_pd *domain; /* PD of this parent domain; NULL: this is not a parent domain */
	uint64_t number; /* the kernel's number of the domain; 0: hca.ko does not report it */
	struct hca_td *td; /* thread domain of this parent domain, or NULL */
};

struct hca_td {
	struct ibv_td td;
	atomic_uint users; /* number of parent domains */
};

struct hca_ah {
	struct ibv_ah ah;
	struct hca_av av;
};

struct hca_cq {
	struct verbs_cq verbs;
	struct hca_queue queue;
	pthread_mutex_t resize_lock; /* allows one resize at a time; taken before queue.lock */
	void *retired; /* pages of former rings (hca_queue_retire()); protected by resize_lock */
	bool ignore_overrun;
	/*
	 * Unless single_threaded is set, queue.lock is held from ibv_start_poll() to
	 * ibv_end_poll(), and protects the members below.
	 */
	bool single_threaded;
	uint32_t next; /* index of the completion after the current one */
	struct hca_cqe current;
	struct hca_qp *qp; /* queue pair of the current completion or an earlier one, or NULL */
};

struct hca_dm {
	struct verbs_dm verbs;
	uint8_t *memory;
	uint64_t length; /* octets of the device memory */
	uint64_t size; /* octets of the mapping at @memory */
};

struct hca_srq {
	struct verbs_srq verbs;
	struct ibv_pd *pd; /* protection domain or parent domain named at creation */
	struct hca_queue queue;
	pthread_mutex_t resize_lock; /* allows one resize at a time; taken before queue.lock */
	uint32_t max_sge;
};

/*
 * The list of requests that a program builds between ibv_wr_start() and ibv_wr_complete(). The send
 * queue's lock protects it.
 */
struct hca_wr {
	uint8_t states; /* bit N: ibv_wr_start() is valid in state N of enum ibv_qp_state */
	uint16_t opcodes; /* bit N: opcode N of enum ibv_wr_opcode was enabled at creation */
	int error; /* errno of the first invalid request; the list is then not posted; 0: none */
	uint32_t producer; /* index of the next request */
	struct hca_send_wqe *wqe; /* request being written; NULL: none */
};

struct hca_qp {
	struct verbs_qp verbs;
	struct ibv_pd *pd; /* protection domain or parent domain named at creation, or NULL */
	struct hca_queue sq, rq;
	/* Bit N: state N of enum ibv_qp_state allows posting. 0: the queue does not exist. */
	uint8_t send_states, recv_states;
	uint16_t opcodes; /* bit N: hca_post_send() accepts opcode N of enum ibv_wr_opcode */
	/* Limits that the kernel granted. */
	uint32_t max_send_sge, max_recv_sge;
	uint32_t max_inline; /* octets */
	struct hca_wr wr;
	uint32_t driver_type; /* enum hca_driver_qp_type; 0: a type of libibverbs */
	bool keep_completions; /* completions stay in the CQs after reset and destruction */
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

/*
 * Return whether two handles belong to one protection domain. Each may be a parent domain, or
 * imported.
 */
static inline bool hca_pd_same(struct ibv_pd *a, struct ibv_pd *b)
{
	return a == b || (a && b && to_hca_pd(a)->number &&
			  to_hca_pd(a)->number == to_hca_pd(b)->number);
}

/*
 * Count an object of @pd if @pd is a parent domain, because the kernel does not know parent
 * domains. @pd may be NULL.
 */
static inline void hca_pd_get(struct ibv_pd *pd)
{
	if (pd && to_hca_pd(pd)->domain)
		atomic_fetch_add(&to_hca_pd(pd)->users, 1);
}

static inline void hca_pd_put(struct ibv_pd *pd)
{
	if (pd && to_hca_pd(pd)->domain)
		atomic_fetch_sub(&to_hca_pd(pd)->users, 1);
}

static inline struct hca_td *to_hca_td(struct ibv_td *td)
{
	return HCA_CONTAINER(td, struct hca_td, td);
}

static inline struct hca_ah *to_hca_ah(struct ibv_ah *ah)
{
	return HCA_CONTAINER(ah, struct hca_ah, ah);
}

static inline struct hca_cq *to_hca_cq(struct ibv_cq *cq)
{
	return HCA_CONTAINER(cq, struct hca_cq, verbs.cq);
}

static inline struct hca_dm *to_hca_dm(struct ibv_dm *dm)
{
	return HCA_CONTAINER(dm, struct hca_dm, verbs.dm);
}

static inline struct hca_srq *to_hca_srq(struct ibv_srq *srq)
{
	return HCA_CONTAINER(srq, struct hca_srq, verbs.srq);
}

static inline struct hca_qp *to_hca_qp(struct ibv_qp *qp)
{
	return HCA_CONTAINER(qp, struct hca_qp, verbs.qp);
}

static inline uint64_t hca_ns(const struct timespec *time)
{
	return time->tv_sec * 1000000000ull + time->tv_nsec;
}

/* provider.c: the operations that libibverbs stores in each device of this provider. */
extern const struct verbs_device_ops hca_device_ops;

/* Returns whether libibverbs has stored the operations of this provider in a device. */
static inline bool hca_is_ours(struct ibv_device *device)
{
	return HCA_CONTAINER(device, struct verbs_device, device)->ops == &hca_device_ops;
}

/* Returns whether a device is an RNIC, which has fewer operations, and no address handles. */
static inline bool hca_is_rnic(const struct ibv_device *device)
{
	return device->transport_type == IBV_TRANSPORT_IWARP;
}

/* events.c: hca_context.events is opened at its first use, not by hca_events_init(). */
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
 * hca_doorbell_ring() - make the engine of hca.ko process the rings of a queue pair
 * @context: context of the queue pair
 * @qpn: number of the queue pair
 *
 * On return the engine has processed all work that can be done at once and has scheduled the rest.
 * The caller does not hold a lock.
 *
 * Return: 0, or EIO if the device was removed.
 */
int hca_doorbell_ring(const struct hca_context *context, uint32_t qpn);

/* device.c */
int hca_query_device(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		     struct ibv_device_attr_ex *attr, size_t attr_size);
int hca_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *attr);

/**
 * hca_query_port_speed() - read the active data rate of a port
 * @context: context
 * @port_num: port
 * @speed: set to active width times active speed, in units of 100 Mbit/s
 *
 * Return: 0, or the error of hca_query_port().
 */
int hca_query_port_speed(struct ibv_context *context, uint32_t port_num, uint64_t *speed);

/**
 * hca_query_rt_values() - read the clock of completion timestamps
 * @context: context
 * @values: comp_mask selects the values to set; only IBV_VALUES_MASK_RAW_CLOCK is supported
 *
 * The clock is CLOCK_MONOTONIC_RAW. raw_clock.tv_nsec contains all nanoseconds, tv_sec is 0.
 *
 * Return: 0, or EINVAL if comp_mask has another bit.
 */
int hca_query_rt_values(struct ibv_context *context, struct ibv_values_ex *values);

/**
 * hca_learn_device() - query the limits and capabilities that the provider checks itself
 * @context: context that the kernel has allocated; flush, atomic_write, num_ports and num_gids
 *	     are set
 *
 * Return: 0 or an errno.
 */
int hca_learn_device(struct hca_context *context);

/* pd.c */
struct ibv_pd *hca_alloc_pd(struct ibv_context *context);
int hca_dealloc_pd(struct ibv_pd *pd);

/**
 * hca_alloc_parent_domain() - make a parent domain, a second handle of a protection domain
 * @context: context of the protection domain
 * @attr: the protection domain, and a thread domain or NULL
 *
 * Return: the parent domain, which hca_dealloc_pd() deallocates, or NULL with errno set to EINVAL
 * (there is no protection domain) or EOPNOTSUPP (comp_mask has an unknown bit, or selects
 * allocators, which are not supported because the kernel allocates the rings).
 */
struct ibv_pd *hca_alloc_parent_domain(struct ibv_context *context,
				       struct ibv_parent_domain_init_attr *attr);
struct ibv_td *hca_alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attr);
int hca_dealloc_td(struct ibv_td *td);

/**
 * hca_import_pd() - import a protection domain that another context has allocated
 * @context: context of ibv_import_device(), which shares the uverbs file of the other context
 * @handle: handle of the domain
 *
 * The other context deallocates the domain.
 *
 * Return: the domain, or NULL with errno set to ENOENT (no domain has the handle) or ENOMEM.
 */
struct ibv_pd *hca_import_pd(struct ibv_context *context, uint32_t handle);
void hca_unimport_pd(struct ibv_pd *pd);

/* xrcd.c */

/**
 * hca_open_xrcd() - open an XRC domain
 * @context: context
 * @attr: descriptor of the file whose inode names the domain, or -1 for a private domain; the flags
 *	  O_CREAT and O_EXCL
 *
 * Return: the domain, or NULL with errno set to EINVAL, ENOENT (the domain does not exist, and
 * O_CREAT is not set), EEXIST (the domain exists, and O_EXCL is set), EBADF or ENOMEM.
 */
struct ibv_xrcd *hca_open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr *attr);

/* Return: 0, or EBUSY while an SRQ or queue pair of this context belongs to the domain. */
int hca_close_xrcd(struct ibv_xrcd *xrcd);

/* ah.c */
bool hca_ah_attr_valid(const struct hca_context *context, const struct ibv_ah_attr *attr);
void hca_av_fill(struct hca_av *av, const struct ibv_ah_attr *attr);
void hca_av_to_ah_attr(const struct hca_av *av, struct ibv_ah_attr *attr);
struct ibv_ah *hca_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr);
int hca_destroy_ah(struct ibv_ah *ah);

/* dm.c */

/**
 * hca_alloc_dm() - allocate memory of the adapter
 * @context: context
 * @attr: length in octets, and the binary logarithm of the alignment of the first octet
 *
 * Return: the memory, or NULL with errno set to EOPNOTSUPP (comp_mask is not 0), or to EINVAL or
 * ENOMEM, which <rdma/hca-abi.h> explains.
 */
struct ibv_dm *hca_alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *attr);

/* Return: 0, or EBUSY while an MR refers to the memory. */
int hca_free_dm(struct ibv_dm *dm);

/**
 * hca_reg_dm_mr() - register device memory
 * @pd: protection domain
 * @dm: the memory
 * @offset: offset of the first octet, which has address 0 in the MR
 * @length: octets
 * @access: rights, enum ibv_access_flags, with IBV_ACCESS_ZERO_BASED
 *
 * Return: the MR, or NULL with errno set to EINVAL (not zero-based, or a range outside of the
 * memory), EOPNOTSUPP (rights) or ENOMEM.
 */
struct ibv_mr *hca_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm, uint64_t offset, size_t length,
			     unsigned int access);

/* Import device memory that another context with the same uverbs file has allocated. */
struct ibv_dm *hca_import_dm(struct ibv_context *context, uint32_t handle);
void hca_unimport_dm(struct ibv_dm *dm);

/* mr.c */
struct ibv_mr *hca_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, int access);
int hca_dereg_mr(struct verbs_mr *mr);

/**
 * hca_alloc_null_mr() - allocate an MR that reads as zeroes and discards writes
 * @pd: protection domain; the L_Key is valid in all protection domains
 *
 * Return: the MR, which has an L_Key only; or NULL, with errno ENOMEM.
 */
struct ibv_mr *hca_alloc_null_mr(struct ibv_pd *pd);

/**
 * hca_reg_dmabuf_mr() - register memory of a DMA buffer, which another driver has exported
 * @pd: protection domain
 * @offset: offset of the first octet in the buffer
 * @length: octets
 * @iova: address of the first octet in work requests and packets
 * @fd: the buffer's file
 * @access: rights, enum ibv_access_flags
 *
 * Return: the MR; or NULL, with errno EACCES (rights to write a buffer whose file is read-only),
 * EBADF, EINVAL (range outside of the buffer; not a DMA buffer; rights), ENOMEM, EOPNOTSUPP (the
 * buffer is memory of a device, or the exporter does not map it for the kernel), or the exporter's
 * error.
 */
struct ibv_mr *hca_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova,
				 int fd, int access);

/**
 * hca_rereg_mr() - change pages, protection domain or rights of an MR
 * @mr: the MR, to which no window is bound
 * @flags: bits of enum ibv_rereg_mr_flags, which select the arguments that apply
 * @pd: new protection domain
 * @addr: new address of the first octet
 * @length: new length, octets
 * @access: new rights, enum ibv_access_flags
 *
 * Return: 0, and libibverbs stores the new keys; or an errno, and the MR is unchanged: EINVAL,
 * EOPNOTSUPP (rights), EBUSY (a window is bound to the MR, or the domain changes while the MR is in
 * use), ENOMEM.
 */
int hca_rereg_mr(struct verbs_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
		 int access);

/* Import an MR of another context with the same uverbs file. Member addr of the result is NULL. */
struct ibv_mr *hca_import_mr(struct ibv_pd *pd, uint32_t handle);
void hca_unimport_mr(struct ibv_mr *mr);

/* mw.c */
struct ibv_mw *hca_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type);
int hca_dealloc_mw(struct ibv_mw *mw);
int hca_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);

/* cq.c */
struct ibv_cq *hca_create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel,
			     int comp_vector);
int hca_destroy_cq(struct ibv_cq *cq);

/**
 * hca_cq_map() - map the ring of a completion queue
 * @cq: completion queue that the kernel has created; on failure, the kernel's queue is destroyed
 * @resp: the kernel's description of the ring
 *
 * Return: 0 or an errno.
 */
int hca_cq_map(struct hca_cq *cq, const struct hca_create_cq_resp *resp);

/*
 * Check without the lock whether the ring is empty. The ring is usually empty when a program polls
 * in a loop. The producer index is read before the consumer index. Therefore a true result means
 * that all completions before that producer index were consumed, even if another thread polls
 * meanwhile.
 */
bool hca_cq_empty(const struct hca_queue *queue);

/*
 * The index of the oldest completion. It is the consumer index that the provider has written,
 * unless an overrun of a CQ that ignores overruns has overwritten completions. @filled is
 * hca_ring_filled(). The caller holds the lock.
 */
uint32_t hca_cq_first(const struct hca_cq *cq, uint32_t filled);

/**
 * hca_cq_copy() - copy the next completion
 * @cq: completion queue whose lock the caller holds
 * @index: index of the completion; advanced to the one after it
 * @cqe: set to the completion
 *
 * Return: false if no completion is left.
 */
bool hca_cq_copy(const struct hca_cq *cq, uint32_t *index, struct hca_cqe *cqe);

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
 * @solicited_only: request the event for a solicited completion or an error only
 *
 * Completions that are in the queue already cause no event, so the caller polls once more
 * afterwards. A request for solicited completions does not cancel a request for any completion.
 *
 * Return: 0.
 */
int hca_req_notify_cq(struct ibv_cq *cq, int solicited_only);

/**
 * hca_modify_cq() - set the moderation of completion events
 * @cq: completion queue, armed or not
 * @attr: attr_mask is IBV_CQ_ATTR_MODERATE; an armed queue causes an event when it has
 *	moderate.cq_count completions of the requested kind, or moderate.cq_period microseconds
 *	after the first of these; at once if either is 0
 *
 * Return: 0; EINVAL if attr_mask is 0 or has another attribute.
 */
int hca_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);

/**
 * hca_resize_cq() - change the number of entries of a completion queue
 * @cq: completion queue; other threads may poll and arm it during the call
 * @cqe: minimum number of entries
 *
 * Return: 0, and cq->cqe is the actual number; EINVAL if @cqe is out of range or less than the
 * number of completions (req R0-079); ENOMEM. On error nothing has changed (req R0-077).
 */
int hca_resize_cq(struct ibv_cq *cq, int cqe);

/* cq_ex.c */

/**
 * hca_create_cq_ex() - create a completion queue that is polled completion by completion
 * @context: context
 * @attr: attributes
 *
 * Return: the CQ, or NULL with errno set to EOPNOTSUPP (wc_flags, flags or comp_mask have a bit
 * that is unknown or that does not apply to InfiniBand) or to an error of create CQ.
 */
struct ibv_cq_ex *hca_create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr);

/* srq.c */
struct ibv_srq *hca_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr);

/**
 * hca_create_srq_ex() - create a shared receive queue of type basic or XRC
 * @context: context
 * @attr: attributes; max_wr and max_sge are set to the actual sizes
 *
 * Return: the SRQ, or NULL with errno set to EOPNOTSUPP (another type, or an unknown bit of
 * comp_mask), EINVAL (type XRC without a domain or CQ, or type basic with an XRC domain or a CQ),
 * or to an error of create SRQ.
 */
struct ibv_srq *hca_create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *attr);

/* Return: 0, or EOPNOTSUPP if @srq is not of type XRC: only an SRQ of this type has a number. */
int hca_get_srq_num(struct ibv_srq *srq, uint32_t *srq_num);

/**
 * hca_modify_srq() - arm the limit of a shared receive queue, or change its number of entries
 * @srq: shared receive queue; other threads may post during the call
 * @attr: srq_limit is the limit to arm, and max_wr is the minimum number of entries
 * @mask: IBV_SRQ_LIMIT, IBV_SRQ_MAX_WR or both
 *
 * Return: 0, and ibv_query_srq() returns the actual number; EINVAL (@mask has another bit; max_wr
 * is out of range or less than the number of posted requests; the limit, new or armed, is above the
 * number of entries; the queue is in error), ENOMEM or EIO (the device was removed). On error
 * nothing has changed (req R0-217).
 */
int hca_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask);
int hca_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr);
int hca_destroy_srq(struct ibv_srq *srq);

/**
 * hca_cq_purge() - remove unpolled completions of a queue pair
 * @cq: one of the completion queues of @qp
 * @qp: queue pair that the kernel has reset or destroyed; no completion of it is added any more
 *
 * On return, no thread that polls @cq processes an earlier completion of @qp.
 */
void hca_cq_purge(struct ibv_cq *cq, const struct hca_qp *qp);

/**
 * hca_cq_release_none() - prevent unpolled completions of a queue pair from releasing WQEs
 * @cq: one of the completion queues of @qp
 * @qp: queue pair that the kernel has reset or destroyed; no completion of it is added any more
 *
 * On return, no thread that polls @cq processes an earlier completion of @qp.
 */
void hca_cq_release_none(struct ibv_cq *cq, const struct hca_qp *qp);

/* qp_table.c */

/**
 * hca_qp_table_add() - add a queue pair to the table of queue pairs by number
 * @context: context of the queue pair
 * @qp: queue pair that the kernel has created
 *
 * Return: 0 or ENOMEM.
 */
int hca_qp_table_add(struct hca_context *context, struct hca_qp *qp);

/*
 * Remove a queue pair from the table. A thread that has found the queue pair before may still use
 * it while the thread holds the lock of a completion queue.
 */
void hca_qp_table_remove(struct hca_context *context, struct hca_qp *qp);

/**
 * hca_qp_table_find() - find the queue pair of a completion
 * @context: context of the completion queue
 * @qpn: QP number of the completion
 *
 * The caller holds the lock of the completion queue. The queue pair is valid until the caller
 * releases this lock.
 *
 * Return: the queue pair, or NULL if it was destroyed.
 */
struct hca_qp *hca_qp_table_find(struct hca_context *context, uint32_t qpn);
void hca_qp_table_free(struct hca_context *context);

/* qp.c */
struct ibv_qp *hca_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);

/**
 * hca_make_qp() - create a queue pair of any type
 * @context: context
 * @attr: attributes of the queue pair
 * @driver: attributes of type IBV_QPT_DRIVER that uverbs does not have; NULL for other types
 *
 * Return: the queue pair, or NULL with errno set to EOPNOTSUPP or EINVAL for invalid attributes,
 * or to an error that <rdma/hca-abi.h> documents for create QP.
 */
struct ibv_qp *hca_make_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr,
			   const struct hca_create_qp_req *driver);
struct ibv_qp *hca_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr);

/**
 * hca_open_qp() - get another handle of an XRC target queue pair
 * @context: context
 * @attr: XRC domain, number and type of the queue pair
 *
 * The queue pair exists until the last handle of any process is destroyed.
 *
 * Return: the handle, or NULL with errno set to EINVAL or ENOMEM.
 */
struct ibv_qp *hca_open_qp(struct ibv_context *context, struct ibv_qp_open_attr *attr);
int hca_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		 struct ibv_qp_init_attr *init);
int hca_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
int hca_destroy_qp(struct ibv_qp *qp);

/* post.c */

/**
 * hca_post_send() - post send requests
 * @qp: queue pair
 * @wr: list of requests; inline data is copied before the function returns
 * @bad: set on failure to the first request that was not posted; earlier requests were posted
 *
 * Return: 0, EINVAL (state of the queue pair, or an invalid request), ENOMEM (the queue is full),
 * or EIO (the device was removed and no request of the list is executed; @bad is the first).
 */
int hca_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);

/* Post receive requests. The list, @bad and the errors are like those of hca_post_send(). */
int hca_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int hca_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);

/**
 * hca_write_bind() - write the fields of a WQE that binds a memory window
 * @wqe: send WQE
 * @mw: memory window
 * @rkey: new R_Key. Only its low octet is used, because some programs take the other octets from
 *	  the R_Key of the MR instead of that of the window
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
 * hca_wr_opcodes() - opcodes that the ibv_wr_* functions support for a type of queue pair
 * @context: context of the queue pair
 * @type: row of the type
 *
 * Return: bits of enum ibv_qp_create_send_ops_flags.
 */
uint64_t hca_wr_opcodes(const struct hca_context *context, const struct hca_lib_qp_type *type);

/**
 * hca_wr_enable() - enable the ibv_wr_* functions of a new queue pair
 * @qp: new queue pair, which the program cannot use yet
 * @flags: opcodes to enable; a subset of the bits that hca_wr_opcodes() returns
 */
void hca_wr_enable(struct hca_qp *qp, uint64_t flags);

#endif
