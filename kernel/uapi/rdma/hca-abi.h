/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * The interface between hca.ko and libhca: rings, their entries, the doorbell, and the
 * driver-specific parts of uverbs commands. Numbers are in host byte order, except those of type
 * __be32. The kernel does not trust fields that user space writes, and checks each field at each
 * use. Reserved fields and padding are written as 0 and not read.
 */
#ifndef HCA_ABI_H
#define HCA_ABI_H

#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>

#define HCA_ABI_VERSION 2

/*
 * A ring is one page of indices, followed by the entries.
 *
 * Indices run freely (modulo 2^32). An index modulo the number of entries, a power of two, is the
 * number of an entry. Each index has one writer; each writer has its own cache line.
 *
 *               first cache line            second cache line
 *   SQ, RQ, SRQ user writes producer        engine writes consumer, need_wakeup
 *   CQ          engine writes producer      user writes consumer, arm
 *
 * Posting:  the user writes entries; store-releases producer; executes a full fence; loads
 *           need_wakeup; if need_wakeup is not 0, rings the doorbell with the number of the queue
 *           pair. need_wakeup of an SRQ is 0 until its device is removed; requests posted after the
 *           removal are not consumed.
 * Parking:  the engine, before it leaves a queue without work, stores 1 to need_wakeup; executes a
 *           full fence; reads producer again.
 *
 * Arming:   the user ORs HCA_CQ_ARM_* into arm atomically; executes a full fence; polls again.
 * Signal:   the engine store-releases producer; executes a full fence; loads arm; if the completion
 *           is of the armed kind, exchanges arm with 0 and raises a completion event (req V3-281,
 *           V3-287).
 *
 * User space and kernel do not share a lock; the threads of a process need a lock for the indices
 * that user space writes. A queue is full if producer - consumer is the number of entries (req
 * V3-191). An SQ or RQ is full earlier if the user has not polled completions: the entries of these
 * completions cannot be posted to (struct hca_cqe).
 *
 * A producer index that goes back, or ahead by more than the number of entries, is an error. An
 * invalid index of an SQ or RQ takes its queue pair to Error, with IBV_EVENT_QP_FATAL. An invalid
 * index of an SRQ takes the SRQ to its error state, with IBV_EVENT_SRQ_ERR; later each queue pair
 * that needs a request of the SRQ goes to Error. A CQ that overflows causes IBV_EVENT_CQ_ERR and
 * can no longer be used; a queue pair whose completion cannot be added to the CQ goes to Error
 * (req V3-284). A CQ that was created to ignore overruns never overflows: the new completion
 * replaces the oldest one. If producer - consumer is not less than the number of entries, the user
 * of such a CQ continues with the second-oldest entry, because the engine may be writing the oldest
 * one.
 */
struct hca_ring {
	__u32 producer;
	__u32 pad0[15];
	__u32 consumer;
	__u32 need_wakeup;
	__u32 arm;
	__u32 pad1[13];
};

/* Offset of the first entry in every ring, octets. */
#define HCA_RING_ENTRIES 4096

#define HCA_CQ_ARM_SOLICITED (1u << 0) /* signal the next solicited completion or error */
#define HCA_CQ_ARM_NEXT (1u << 1) /* signal the next completion of any kind */

/*
 * The reserved L_Key of the null MR. The null MR has the addresses 0 to 2^64-2, reads as 0 and
 * discards writes. The L_Key is valid in each protection domain; a peer cannot use it.
 */
#define HCA_NULL_LKEY 1

/* A scatter/gather element: a range of the memory region that has the L_Key. */
struct hca_sge {
	__aligned_u64 addr; /* address of the first octet, in the MR */
	__u32 length; /* octets */
	__u32 lkey;
};

/*
 * An address vector, which each UD send request contains. Values are as in struct ibv_ah_attr:
 * sl is below 16, src_path_bits below 128, and port_num is the port of the queue pair. With
 * has_grh, sgid_index is below 8 and flow_label below 2^20. A multicast dlid (C000h to FFFEh) needs
 * has_grh. static_rate is one of enum ibv_rate: packets are paced to that rate if the port is
 * faster. Any other value means the rate of the port.
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
	__u8 dgid[16]; /* octets in wire order */
};

/* Flags of send requests; the values are those of enum ibv_send_flags. */
enum hca_wqe_flags {
	HCA_WQE_FENCE = 1 << 0,
	HCA_WQE_SIGNALED = 1 << 1,
	HCA_WQE_SOLICITED = 1 << 2,
	HCA_WQE_INLINE = 1 << 3,
};

/*
 * A send request. sge[num_sge] or, with HCA_WQE_INLINE, the data follow at offset
 * HCA_SEND_WQE_HEADER. Create QP returns the stride of the ring.
 *
 * Opcodes of each service:
 *   RC      Send, Send with Immediate, Send with Invalidate, RDMA Write, RDMA Write with Immediate,
 *           RDMA Read, Compare and Swap, Fetch and Add, Flush, Atomic Write, Bind, Local Invalidate
 *   XRC     those of RC; an initiator queue pair has a send ring only, a target queue pair no ring
 *   RD      those of RC, except Send with Invalidate, Flush and Atomic Write
 *   UC      Send, Send with Immediate, RDMA Write, RDMA Write with Immediate, Bind,
 *           Local Invalidate
 *   UD      Send, Send with Immediate
 *   raw     Send
 * Bind and Local Invalidate carry no data and wait for all requests before them.
 *
 * Members of the union: rdma is for RDMA Write, RDMA Read, atomics, Flush, Atomic Write and all
 * requests of RD and XRC; ud is for UD; raw is for raw queue pairs; memory is for Bind. Local
 * Invalidate and Send with Invalidate use invalidate_rkey. compare_add is the value that Compare
 * and Swap compares, or that Fetch and Add adds; swap is the value that Compare and Swap writes.
 * Flush has no data except the member flush. The data of Atomic Write may be inline even if create
 * QP did not request inline data.
 *
 * Errors of a request are reported by its completion (req V3-186): IBV_WC_LOC_QP_OP_ERR for the
 * opcode, the number of SGEs, inline data of the wrong length or opcode, the placement type and
 * selectivity level, and the address vector; IBV_WC_LOC_LEN_ERR for more than 2^31 octets, and for
 * an atomic or Atomic Write of other than 8 octets; IBV_WC_LOC_PROT_ERR for an SGE;
 * IBV_WC_MW_BIND_ERR for a Bind or Local Invalidate that is not allowed.
 */
struct hca_send_wqe {
	__aligned_u64 wr_id;
	__u8 opcode; /* enum ib_uverbs_wr_opcode */
	__u8 flags; /* enum hca_wqe_flags */
	__u8 num_sge; /* at most the number that create QP granted */
	__u8 reserved;
	__u32 inline_length; /* with HCA_WQE_INLINE: octets, at most max_inline of create QP */
	__be32 imm_data;
	__u32 invalidate_rkey;
	union {
		struct {
			__aligned_u64 remote_addr;
			__u32 rkey;
			__u32 reserved;
			union {
				__aligned_u64 compare_add;
				struct {
					__u32 length; /* octets of the range */
					__u8 placement; /* IB_FLUSH_GLOBAL, IB_FLUSH_PERSISTENT */
					__u8 selectivity; /* IB_FLUSH_RANGE, IB_FLUSH_MR */
					__u16 reserved;
				} flush;
			};
			__aligned_u64 swap;
			__u32 eecn; /* RD: number of the local EE context */
			union {
				__u32 remote_qpn; /* RD: number of the peer's queue pair */
				__u32 remote_srqn; /* XRC: number of the peer's SRQ */
			};
			__u32 remote_qkey; /* RD: Q_Key of the peer's queue pair */
			__u32 reserved1;
		} rdma;
		struct {
			struct hca_av av;
			__u32 remote_qpn;
			__u32 remote_qkey;
			__u32 pkey_index; /* used for the kernel's QP0 and QP1 only */
		} ud;
		struct {
			struct hca_av av;
			__u16 ethertype; /* raw EtherType */
			__u16 reserved;
		} raw;
		/* Bind, and Fast Register of the kernel: the new state of a window or MR. */
		struct {
			__aligned_u64 addr;
			__aligned_u64 length; /* octets; 0 unbinds a window of type 1 */
			__u32 key; /* new R_Key: bits 31-8 are those of the old key, 7-0 are new */
			__u32 lkey; /* L_Key of the MR to which the window is bound */
			__u32 access; /* enum ib_uverbs_access_flags */
			__u32 reserved;
		} memory;
		__u8 space[72];
	};
};

#define HCA_SEND_WQE_HEADER 96
#define HCA_SEND_WQE_ALIGN 32

/* A receive request. SGEs beyond the number that create QP or create SRQ granted are ignored. */
struct hca_recv_wqe {
	__aligned_u64 wr_id;
	__u32 num_sge;
	__u32 reserved;
	struct hca_sge sge[];
};

#define HCA_RECV_WQE_HEADER 16

/*
 * Values of vendor_err in a completion: the reason why the request has failed, or 0 if it has
 * succeeded. A value occurs only with the completion status that the comments below name. A new
 * value is always added at the end of its group. hcadv_vendor_err_str(3) lists all values.
 */
enum hca_vendor_err {
	HCA_VENDOR_ERR_NONE = 0,

	/* Errors of a request. Status: IBV_WC_LOC_QP_OP_ERR. */
	HCA_VENDOR_ERR_OPCODE = 0x01, /* the service does not have the opcode */
	HCA_VENDOR_ERR_NUM_SGE, /* more SGEs than create QP granted */
	HCA_VENDOR_ERR_INLINE_LENGTH, /* more inline data than create QP granted */
	HCA_VENDOR_ERR_INLINE_OPCODE, /* inline data of a Read or an atomic */
	HCA_VENDOR_ERR_AV, /* a field of the address vector is out of range */
	HCA_VENDOR_ERR_AV_PORT, /* the port of the address vector is not the queue pair's */
	HCA_VENDOR_ERR_PKEY_INDEX,
	HCA_VENDOR_ERR_INITIATOR_DEPTH, /* max_rd_atomic is 0, and limits this type of request */
	HCA_VENDOR_ERR_PLACEMENT, /* a Flush with an invalid placement type or selectivity level */

	/* Errors of a length. Status: IBV_WC_LOC_LEN_ERR. */
	HCA_VENDOR_ERR_MESSAGE_LENGTH = 0x10, /* more than 2^31 octets */
	HCA_VENDOR_ERR_ATOMIC_LENGTH, /* an atomic of other than 8 octets */
	HCA_VENDOR_ERR_DATAGRAM_LENGTH, /* a datagram of more than the MTU of the port */
	HCA_VENDOR_ERR_RECV_LENGTH, /* a message longer than the receive request */

	/* Errors of an SGE of a send or receive request. Status: IBV_WC_LOC_PROT_ERR. */
	HCA_VENDOR_ERR_LKEY = 0x20, /* no MR or window has the L_Key */
	HCA_VENDOR_ERR_LKEY_INVALID, /* the MR is invalidated, or not fast-registered yet */
	HCA_VENDOR_ERR_LKEY_WINDOW, /* the L_Key is the R_Key of a window */
	HCA_VENDOR_ERR_LKEY_PD, /* the MR is of another protection domain */
	HCA_VENDOR_ERR_LKEY_ACCESS, /* the MR lacks local write access */
	HCA_VENDOR_ERR_LKEY_BOUNDS, /* octets are outside of the MR */
	HCA_VENDOR_ERR_LKEY_CHANGED, /* the MR was changed or removed during the request */
	HCA_VENDOR_ERR_PAGE, /* the process has no such page, or may not write it */

	/* Errors of Bind, fast registration and Local Invalidate. Status: IBV_WC_MW_BIND_ERR. */
	HCA_VENDOR_ERR_BIND_WINDOW = 0x40, /* no window has the key */
	HCA_VENDOR_ERR_BIND_WINDOW_PD, /* the window is of another protection domain */
	HCA_VENDOR_ERR_BIND_FLAGS, /* a window cannot have these access rights */
	HCA_VENDOR_ERR_BIND_LENGTH, /* a window of type 2 with length 0 */
	HCA_VENDOR_ERR_BIND_BOUND, /* a window of type 2 that is bound already */
	HCA_VENDOR_ERR_BIND_KEY, /* the new key is equal to the present key */
	HCA_VENDOR_ERR_BIND_MR, /* no valid MR has the L_Key */
	HCA_VENDOR_ERR_BIND_MR_PD, /* the MR is of another protection domain */
	HCA_VENDOR_ERR_BIND_MR_KIND, /* windows cannot be bound to an MR of this kind */
	HCA_VENDOR_ERR_BIND_MR_ACCESS, /* the MR lacks the right to bind windows */
	/* the MR does not allow the window's right to write, or to flush to persistence */
	HCA_VENDOR_ERR_BIND_RIGHTS,
	HCA_VENDOR_ERR_BIND_BOUNDS, /* octets are outside of the MR */
	HCA_VENDOR_ERR_REG_KEY, /* no MR for fast registration has the key */
	HCA_VENDOR_ERR_REG_VALID, /* the MR is valid already */
	HCA_VENDOR_ERR_REG_PD, /* the MR is of another protection domain */
	/* remote rights without local write access, or the right to a persistent Flush */
	HCA_VENDOR_ERR_REG_RIGHTS,
	HCA_VENDOR_ERR_REG_BOUNDS, /* length 0, or more than the mapped pages */
	HCA_VENDOR_ERR_INVALIDATE_KEY, /* no MR or window has the key */
	HCA_VENDOR_ERR_INVALIDATE_KIND, /* an MR without fast registration, or a window of type 1 */
	HCA_VENDOR_ERR_INVALIDATE_QP, /* another queue pair has bound the window */
	HCA_VENDOR_ERR_INVALIDATE_PD, /* the MR or window is of another protection domain */
	HCA_VENDOR_ERR_INVALIDATE_BOUND, /* windows are bound to the MR */

	/* Errors of responses and requests of the peer. The status follows the colon. */
	HCA_VENDOR_ERR_NAK_REQUEST = 0x60, /* NAK Invalid Request: IBV_WC_REM_INV_REQ_ERR */
	HCA_VENDOR_ERR_NAK_ACCESS, /* NAK Remote Access Error: IBV_WC_REM_ACCESS_ERR */
	HCA_VENDOR_ERR_NAK_OPERATION, /* NAK Remote Operational Error: IBV_WC_REM_OP_ERR */
	HCA_VENDOR_ERR_NAK_RD, /* NAK Invalid RD Request: IBV_WC_REM_INV_RD_REQ_ERR */
	HCA_VENDOR_ERR_NAK_CODE, /* a NAK with another code: IBV_WC_BAD_RESP_ERR */
	HCA_VENDOR_ERR_RESPONSE, /* a response that does not fit the request: IBV_WC_BAD_RESP_ERR */
	/* receive: invalidation of a key that the peer may not use: IBV_WC_REM_INV_REQ_ERR */
	HCA_VENDOR_ERR_REMOTE_INVALIDATE,

	/* Errors without a retry left (retry_cnt). Status: IBV_WC_RETRY_EXC_ERR. */
	HCA_VENDOR_ERR_TIMEOUT_RETRIES = 0x70, /* the last try had no response in time */
	HCA_VENDOR_ERR_SEQUENCE_RETRIES, /* the last try was answered by NAK PSN Sequence Error */
	HCA_VENDOR_ERR_IMPLIED_RETRIES, /* the last try lost a response (implied NAK) */
	/* An RNR NAK without a retry left (rnr_retry). Status: IBV_WC_RNR_RETRY_EXC_ERR. */
	HCA_VENDOR_ERR_RNR_RETRIES,

	/* Errors of reliable datagrams. The status follows the colon. */
	HCA_VENDOR_ERR_EECN = 0x80, /* no EE context has the number: IBV_WC_INV_EECN_ERR */
	HCA_VENDOR_ERR_EEC_RDD, /* the EE context is of another domain: IBV_WC_LOC_RDD_VIOL_ERR */
	HCA_VENDOR_ERR_EEC_STATE, /* the EE context is not in RTS: IBV_WC_INV_EEC_STATE_ERR */
	HCA_VENDOR_ERR_EEC_DEPTH, /* max_rd_atomic of the EE context is 0: IBV_WC_LOC_EEC_OP_ERR */
	HCA_VENDOR_ERR_EEC_ERROR, /* receive: the EE context went to Error: IBV_WC_LOC_EEC_OP_ERR */
	HCA_VENDOR_ERR_REMOTE_ABORT, /* receive: the peer sent a RESYNC: IBV_WC_REM_ABORT_ERR */

	/* Reasons why a request was not executed. Status: IBV_WC_WR_FLUSH_ERR. */
	HCA_VENDOR_ERR_FLUSH_ERROR = 0xa0, /* the queue pair is in Error */
	HCA_VENDOR_ERR_FLUSH_SQE, /* the queue pair is in SQE, or was when the request was posted */

	/* Errors of an RNIC's connections. The status follows the colon. */
	HCA_VENDOR_ERR_STREAM_LOST = 0xb0, /* TCP has lost the connection: IBV_WC_RETRY_EXC_ERR */
	/* The peer's Terminate message names the request. */
	HCA_VENDOR_ERR_TERMINATE_ACCESS, /* a protection error: IBV_WC_REM_ACCESS_ERR */
	HCA_VENDOR_ERR_TERMINATE_REQUEST, /* the request is invalid: IBV_WC_REM_INV_REQ_ERR */
	HCA_VENDOR_ERR_TERMINATE_OPERATION, /* another error: IBV_WC_REM_OP_ERR */
	/* The memory into which a Read reads, its sink. */
	HCA_VENDOR_ERR_SINK_RIGHTS, /* it lacks remote write access: IBV_WC_LOC_PROT_ERR */
	HCA_VENDOR_ERR_SINK_KEY, /* its key is 0: IBV_WC_LOC_QP_OP_ERR */
	HCA_VENDOR_ERR_SINK_SGES, /* it has more than one SGE: IBV_WC_LOC_QP_OP_ERR */
	/* flushed: the connection was closed before the request: IBV_WC_WR_FLUSH_ERR */
	HCA_VENDOR_ERR_BAD_CLOSE,
};

/*
 * The check by which a responder has refused a request. The reason is more specific than the NAK,
 * which has only four codes. New values are only appended; hca-errors(7) lists all values.
 */
enum hca_nak_reason {
	HCA_NAK_REASON_NONE,

	/* Reasons for a NAK Invalid Request. */
	HCA_NAK_REASON_OPCODE, /* the service does not have the operation */
	HCA_NAK_REASON_ORDER, /* a packet that may not follow the previous one */
	/* payload longer than the path MTU, or shorter in a packet that is not the last one */
	HCA_NAK_REASON_PACKET_LENGTH,
	HCA_NAK_REASON_MESSAGE_LENGTH, /* more than 2^31 octets */
	HCA_NAK_REASON_WRITE_LENGTH, /* a Write whose length differs from its RETH */
	HCA_NAK_REASON_RECV_LENGTH, /* a message longer than the receive request */
	HCA_NAK_REASON_QP_ACCESS, /* the queue pair does not permit the operation */
	HCA_NAK_REASON_RD_ATOMIC, /* more requests outstanding than max_dest_rd_atomic */
	HCA_NAK_REASON_ALIGNMENT, /* an atomic's address is not a multiple of 8 */
	HCA_NAK_REASON_ATOMIC_LENGTH, /* an Atomic Write of other than 8 octets */
	HCA_NAK_REASON_FLUSH, /* a Flush with an invalid placement type or selectivity level */
	HCA_NAK_REASON_XRC_SRQ, /* no SRQ of the XRC domain has the number */

	/* Reasons for a NAK Remote Access Error. */
	HCA_NAK_REASON_RKEY, /* no MR or window has the R_Key */
	HCA_NAK_REASON_RKEY_INVALID, /* the MR or window is not registered, bound or valid */
	HCA_NAK_REASON_RKEY_PD, /* the MR or window is of another protection domain */
	HCA_NAK_REASON_RKEY_QP, /* another queue pair has bound the window */
	HCA_NAK_REASON_RKEY_ACCESS, /* the MR or window lacks the right */
	HCA_NAK_REASON_RKEY_BOUNDS, /* octets are outside of the MR or window */
	HCA_NAK_REASON_RKEY_CHANGED, /* the MR or window was changed or removed while in use */
	HCA_NAK_REASON_PAGE, /* the process has no such page, or may not write it */
	HCA_NAK_REASON_INVALIDATE, /* Send with Invalidate of a key that the peer may not use */
	HCA_NAK_REASON_XRC_SRQ_GONE, /* the SRQ was destroyed during the request */

	/* Reasons for a NAK Remote Operational Error. */
	HCA_NAK_REASON_RECV_SGE, /* an SGE of the receive request is not permitted */
	HCA_NAK_REASON_RECV_QUEUE, /* the receive queue has failed */
	HCA_NAK_REASON_CQ, /* the CQ has no room for the completion */
	HCA_NAK_REASON_ATOMIC_MEMORY, /* the address is aligned, but the memory there is not */

	/* Reasons for a NAK Invalid RD Request. */
	HCA_NAK_REASON_RD_QP, /* no queue pair with this number, domain, service, state and Q_Key */
};

enum hca_cqe_flags {
	HCA_CQE_GRH = 1 << 0,
	HCA_CQE_WITH_IMM = 1 << 1,
	HCA_CQE_WITH_INV = 1 << 2,
	HCA_CQE_RECV = 1 << 3, /* the completion is that of a receive request */
	HCA_CQE_SOLICITED = 1 << 4,
};

/*
 * The existing QPs of a device all differ in the low HCA_QPN_INDEX_BITS bits of their QPNs. These
 * bits of a completion's qp_num can be used as an index to look up the QP.
 */
#define HCA_QPN_INDEX_BITS 14

/*
 * A completion. It does not refer to other memory, so that it remains valid when its QP is
 * destroyed (req V3-189). Unless status is success, only wr_id, status, vendor_err, qp_num and wqes
 * are valid. sl, src_qp, pkey_index, slid and dlid_path_bits are valid for datagrams; byte_len of a
 * UD receive includes 40 octets of GRH.
 *
 * wqes is the number of entries of the SQ or RQ that can be posted to again once this completion
 * has been polled (req R0-408, R0-409). For an RQ it is 1; for an SQ it includes the unsignaled
 * requests that completed before; for an SRQ it is 0, since entries of an SRQ are free when the
 * request is consumed. wqes has no meaning if the QP was reset after the completion was added.
 */
struct hca_cqe {
	__aligned_u64 wr_id;
	__u8 status; /* enum ibv_wc_status */
	/* enum ib_uverbs_wc_opcode; 128: Receive; 129: Receive of RDMA Write with Immediate */
	__u8 opcode;
	__u8 flags; /* enum hca_cqe_flags */
	__u8 sl;
	__u32 vendor_err; /* enum hca_vendor_err */
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
	union {
		__aligned_u64 kernel; /* CQs of kernel consumers: address of struct ib_qp */
		/*
		 * CQs created with IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION: time at which the
		 * completion was added, CLOCK_MONOTONIC_RAW in nanoseconds; in other CQs of user
		 * space 0.
		 */
		__aligned_u64 timestamp;
	};
	__u32 eecn; /* receives of RD: number of the local EE context */
	__u16 ethertype; /* receives of raw EtherType queue pairs */
	__u16 reserved1;
	__u32 wqes;
	__u8 reserved2[4];
};

/*
 * Driver-specific parts of uverbs commands. "offset" is passed to mmap() of the context's file
 * descriptor; "size" is in octets. A ring is mapped as a whole, shared and not executable. Errors
 * of mmap():
 *   EINVAL  offset and size are not those of a ring of this context, or the mapping is private
 *   EPERM   the mapping is executable
 * A mapping remains valid after the queue has been destroyed, but accesses have no effect.
 */

/*
 * Get context: limits of the device. A response buffer that is too small receives the first fields.
 */
struct hca_alloc_ucontext_resp {
	__u32 max_inline_data;
	__u32 max_send_sge;
	__u32 max_recv_sge;
	__u32 reserved;
};

/*
 * Create CQ.
 *   EINVAL  0 entries or more than 2^20; the response buffer is too small
 *   EOPNOTSUPP  a flag is set other than IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION and
 *               IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN
 *   ENOMEM  no memory, or 65536 CQs exist
 */
struct hca_create_cq_resp {
	__aligned_u64 offset;
	__aligned_u64 size;
	__u32 entries; /* power of two */
	__u32 reserved;
};

/*
 * Resize CQ, in three steps, so that the CQ is unchanged if a process cannot map the new ring.
 * PREPARE creates a ring with at least the requested number of entries. struct hca_create_cq_resp
 * describes this ring. The CQ is unchanged, and a ring that was prepared before is freed. COMMIT
 * replaces the ring of the CQ by the new ring. The new ring contains the unpolled completions at
 * unchanged indices (req R0-077). The process does not poll the CQ during COMMIT. From COMMIT to
 * FINISH either ring may be armed. FINISH arms the new ring for the events for which the former
 * ring was armed, and frees the former ring. From COMMIT to FINISH the indices of the former ring
 * differ, as if it contained completions: a thread that compares them acquires the lock of the
 * process and then finds the new ring. A thread that arms a CQ checks afterwards whether the ring
 * of the CQ has changed, and arms the new ring if so. All steps request the same number of entries.
 *   EINVAL  the request is too short, or its step is unknown; 0 entries or more than 2^20; the
 *           response buffer is too small; COMMIT: no ring of this size was prepared, or the
 *           completions exceed the entries (req R0-079)
 *   EBUSY   COMMIT: completions are added faster than the kernel copies them
 *   EOPNOTSUPP  the request is longer than the struct, and not 0 beyond the struct
 *   ENOMEM  no memory
 */
enum hca_resize_cq_step {
	HCA_RESIZE_CQ_PREPARE,
	HCA_RESIZE_CQ_COMMIT,
	HCA_RESIZE_CQ_FINISH,
};

struct hca_resize_cq_req {
	__u32 step; /* enum hca_resize_cq_step */
	__u32 reserved;
};

/*
 * Create SRQ. The SRQ may have more entries than were requested. An entry is free again as soon as
 * a queue pair has consumed its request. Modify SRQ arms the limit, but cannot change the size; the
 * methods of enum hca_srq_methods change the size.
 *   EINVAL  0 entries or more than 16384, more than 32 SGEs, a limit above the number of
 *           entries; the response buffer is too small
 *   EOPNOTSUPP  the type is neither basic nor XRC; Modify SRQ: the size is to be changed
 *   ENOMEM  no memory, or 65536 basic SRQs, or 4096 of XRC, exist
 */
struct hca_create_srq_resp {
	__aligned_u64 offset;
	__aligned_u64 size;
	__u32 entries; /* power of two */
	__u32 stride; /* octets */
};

/*
 * Create QP. The QP may have more entries, SGEs and inline data than were requested (req V3-173). A
 * QP with an SRQ has no RQ, and the requested size of the RQ is ignored (req R0-220). The sizes of
 * queues that the type does not have are ignored too: the RQ of an XRC initiator, both queues of an
 * XRC target.
 *   EINVAL  more than 16384 entries, 32 SGEs or 256 octets of inline data; the response buffer is
 *           too small; a create flag, and the type is not UD
 *   EOPNOTSUPP  the type is not RC, UC, UD, XRC or IBV_QPT_DRIVER; an SRQ, and the type cannot have
 *           one; a create flag other than IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK
 *   ENOMEM  no memory, or 16382 queue pairs exist, or 8192 XRC targets
 *
 * Types that uverbs does not have are created as IBV_QPT_DRIVER with struct hca_create_qp_req as
 * the driver-specific part of the request; the other types have no such part. Additional errors:
 *   EINVAL  struct hca_create_qp_req is too short; a raw queue pair with a domain
 *   EOPNOTSUPP  the driver-specific part is longer than the struct, and not 0 beyond the struct;
 *           the type is not one of enum hca_driver_qp_type
 *   ENOENT  this context has no domain with that handle (RD)
 *   EPERM   the type is raw, and the caller lacks CAP_NET_RAW
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
	__aligned_u64 sq_offset; /* not used if sq_size is 0: the QP has no SQ */
	__aligned_u64 sq_size;
	__aligned_u64 rq_offset; /* not used if rq_size is 0: the QP has no RQ */
	__aligned_u64 rq_size;
	__u32 sq_entries; /* power of two */
	__u32 sq_stride; /* octets */
	__u32 rq_entries; /* power of two */
	__u32 rq_stride; /* octets */
};

/*
 * Commands without a driver-specific part. Memory windows are bound by send requests.
 *
 * Destroy QP:
 *   EBUSY   a window of type 2 that the QP has bound is still bound
 * Deregister MR:
 *   EBUSY   a window is bound to the MR
 * Allocate MW:
 *   ENOMEM  no memory, or 65536 windows exist
 */

/*
 * Methods of queue pairs in addition to those of uverbs.
 *
 * Channel adapters attach raw queue pairs to multicast groups and detach them (req B4-417); the
 * methods of uverbs are for UD only. Destroying a queue pair detaches it. Attach:
 *   EINVAL  not a raw queue pair, not a multicast GID and LID, or attached already
 *   ENOMEM  no memory, or the limit of groups or of members of a group has been reached
 *   EPERM   the caller lacks CAP_NET_RAW
 * Detach:
 *   EINVAL  not a raw queue pair, or not attached to the group
 *
 * Query Terminate of an RNIC returns the Terminate message that a queue pair keeps (req R0-123).
 * A queue pair keeps the first message of a connection until its next connection begins, or until
 * it is reset.
 *
 * Attach Stream of an RNIC makes a connected socket of TCP the stream of a queue pair (req R0-253).
 * A queue pair that another call uses at the time is busy.
 *   EADDRNOTAVAIL  the local address of the socket is not one that the RNIC serves
 *   EBADF          no such file descriptor
 *   EBUSY          the socket is a stream already, has a ULP, is in use, or the queue pair is
 *   EINVAL         the queue pair is not in Init, has a stream, or an argument is invalid
 *   ENETUNREACH    the socket is of another network namespace than the interface
 *   ENODEV         the RNIC is being removed
 *   ENOMEM         no memory
 *   ENOTCONN       the socket is not connected, or one half of its connection has ended
 *   ENOTSOCK       the file is not a socket
 *   EOPNOTSUPP     the socket is not one of TCP
 */
enum hca_qp_methods {
	HCA_METHOD_QP_ATTACH_MCAST = (1U << UVERBS_ID_NS_SHIFT),
	HCA_METHOD_QP_DETACH_MCAST,
	HCA_METHOD_QP_QUERY_TERMINATE,
	HCA_METHOD_QP_ATTACH_STREAM,
};

/* Attributes of the methods ATTACH_MCAST and DETACH_MCAST. */
enum hca_qp_mcast_attrs {
	HCA_ATTR_QP_MCAST_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* in: handle of the queue pair */
	HCA_ATTR_QP_MCAST_GROUP, /* in: struct hca_mcast_group */
};

struct hca_mcast_group {
	__u8 gid[16]; /* octets in wire order */
	__u16 lid;
	__u16 reserved[3];
};

/* Attributes of the method ATTACH_STREAM. */
enum hca_qp_stream_attrs {
	HCA_ATTR_QP_STREAM_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* in: handle of the QP */
	HCA_ATTR_QP_STREAM_START, /* in: struct hca_stream_start */
	HCA_ATTR_QP_STREAM_MESSAGE, /* in, optional: octets that are sent before MPA begins */
	HCA_ATTR_QP_STREAM_PRIVATE, /* in, optional: private data of the frame of MPA */
};

#define HCA_STREAM_MESSAGE_MAX 4096 /* octets of HCA_ATTR_QP_STREAM_MESSAGE */
#define HCA_STREAM_PRIVATE_MAX 508 /* octets of HCA_ATTR_QP_STREAM_PRIVATE */

/* The end that begins MPA. */
enum hca_stream_role {
	HCA_STREAM_INITIATOR, /* this one: it sends the request */
	HCA_STREAM_RESPONDER, /* the peer: this one replies */
};

enum hca_stream_flags {
	HCA_STREAM_IMMEDIATE = 0x1, /* there are no frames of MPA */
};

struct hca_stream_start {
	__s32 fd; /* file descriptor of the socket */
	__u32 role; /* enum hca_stream_role */
	__u32 flags; /* bits of enum hca_stream_flags */
	__u32 reserved; /* 0 */
};

/* Attributes of the method QUERY_TERMINATE. */
enum hca_qp_terminate_attrs {
	HCA_ATTR_QP_TERMINATE_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* in: handle of the QP */
	HCA_ATTR_QP_TERMINATE_INFO, /* out: struct hca_terminate_info */
};

/* The origin of the Terminate message that a queue pair keeps. */
enum hca_terminate_origin {
	HCA_TERMINATE_NONE, /* no message, and no other reason for the end of the connection */
	/* The reason for the end of the connection, which this end has not sent, or not yet. */
	HCA_TERMINATE_UNSENT,
	HCA_TERMINATE_LOCAL, /* this end has sent the message */
	HCA_TERMINATE_REMOTE, /* the peer has sent the message */
};

struct hca_terminate_info {
	__u32 origin; /* enum hca_terminate_origin */
	__u8 layer; /* 0: RDMAP, 1: DDP, 2: MPA */
	__u8 error_type;
	__u8 error_code;
	/* The peer has sent layer and type, and the bits M, D and R, in the other order. */
	__u8 swapped;
	__u16 segment_length; /* DDP Segment Length; 0: the message does not contain it */
	__u8 ddp_octets; /* octets of ddp; 0: the message does not contain the header */
	__u8 read_octets; /* octets of read; 0: the message does not contain the header */
	__u8 message_octets; /* octets of message; 0: there is no message */
	__u8 reserved[3];
	__u8 ddp[18]; /* DDP header of the segment with the error */
	__u8 read[28]; /* RDMAP header of the Read Request with the error */
	__u8 message[52]; /* the message as it was on the wire, without its own DDP header */
	__u8 reserved2[2];
};

/*
 * The response of Allocate PD. Handles do not identify a domain: a process may have several handles
 * of one domain, and two contexts may have equal handles of different domains. The number
 * identifies a domain, and is never reused. A response buffer that is too small does not receive
 * the number.
 */
struct hca_pd_info {
	__aligned_u64 number; /* number of the domain, from 1 on */
};

/*
 * A method of protection domains. Query returns 0 if the context has a domain with the handle, and
 * ENOENT otherwise. By Query, ibv_import_pd() refuses an invalid handle at once.
 */
enum hca_pd_methods {
	HCA_METHOD_PD_QUERY = (1U << UVERBS_ID_NS_SHIFT),
};

enum hca_pd_query_attrs {
	HCA_ATTR_PD_QUERY_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* in: handle of the domain */
	HCA_ATTR_PD_QUERY_INFO, /* out, optional: struct hca_pd_info */
};

/*
 * Methods of MRs in addition to those of uverbs. They return ENOENT if this context has no MR with
 * the handle.
 *
 * Share, which is Register Shared MR (req R0-300), registers a new MR with the pages of an existing
 * MR. The new MR has its own domain, rights and addresses. Deregistration of one MR leaves the
 * pages pinned for the other. Neither of the two can be reregistered any more (req R0-284).
 *   EACCES  the rights allow writing, but the pages were pinned for reading only
 *   EINVAL  lkey is not the key of the existing MR (req R0-301); iova has another offset in its
 *           page than the address of the existing MR (req R0-302); the addresses wrap; unknown
 *           rights, or remote write rights without local write access; an attribute has another
 *           size, or is missing
 *   EOPNOTSUPP  the MR has no pinned pages, because it is on demand, of device memory or of a DMA
 *           buffer; the rights include on-demand paging
 *   ENOMEM  no memory, or the limit of MRs has been reached
 * Query returns the attributes of an MR (req R0-338).
 */
enum hca_mr_methods {
	HCA_METHOD_MR_SHARE = (1U << UVERBS_ID_NS_SHIFT),
	HCA_METHOD_MR_QUERY,
};

enum hca_mr_share_attrs {
	HCA_ATTR_MR_SHARE_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* out: handle of the new MR */
	HCA_ATTR_MR_SHARE_PD, /* in: handle of the new MR's domain */
	HCA_ATTR_MR_SHARE_FROM, /* in: handle of the existing MR */
	HCA_ATTR_MR_SHARE_REQ, /* in: struct hca_share_mr_req */
	HCA_ATTR_MR_SHARE_RESP_KEY, /* out: __u32, L_Key and R_Key of the new MR */
};

struct hca_share_mr_req {
	__aligned_u64 iova; /* address of the first octet; not used if the new MR is zero-based */
	__u32 lkey; /* L_Key of the existing MR */
	__u32 access; /* enum ib_uverbs_access_flags */
};

enum hca_mr_query_attrs {
	HCA_ATTR_MR_QUERY_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* in: handle of the MR */
	HCA_ATTR_MR_QUERY_INFO, /* out: struct hca_mr_info */
};

enum hca_mr_flags {
	HCA_MR_VALID = 1 << 0, /* no exporter has revoked the memory of the MR */
	HCA_MR_SHARED = 1 << 1, /* another MR has, or had, the pages of this MR */
	HCA_MR_ON_DEMAND = 1 << 2,
};

struct hca_mr_info {
	__aligned_u64 iova; /* address of the first octet */
	__aligned_u64 length; /* octets */
	__aligned_u64 pages; /* number of pages; 0: pages on demand */
	__u32 lkey;
	__u32 rkey;
	__u32 access; /* enum ib_uverbs_access_flags, without optional ones */
	__u32 pd; /* handle of the protection domain */
	__u32 flags; /* enum hca_mr_flags */
	__u32 reserved;
};

/*
 * A method of memory windows: Query (req R0-502). The attributes of the bound range are 0 while the
 * window is not bound. Query returns ENOENT if the context has no window with the handle.
 */
enum hca_mw_methods {
	HCA_METHOD_MW_QUERY = (1U << UVERBS_ID_NS_SHIFT),
};

enum hca_mw_query_attrs {
	HCA_ATTR_MW_QUERY_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* in: handle of the window */
	HCA_ATTR_MW_QUERY_INFO, /* out: struct hca_mw_info */
};

enum hca_mw_flags {
	HCA_MW_BOUND = 1 << 0,
};

struct hca_mw_info {
	__aligned_u64 iova; /* address of the first octet */
	__aligned_u64 length; /* octets */
	__u32 rkey; /* present R_Key */
	__u32 lkey; /* L_Key of the MR to which the window is bound */
	__u32 access; /* enum ib_uverbs_access_flags */
	__u32 pd; /* handle of the protection domain */
	__u32 qp_num; /* window of type 2: number of the queue pair that has bound it */
	__u32 flags; /* enum hca_mw_flags */
};

/*
 * Device memory: objects of at most 2^20 octets, aligned to a page, and initially zero.
 * Allocate:
 *   EINVAL  length 0 or too large; an alignment of more than a page
 *   ENOMEM  no memory, or RLIMIT_MEMLOCK is exceeded, or 4096 objects exist
 * Query returns the offset for mmap(), which maps device memory as it maps a ring. Query returns
 * ENOENT if the context has no device memory with the handle.
 */
enum hca_dm_methods {
	HCA_METHOD_DM_QUERY = (1U << UVERBS_ID_NS_SHIFT),
};

enum hca_dm_query_attrs {
	HCA_ATTR_DM_QUERY_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* in: handle of the device memory */
	HCA_ATTR_DM_QUERY_INFO, /* out: struct hca_dm_info */
};

struct hca_dm_info {
	__aligned_u64 offset; /* argument offset of mmap() */
	__aligned_u64 size; /* octets to map, whole pages */
	__aligned_u64 length; /* octets of the memory */
};

/*
 * Methods of shared receive queues in addition to those of uverbs. The methods resize a basic or
 * XRC SRQ in two steps, so that the SRQ is unchanged if a process cannot map the new ring.
 *
 * PREPARE creates a ring with at least the requested number of entries; the SRQ is unchanged. A
 * ring that was prepared before is freed, even if PREPARE fails. Destroying the SRQ frees the
 * prepared ring, too.
 *   EINVAL  0 entries or more than 16384; an attribute has another size, or is missing
 *   ENOENT  this context has no SRQ with that handle
 *   ENOMEM  no memory, or RLIMIT_MEMLOCK is exceeded
 *   EFAULT  the response cannot be written
 *
 * COMMIT replaces the ring of the SRQ by the prepared ring. The new ring contains the posted
 * requests at unchanged indices. Queue pairs may consume requests during COMMIT, but the process
 * does not post requests.
 * A limit in COMMIT is armed for the new size as by Modify SRQ; without a limit, the armed limit
 * stays. The former ring is freed, and accesses to its mapping have no effect. If COMMIT fails,
 * nothing has changed, and the prepared ring can be committed later.
 *   EINVAL  no ring was prepared; the posted requests exceed the entries (req R0-217); the limit in
 *           COMMIT, or otherwise the armed limit, is above the number of entries (req R0-238); the
 *           SRQ is in its error state, or its producer index is invalid; an attribute has another
 *           size, or the handle is missing
 *   ENOENT  this context has no SRQ with that handle
 *   EBUSY   requests were posted during COMMIT
 */
enum hca_srq_methods {
	HCA_METHOD_SRQ_PREPARE = (1U << UVERBS_ID_NS_SHIFT),
	HCA_METHOD_SRQ_COMMIT,
};

enum hca_srq_prepare_attrs {
	HCA_ATTR_SRQ_PREPARE_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* in: handle of the SRQ */
	HCA_ATTR_SRQ_PREPARE_ENTRIES, /* in: __u32, number of entries */
	HCA_ATTR_SRQ_PREPARE_RESP_RING, /* out: struct hca_create_srq_resp */
};

enum hca_srq_commit_attrs {
	HCA_ATTR_SRQ_COMMIT_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* in: handle of the SRQ */
	HCA_ATTR_SRQ_COMMIT_LIMIT, /* in, optional: __u32, limit to arm */
};

/*
 * The doorbell is a uverbs object of type file descriptor, which can only be written (req V3-138).
 * One doorbell is enough for a context. write(fd, qpn[], 4 * n) makes the engine process the work
 * requests of these queue pairs, in this order. write() returns when all work that can be done at
 * once is done or has been passed on to another context of the kernel. At most 16384 numbers are
 * consumed; write() returns the number of octets consumed.
 *   EINVAL  the length is 0 or not a multiple of 4
 *   EFAULT  the numbers cannot be read
 *   ENOENT  a number is not that of a queue pair of this context (req V3-185); the queue pairs
 *           before it have been processed
 *   EIO     the context or the device has been destroyed
 *   EINTR   the process is being killed
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
 * A reliable datagram domain (RDD): RD queue pairs can use the EE contexts of their domain
 * (req V3-150 to V3-152). struct hca_create_qp_req names a domain by its handle.
 *
 * Alloc without a file creates a domain. Alloc with a regular file returns a handle of the file's
 * domain, which all processes that open the file share; the first Alloc creates this domain.
 *   EBADF   the file descriptor is not open
 *   EINVAL  the file is not a regular one
 *   EACCES  the file is not open for writing
 *   ENOMEM  no memory, or 65536 handles exist
 * Dealloc frees the handle, and with its last handle the domain.
 *   ENOENT  this context has no domain with that handle
 *   EBUSY   a queue pair or an EE context was created by this handle and still exists
 */
enum hca_rdd_methods {
	HCA_METHOD_RDD_ALLOC = (1U << UVERBS_ID_NS_SHIFT),
	HCA_METHOD_RDD_DEALLOC,
};

enum hca_rdd_alloc_attrs {
	HCA_ATTR_RDD_ALLOC_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* out: handle of the domain */
	HCA_ATTR_RDD_ALLOC_FILE, /* in, optional: file descriptor */
};

enum hca_rdd_dealloc_attrs {
	HCA_ATTR_RDD_DEALLOC_HANDLE = (1U << UVERBS_ID_NS_SHIFT),
};

/*
 * An EE context: one end of a reliable datagram channel (RDC; req V3-203 to V3-206, C4-036).
 * Methods with a handle return ENOENT if this uverbs context has no EE context with the handle.
 *
 * Create. The EE context is in Reset. Its events can be read from the events file, if one is given.
 *   EBADF   the file descriptor is not that of an events file of this context
 *   ENOENT  this context has no domain with that handle
 *   ENOMEM  no memory, or 4096 EE contexts exist
 * Modify. The values are those of struct ibv_qp_attr. The transitions and their attributes are
 * those of a queue pair of type RC, except that IBV_QP_DEST_QPN stands for dest_eecn and
 * IBV_QP_ACCESS_FLAGS is not allowed.
 *   EINVAL  the transition does not exist; mask lacks an attribute that the transition requires, or
 *           has one that it does not allow; a value is out of range
 * Query. mask is 0; the attributes are those that were set, with the present PSNs.
 * Destroy. Requests that name the EE context, pending or posted later, end with
 * IBV_WC_INV_EECN_ERR.
 */
enum hca_eec_methods {
	HCA_METHOD_EEC_CREATE = (1U << UVERBS_ID_NS_SHIFT),
	HCA_METHOD_EEC_MODIFY,
	HCA_METHOD_EEC_QUERY,
	HCA_METHOD_EEC_DESTROY,
};

enum hca_eec_create_attrs {
	HCA_ATTR_EEC_CREATE_HANDLE = (1U << UVERBS_ID_NS_SHIFT), /* out: handle of the EE context */
	HCA_ATTR_EEC_CREATE_RDD, /* in: handle of the domain */
	HCA_ATTR_EEC_CREATE_RESP_EECN, /* out: __u32, number of the EE context */
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
	__u8 sq_draining; /* Query only */
	__u8 reserved[5];
	struct hca_av av;
	struct hca_av alt_av;
};

/*
 * Events of EE contexts (req V3-206). An events file is a uverbs object of type file descriptor,
 * which can only be read and supports poll(). read() returns one struct hca_eec_event, and waits
 * for one unless the file is O_NONBLOCK. An event that occurs again before it has been read is
 * returned once. Events of an EE context that has been destroyed are not returned.
 *   EINVAL  the buffer is smaller than struct hca_eec_event
 *   EAGAIN  there is no event, and the file is O_NONBLOCK
 *   EIO     the context or the device has been destroyed; poll() returns POLLHUP
 */
enum hca_events_methods {
	HCA_METHOD_EVENTS_ALLOC = (1U << UVERBS_ID_NS_SHIFT),
};

enum hca_events_alloc_attrs {
	HCA_ATTR_EVENTS_ALLOC_FD = (1U << UVERBS_ID_NS_SHIFT), /* out: the file descriptor */
};

struct hca_eec_event {
	__u32 eecn;
	__u32 type; /* enum ibv_event_type: the corresponding event of a queue pair */
};

#endif
