/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * What hca.ko and libhca share: rings, their entries, the doorbell, and the
 * driver parts of the uverbs commands. Everything is in host byte order unless
 * typed otherwise; user space is never believed (each field is checked at use).
 */
#ifndef HCA_ABI_H
#define HCA_ABI_H

#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>

#define HCA_ABI_VERSION 1

/*
 * A ring: one page of indices, then the entries.
 *
 * Indices run freely (mod 2^32) and are masked by the number of entries, a
 * power of two. Each index has one writer; each writer has a cache line.
 *
 *               producer writes             consumer writes
 *   SQ, RQ      user: producer              engine: consumer, need_wakeup
 *   CQ          engine: producer            user: consumer, arm
 *
 * Posting:  write entries; store-release producer; full fence; load
 *           need_wakeup; if not 0, ring the doorbell with the queue's QPN.
 * Parking:  engine stores need_wakeup = 1; full fence; rereads producer.
 *
 * Arming:   user ORs HCA_CQ_ARM_* into arm, atomically; full fence; polls again.
 * Signal:   engine store-releases producer; full fence; loads arm; if it fits,
 *           exchanges arm with 0 and signals.
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

#define HCA_CQ_ARM_SOLICITED (1u << 0)
#define HCA_CQ_ARM_NEXT (1u << 1)

struct hca_sge {
	__aligned_u64 addr;
	__u32 length; /* octets */
	__u32 lkey;
};

/* An address vector, by value in each UD send request. Values are those of struct ibv_ah_attr. */
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
	__u8 dgid[16];
};

enum hca_wqe_flags {
	HCA_WQE_FENCE = 1 << 0,
	HCA_WQE_SIGNALED = 1 << 1,
	HCA_WQE_SOLICITED = 1 << 2,
	HCA_WQE_INLINE = 1 << 3,
};

/*
 * A send request. Behind it: sge[num_sge], or, with HCA_WQE_INLINE, the data.
 * The stride of the ring is given by create QP.
 */
struct hca_send_wqe {
	__aligned_u64 wr_id;
	__u8 opcode; /* enum ib_uverbs_wr_opcode */
	__u8 flags; /* enum hca_wqe_flags */
	__u8 num_sge;
	__u8 reserved;
	__u32 inline_length; /* octets */
	__be32 imm_data;
	__u32 invalidate_rkey;
	union {
		struct {
			__aligned_u64 remote_addr;
			__u32 rkey;
			__u32 reserved;
			__aligned_u64 compare_add;
			__aligned_u64 swap;
		} rdma;
		struct {
			struct hca_av av;
			__u32 remote_qpn;
			__u32 remote_qkey;
			__u32 pkey_index; /* special QPs of the kernel only */
		} ud;
		__u8 space[72];
	};
};

#define HCA_SEND_WQE_HEADER 96
#define HCA_SEND_WQE_ALIGN 32

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

/* A completion; complete in itself, so that it outlives its QP. */
struct hca_cqe {
	__aligned_u64 wr_id;
	__u8 status; /* enum ibv_wc_status */
	__u8 opcode; /* enum ib_uverbs_wc_opcode */
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
	__u8 reserved1[16];
};

/* Driver parts of uverbs commands; "offset" is for mmap of the context's fd, "size" in octets. */

struct hca_alloc_ucontext_resp {
	__u32 max_inline_data;
	__u32 max_send_sge;
	__u32 max_recv_sge;
	__u32 reserved;
};

struct hca_create_cq_resp {
	__aligned_u64 offset;
	__aligned_u64 size;
	__u32 entries; /* power of two */
	__u32 reserved;
};

struct hca_create_qp_resp {
	__aligned_u64 sq_offset; /* size 0: the QP has no such queue */
	__aligned_u64 sq_size;
	__aligned_u64 rq_offset;
	__aligned_u64 rq_size;
	__u32 sq_entries; /* power of two */
	__u32 sq_stride; /* octets */
	__u32 rq_entries;
	__u32 rq_stride;
};

/*
 * The doorbell: a uverbs object of type file descriptor, one per context.
 * write(fd, qpn[], 4 * n) makes the engine look at these queue pairs, in this
 * order, and returns when it has done what it can or has handed on the rest.
 *   EINVAL  the length is no multiple of 4, or 0
 *   ENOENT  a number is not that of a queue pair of this context
 *   EIO     the device has gone
 */
enum hca_objects {
	HCA_OBJECT_DOORBELL = (1U << UVERBS_ID_NS_SHIFT),
};

enum hca_doorbell_methods {
	HCA_METHOD_DOORBELL_ALLOC = (1U << UVERBS_ID_NS_SHIFT),
};

enum hca_doorbell_alloc_attrs {
	HCA_ATTR_DOORBELL_ALLOC_FD = (1U << UVERBS_ID_NS_SHIFT), /* out: the file descriptor */
};

#endif
