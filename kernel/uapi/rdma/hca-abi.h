/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * What hca.ko and libhca share: rings, their entries, the doorbell, and the
 * driver parts of the uverbs commands. Everything is in host byte order unless
 * typed otherwise; user space is never believed (each field is checked at use).
 * What is reserved or padding is written as 0 and not read.
 */
#ifndef HCA_ABI_H
#define HCA_ABI_H

#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>

#define HCA_ABI_VERSION 2

/*
 * A ring: one page of indices, then the entries.
 *
 * Indices run freely (mod 2^32) and are masked by the number of entries, a
 * power of two. Each index has one writer; each writer has a cache line.
 *
 *               producer writes             consumer writes
 *   SQ, RQ, SRQ user: producer              engine: consumer, need_wakeup
 *   CQ          engine: producer            user: consumer, arm
 *
 * Posting:  write entries; store-release producer; full fence; load
 *           need_wakeup; if not 0, ring the doorbell with the queue's QPN. An SRQ's is 0,
 *           until it goes with its device: then nobody takes what is posted.
 * Parking:  engine stores need_wakeup = 1; full fence; rereads producer.
 *
 * Arming:   user ORs HCA_CQ_ARM_* into arm, atomically; full fence; polls again.
 * Signal:   engine store-releases producer; full fence; loads arm; if it fits,
 *           exchanges arm with 0 and signals (V3-281, V3-287).
 *
 * No lock is shared with the kernel; threads of a process need one of their own for
 * what they write. A queue is full if producer - consumer is the number of entries
 * (V3-191); an SQ or RQ is so before, by the completions that its owner has yet to poll:
 * struct hca_cqe. A producer's index that goes back, or further ahead than there are entries, is
 * the end of its queue pair: IBV_EVENT_QP_FATAL. That of an SRQ is the end of the SRQ, with
 * IBV_EVENT_SRQ_ERR, and then of each queue pair that needs a request of it. A CQ that overflows is lost for good: IBV_EVENT_CQ_ERR,
 * and a queue pair whose completion it cannot take goes to Error (V3-284).
 */
struct hca_ring {
	__u32 producer;
	__u32 pad0[15];
	__u32 consumer;
	__u32 need_wakeup;
	__u32 arm;
	__u32 pad1[13];
};

/* Entries begin here, in every ring. */
#define HCA_RING_ENTRIES 4096

/* Signal the next completion that is solicited or an error; the next of any kind. */
#define HCA_CQ_ARM_SOLICITED (1u << 0)
#define HCA_CQ_ARM_NEXT (1u << 1)

/* Memory of this process, or of the kernel: a piece of the region that has the key. */
struct hca_sge {
	__aligned_u64 addr;
	__u32 length; /* octets */
	__u32 lkey;
};

/*
 * An address vector, by value in each UD send request. Values are those of struct ibv_ah_attr.
 * sl is less than 16, src_path_bits than 128, port_num the queue pair's; with a GRH, sgid_index
 * is less than 8 and flow_label than 2^20. A multicast dlid, C000h to FFFEh, takes a GRH.
 * static_rate is one of enum ibv_rate: packets are paced to it if the port is faster. Other values
 * are that of the port.
 */
struct hca_av {
	__u16 dlid;
	__u8 sl;
	__u8 src_path_bits;
	__u8 static_rate;
	__u8 port_num;
	__u8 has_grh;
	__u8 sgid_index;
	__u8 hop_limit;
	__u8 traffic_class;
	__u8 reserved[2];
	__u32 flow_label;
	__u8 dgid[16]; /* as on the wire */
};

/* The values are those of enum ibv_send_flags. */
enum hca_wqe_flags {
	HCA_WQE_FENCE = 1 << 0,
	HCA_WQE_SIGNALED = 1 << 1,
	HCA_WQE_SOLICITED = 1 << 2,
	HCA_WQE_INLINE = 1 << 3,
};

/*
 * A send request. Behind it: sge[num_sge], or, with HCA_WQE_INLINE, the data.
 * The stride of the ring is given by create QP.
 *
 * RC takes Send, also with invalidate, RDMA Write, both with immediate data, RDMA Read and
 * atomics; UC Send and RDMA Write, both with immediate data; UD Send, with and without. RC, UC
 * and RD take Bind and Local invalidate, which have no data and wait for all requests before them.
 * Of the union, rdma is for Write, Read and atomics, ud for UD, memory for Bind; what is to be
 * invalidated is invalidate_rkey. compare_add is what Compare and Swap
 * compares with or Fetch and Add adds, swap what the former puts there. What is wrong with a request is
 * told by its completion (V3-186): IBV_WC_LOC_QP_OP_ERR for opcode, number of SGEs, inline
 * length and address vector, IBV_WC_LOC_LEN_ERR for more than 2^31 octets,
 * IBV_WC_LOC_PROT_ERR for an SGE, IBV_WC_MW_BIND_ERR for what cannot be bound or invalidated.
 */
struct hca_send_wqe {
	__aligned_u64 wr_id;
	__u8 opcode; /* enum ib_uverbs_wr_opcode */
	__u8 flags; /* enum hca_wqe_flags */
	__u8 num_sge; /* at most as many as create QP granted */
	__u8 reserved;
	__u32 inline_length; /* octets, likewise; only with HCA_WQE_INLINE */
	__be32 imm_data;
	__u32 invalidate_rkey;
	union {
		struct {
			__aligned_u64 remote_addr;
			__u32 rkey;
			__u32 reserved;
			__aligned_u64 compare_add;
			__aligned_u64 swap;
			/* RD: by which EE context to which queue pair. */
			__u32 eecn;
			__u32 remote_qpn;
			__u32 remote_qkey;
			__u32 reserved1;
		} rdma;
		struct {
			struct hca_av av;
			__u32 remote_qpn;
			__u32 remote_qkey;
			__u32 pkey_index; /* special QPs of the kernel only */
		} ud;
		struct {
			struct hca_av av;
			__u16 ethertype; /* raw EtherType */
		} raw;
		/* What a key is to stand for. */
		struct {
			__aligned_u64 addr;
			__aligned_u64 length; /* octets; 0 unbinds a window of type 1 */
			__u32 key; /* the new one; its index says which */
			__u32 lkey; /* of the region that a window is bound to */
			__u32 access; /* enum ib_uverbs_access_flags */
			__u32 reserved;
		} memory;
		__u8 space[72];
	};
};

#define HCA_SEND_WQE_HEADER 96
#define HCA_SEND_WQE_ALIGN 32

/* A receive request. SGEs beyond those that create QP or SRQ granted are not looked at. */
struct hca_recv_wqe {
	__aligned_u64 wr_id;
	__u32 num_sge;
	__u32 reserved;
	struct hca_sge sge[];
};

#define HCA_RECV_WQE_HEADER 16

enum hca_cqe_flags {
	HCA_CQE_GRH = 1 << 0,
	HCA_CQE_WITH_IMM = 1 << 1,
	HCA_CQE_WITH_INV = 1 << 2,
	HCA_CQE_RECV = 1 << 3, /* from the receive queue */
	HCA_CQE_SOLICITED = 1 << 4,
};

/*
 * Low bits of a QPN, unlike all other QPs' of the device as long as the QP exists: an index for
 * whoever looks up a QP by the number in a completion.
 */
#define HCA_QPN_INDEX_BITS 14

/*
 * A completion; complete in itself, so that it outlives its QP (V3-189). Unless status is
 * success, only wr_id, status, qp_num and wqes mean something. sl, src_qp, pkey_index, slid
 * and dlid_path_bits are a datagram's, whose byte_len includes the 40 octets of the GRH.
 *
 * wqes is how many entries of its SQ or RQ its owner may post to again once it has polled this
 * (R0-408, R0-409): of an RQ its own one; of an SQ also those of the unsignaled requests that
 * ended before it and have no completion; of an SRQ none, for its entries are free when taken.
 * It counts for the queue as it was when the completion was added: not after a Reset of the QP.
 */
struct hca_cqe {
	__aligned_u64 wr_id;
	__u8 status; /* enum ibv_wc_status */
	__u8 opcode; /* enum ib_uverbs_wc_opcode; 128 Receive, 129 Receive of a Write with immediate */
	__u8 flags; /* enum hca_cqe_flags */
	__u8 sl;
	__u32 vendor_err;
	__u32 byte_len; /* octets */
	union {
		__be32 imm_data;
		__u32 invalidated_rkey;
	};
	__u32 qp_num;
	__u32 src_qp;
	__u16 pkey_index;
	__u16 slid;
	__u8 dlid_path_bits;
	__u8 reserved0[3];
	__aligned_u64 kernel; /* kernel CQs: the QP's cookie; 0 to user space */
	__u32 eecn; /* RD receives: the EE context it came by */
	__u16 ethertype; /* raw EtherType receives */
	__u16 reserved1;
	__u32 wqes;
	__u8 reserved2[4];
};

/*
 * Driver parts of uverbs commands; "offset" is for mmap of the context's fd, "size" in octets.
 * A ring is mapped as a whole, shared and not executable:
 *   EINVAL  not an offset and a size of this context's rings, or a private mapping
 *   EPERM   executable
 * Pages stay with the process after the queue has gone, and are of no effect then.
 */

/* Get context. Most there may be; a shorter answer is cut. */
struct hca_alloc_ucontext_resp {
	__u32 max_inline_data;
	__u32 max_send_sge;
	__u32 max_recv_sge;
	__u32 reserved;
};

/*
 * Create CQ.
 *   EINVAL  0 entries or more than 2^20; no room for this answer
 *   EOPNOTSUPP  any flag
 *   ENOMEM  no memory, or 65536 CQs are there
 */
struct hca_create_cq_resp {
	__aligned_u64 offset;
	__aligned_u64 size;
	__u32 entries; /* power of two */
	__u32 reserved;
};

/*
 * Create SRQ; it may have more entries than were asked for. An entry is free again as soon as
 * a queue pair has taken its request. Modify arms the limit; it does not change the size.
 *   EINVAL  0 entries or more than 16384, more than 32 SGEs, a limit above the number of
 *           entries; no room for this answer
 *   EOPNOTSUPP  any type but the basic one; modify: the size
 *   ENOMEM  no memory, or 65536 SRQs are there
 */
struct hca_create_srq_resp {
	__aligned_u64 offset;
	__aligned_u64 size;
	__u32 entries; /* power of two */
	__u32 stride; /* octets */
};

/*
 * Create QP; it may have more of everything than was asked for (V3-173). With an SRQ it has
 * no RQ, and what is said of its size is not looked at (R0-220).
 *   EINVAL  more than 16384 entries, 32 SGEs or 256 octets inline; no room for this answer; a
 *           flag, and the type is not UD
 *   EOPNOTSUPP  none of RC, UC, UD and a driver's type; any create flag but
 *           IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK
 *   ENOMEM  no memory, or 16382 queue pairs are there
 *
 * Types that uverbs does not know are IBV_QPT_DRIVER, with struct hca_create_qp_req as the
 * driver's part of the request; other types have none. Besides:
 *   EINVAL  the part is too short; a raw queue pair with a domain
 *   EOPNOTSUPP  it is longer, and not 0 beyond; a type that is not here
 *   ENOENT  no domain of this context has that handle (RD)
 *   EPERM   a raw queue pair, and the caller lacks CAP_NET_RAW
 */
enum hca_driver_qp_type {
	HCA_DRIVER_QP_RD = 1,
	HCA_DRIVER_QP_RAW_IPV6 = 2,
	HCA_DRIVER_QP_RAW_ETHERTYPE = 3,
};

struct hca_create_qp_req {
	__u32 type; /* enum hca_driver_qp_type */
	__u32 rdd; /* RD: handle of the reliable datagram domain; raw: 0 */
};

struct hca_create_qp_resp {
	__aligned_u64 sq_offset; /* size 0: the QP has no such queue */
	__aligned_u64 sq_size;
	__aligned_u64 rq_offset;
	__aligned_u64 rq_size;
	__u32 sq_entries; /* power of two */
	__u32 sq_stride; /* octets */
	__u32 rq_entries; /* power of two */
	__u32 rq_stride; /* octets */
};

/*
 * Memory windows have no driver's part; a request binds them.
 *
 * Destroy QP:
 *   EBUSY   it has bound a window of type 2, which is bound still
 * Deregister MR:
 *   EBUSY   a window is bound to it
 * Allocate MW:
 *   ENOMEM  no memory, or 65536 windows are there
 */

/*
 * Methods that queue pairs have besides those of uverbs: raw ones are attached to multicast groups
 * and detached, which uverbs has of UD alone (B4-417). One that is destroyed is in none.
 * Attach:
 *   EINVAL  not a raw queue pair, not a multicast GID and LID, or attached already
 *   ENOMEM  no memory, or as many groups or members as there may be
 *   EPERM   the caller lacks CAP_NET_RAW
 * Detach:
 *   EINVAL  it is not attached
 */
enum hca_qp_methods {
	HCA_METHOD_QP_ATTACH_MCAST = (1U << UVERBS_ID_NS_SHIFT),
	HCA_METHOD_QP_DETACH_MCAST,
};

/* Of both. */
enum hca_qp_mcast_attrs {
	HCA_ATTR_QP_MCAST_HANDLE = (1U << UVERBS_ID_NS_SHIFT),
	HCA_ATTR_QP_MCAST_GROUP, /* in: struct hca_mcast_group */
};

struct hca_mcast_group {
	__u8 gid[16]; /* as on the wire */
	__u16 lid;
	__u16 reserved[3];
};

/*
 * The doorbell: a uverbs object of type file descriptor, write only; one is enough
 * for a context (V3-138).
 * write(fd, qpn[], 4 * n) makes the engine look at these queue pairs, in this
 * order, and returns when it has done what it can or has handed on the rest. Of
 * more than 16384 numbers, as many are taken, and their octets returned.
 *   EINVAL  the length is no multiple of 4, or 0
 *   EFAULT  the numbers cannot be read
 *   ENOENT  a number is not that of a queue pair of this context (V3-185); those
 *           before it have been rung
 *   EIO     the context or the device has gone
 */
enum hca_objects {
	HCA_OBJECT_DOORBELL = (1U << UVERBS_ID_NS_SHIFT),
	HCA_OBJECT_RDD,
	HCA_OBJECT_EEC,
	HCA_OBJECT_EVENTS,
};

enum hca_doorbell_methods {
	HCA_METHOD_DOORBELL_ALLOC = (1U << UVERBS_ID_NS_SHIFT),
};

enum hca_doorbell_alloc_attrs {
	HCA_ATTR_DOORBELL_ALLOC_FD = (1U << UVERBS_ID_NS_SHIFT), /* out: the file descriptor */
};

/*
 * A reliable datagram domain: which RD queue pairs may use which EE contexts (V3-150 to V3-152).
 * Its handle is what struct hca_create_qp_req names it by.
 *
 * Alloc. With a file, which is regular, the handle is one of the domain that others have of that
 * file, whatever process they are; it is made for the first of them:
 *   EBADF   there is no such file
 *   EINVAL  it is not a regular one
 *   ENOMEM  no memory, or 65536 are there
 * Dealloc. The domain goes with its last handle:
 *   ENOENT  no domain of this context has that handle
 *   EBUSY   a queue pair or an EE context is in it by this handle
 */
enum hca_rdd_methods {
	HCA_METHOD_RDD_ALLOC = (1U << UVERBS_ID_NS_SHIFT),
	HCA_METHOD_RDD_DEALLOC,
};

enum hca_rdd_alloc_attrs {
	HCA_ATTR_RDD_ALLOC_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* out */
	HCA_ATTR_RDD_ALLOC_FILE, /* in, optional: file descriptor */
};

enum hca_rdd_dealloc_attrs {
	HCA_ATTR_RDD_DEALLOC_HANDLE = (1U << UVERBS_ID_NS_SHIFT),
};

/*
 * An EE context: one end of a reliable datagram channel (V3-203 to V3-206, C4-036). Methods
 * that take a handle fail with ENOENT if it is not one of this context's.
 *
 * Create, in Reset. With a file of events, its events are told there:
 *   EBADF   that is no such file of this context
 *   ENOENT  no domain of this context has that handle
 *   ENOMEM  no memory, or 4096 are there
 * Modify. Values are those of struct ibv_qp_attr, and transitions those of a reliable
 * connection, with IBV_QP_DEST_QPN for the peer's number and without IBV_QP_ACCESS_FLAGS:
 *   EINVAL  there is no such transition; it needs an attribute that the mask lacks, or does
 *           not take one that it has; a value out of range
 * Query: mask is 0; all that was set, and the PSNs as they are now.
 * Destroy. Requests that name it, now or later, end with IBV_WC_INV_EECN_ERR.
 */
enum hca_eec_methods {
	HCA_METHOD_EEC_CREATE = (1U << UVERBS_ID_NS_SHIFT),
	HCA_METHOD_EEC_MODIFY,
	HCA_METHOD_EEC_QUERY,
	HCA_METHOD_EEC_DESTROY,
};

enum hca_eec_create_attrs {
	HCA_ATTR_EEC_CREATE_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* out */
	HCA_ATTR_EEC_CREATE_RDD, /* in: handle */
	HCA_ATTR_EEC_CREATE_RESP_EECN, /* out: __u32, its number */
	HCA_ATTR_EEC_CREATE_EVENTS, /* in, optional: file descriptor */
};

enum hca_eec_modify_attrs {
	HCA_ATTR_EEC_MODIFY_HANDLE = (1U << UVERBS_ID_NS_SHIFT),
	HCA_ATTR_EEC_MODIFY_ATTR, /* in: struct hca_eec_attr */
};

enum hca_eec_query_attrs {
	HCA_ATTR_EEC_QUERY_HANDLE = (1U << UVERBS_ID_NS_SHIFT),
	HCA_ATTR_EEC_QUERY_RESP_ATTR, /* out: struct hca_eec_attr */
};

enum hca_eec_destroy_attrs {
	HCA_ATTR_EEC_DESTROY_HANDLE = (1U << UVERBS_ID_NS_SHIFT),
};

struct hca_eec_attr {
	__u32 mask; /* enum ibv_qp_attr_mask */
	__u32 rq_psn;
	__u32 sq_psn;
	__u32 dest_eecn;
	__u16 pkey_index;
	__u16 alt_pkey_index;
	__u8 state; /* enum ibv_qp_state */
	__u8 cur_state;
	__u8 path_mtu; /* enum ibv_mtu */
	__u8 path_mig_state; /* enum ibv_mig_state */
	__u8 port_num;
	__u8 timeout;
	__u8 retry_cnt;
	__u8 rnr_retry;
	__u8 min_rnr_timer;
	__u8 max_rd_atomic;
	__u8 max_dest_rd_atomic;
	__u8 alt_port_num;
	__u8 alt_timeout;
	__u8 en_sqd_async_notify;
	__u8 sq_draining; /* query */
	__u8 reserved[5];
	struct hca_av av;
	struct hca_av alt_av;
};

/*
 * Events of EE contexts (V3-206): a uverbs object of type file descriptor, read only, which
 * poll(2) knows. A read() takes one event, and waits for it unless the file is O_NONBLOCK. What
 * happens again before it has been read is told once. An EE context that has been destroyed has no
 * event any more.
 *   EINVAL  there is no room for an event
 *   EAGAIN  there is none
 *   EIO     the context or the device has gone; poll(2) says POLLHUP
 */
enum hca_events_methods {
	HCA_METHOD_EVENTS_ALLOC = (1U << UVERBS_ID_NS_SHIFT),
};

enum hca_events_alloc_attrs {
	HCA_ATTR_EVENTS_ALLOC_FD = (1U << UVERBS_ID_NS_SHIFT), /* out: the file descriptor */
};

struct hca_eec_event {
	__u32 eecn;
	__u32 type; /* enum ibv_event_type, of queue pairs: they happen to EE contexts alike */
};

#endif
