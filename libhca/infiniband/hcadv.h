/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Direct verbs: functions of an hca device that libibverbs does not have. These are
 * reliable datagrams with their domains and EE contexts, raw datagrams, MRs that share pages, and
 * queries of MRs, of windows and of the Terminate messages of RNICs. Link with -lhca; see hcadv(7).
 *
 * Functions that create objects return NULL and set errno when they fail. Other functions return 0
 * or an errno, unless their description differs.
 */
#ifndef INFINIBAND_HCADV_H
#define INFINIBAND_HCADV_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return whether the functions below work with the device. */
bool hcadv_is_supported(struct ibv_device *device);

enum hcadv_device_caps {
	HCADV_CAP_RD = 1 << 0, /* reliable datagrams */
	HCADV_CAP_RD_ATOMICS = 1 << 1,
	HCADV_CAP_RAW_IPV6 = 1 << 2,
	HCADV_CAP_RAW_ETHERTYPE = 1 << 3,
};

/* Capabilities of a device, and maximum numbers of its objects; 0: not supported. */
struct hcadv_device_attr {
	uint64_t comp_mask; /* must be 0, and is returned as 0 */
	uint32_t caps; /* enum hcadv_device_caps */
	uint32_t max_rdd;
	uint32_t max_eec;
	uint32_t max_rd_qp;
	uint32_t max_raw_ipv6_qp;
	uint32_t max_raw_ethertype_qp;
	uint32_t max_eec_rd_atom; /* maximum outstanding RDMA Reads and atomics of the peer */
	uint32_t max_eec_init_rd_atom; /* maximum outstanding RDMA Reads and atomics to the peer */
};

int hcadv_query_device(struct ibv_context *context, struct hcadv_device_attr *attr);

/* A reliable datagram domain: RD queue pairs use the EE contexts of their own domain only. */
struct hcadv_rdd {
	struct ibv_context *context;
	uint32_t handle;
};

struct hcadv_rdd *hcadv_alloc_rdd(struct ibv_context *context);
/* Open the domain of a regular file. Processes that open a domain with one file share it. */
struct hcadv_rdd *hcadv_open_rdd(struct ibv_context *context, int fd);
int hcadv_dealloc_rdd(struct hcadv_rdd *rdd);

/* An EE context: one end of a reliable datagram channel. */
struct hcadv_eec {
	struct ibv_context *context;
	struct hcadv_rdd *rdd;
	uint32_t handle;
	uint32_t eecn; /* EE context number, for send requests and for dest_qp_num of the peer */
};

struct hcadv_eec *hcadv_create_eec(struct hcadv_rdd *rdd);
int hcadv_modify_eec(struct hcadv_eec *eec, struct ibv_qp_attr *attr, int attr_mask);
int hcadv_query_eec(struct hcadv_eec *eec, struct ibv_qp_attr *attr, int attr_mask);
int hcadv_destroy_eec(struct hcadv_eec *eec);

/*
 * An event of an EE context. Programs do not acknowledge events, because the destruction of an EE
 * context discards its events.
 */
struct hcadv_eec_event {
	uint32_t eecn;
	enum ibv_event_type event_type; /* the corresponding event of a queue pair */
};

/*
 * Return: the file descriptor of events, which the library owns; or -1 with errno set. A program
 * may set O_NONBLOCK and use poll(2).
 */
int hcadv_eec_event_fd(struct ibv_context *context);
int hcadv_get_eec_event(struct ibv_context *context, struct hcadv_eec_event *event);

enum hcadv_qp_type {
	HCADV_QPT_RD = 1,
	HCADV_QPT_RAW_IPV6 = 2,
	HCADV_QPT_RAW_ETHERTYPE = 3,
};

enum hcadv_qp_init_attr_mask {
	HCADV_QP_INIT_ATTR_FLAGS = 1 << 0,
};

enum hcadv_qp_flags {
	/* Completions stay in their CQs when the queue pair is reset or destroyed. */
	HCADV_QP_KEEP_COMPLETIONS = 1 << 0,
};

struct hcadv_qp_init_attr {
	uint64_t comp_mask; /* enum hcadv_qp_init_attr_mask */
	enum hcadv_qp_type type; /* for a queue pair of type IBV_QPT_DRIVER; otherwise 0 */
	struct hcadv_rdd *rdd; /* for HCADV_QPT_RD; otherwise NULL */
	uint32_t flags; /* enum hcadv_qp_flags; valid if HCADV_QP_INIT_ATTR_FLAGS is set */
};

struct ibv_qp *hcadv_create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr,
			       const struct hcadv_qp_init_attr *hca_attr);

/*
 * Attach a raw queue pair to a multicast group, or detach it. While the queue pair is attached, it
 * receives the packets of the group. Attaching requires CAP_NET_RAW.
 */
int hcadv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);
int hcadv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid);

/* Functions that set the address of a send request of ibv_wr_start(). */
struct hcadv_qp_ex {
	uint64_t comp_mask; /* always 0 */
	void (*wr_set_rd)(struct hcadv_qp_ex *qp, uint32_t eecn, uint32_t remote_qpn,
			  uint32_t remote_qkey);
	void (*wr_set_raw)(struct hcadv_qp_ex *qp, struct ibv_ah *ah, uint16_t ethertype);
};

/* Return: NULL unless hcadv_create_qp() has created @qp with a type of enum hcadv_qp_type. */
struct hcadv_qp_ex *hcadv_qp_ex_from_ibv_qp_ex(struct ibv_qp_ex *qp);

static inline void hcadv_wr_set_rd(struct hcadv_qp_ex *qp, uint32_t eecn, uint32_t remote_qpn,
				   uint32_t remote_qkey)
{
	qp->wr_set_rd(qp, eecn, remote_qpn, remote_qkey);
}

static inline void hcadv_wr_set_raw(struct hcadv_qp_ex *qp, struct ibv_ah *ah, uint16_t ethertype)
{
	qp->wr_set_raw(qp, ah, ethertype);
}

/* A completion with values that struct ibv_wc does not have. */
struct hcadv_wc {
	struct ibv_wc wc;
	uint32_t eecn; /* received reliable datagram: number of the local EE context */
	uint16_t ethertype; /* EtherType of a received raw EtherType datagram */
	uint16_t reserved;
};

/* Return: number of completions, or -EOPNOTSUPP if the CQ is not one of an hca device. */
int hcadv_poll_cq(struct ibv_cq *cq, int num_entries, struct hcadv_wc *wc);

/*
 * Register Shared MR: register another MR for the pages of @mr. The new MR has its own protection
 * domain, access rights and addresses. The offset of @iova within a page must be that of the first
 * address of @mr, unless @access contains IBV_ACCESS_ZERO_BASED. ibv_dereg_mr() of one MR does not
 * affect the other.
 */
struct ibv_mr *hcadv_reg_shared_mr(struct ibv_pd *pd, struct ibv_mr *mr, uint64_t iova, int access);

enum hcadv_mr_flags {
	HCADV_MR_VALID = 1 << 0, /* accesses are allowed: no exporter has revoked the memory */
	HCADV_MR_SHARED = 1 << 1, /* another MR has, or had, the pages of this MR */
	HCADV_MR_ON_DEMAND = 1 << 2,
};

struct hcadv_mr_attr {
	uint64_t comp_mask; /* must be 0, and is returned as 0 */
	uint64_t iova; /* address of the first octet, as work requests contain it */
	uint64_t length; /* octets */
	uint64_t pages; /* number of pinned pages */
	uint32_t lkey;
	uint32_t rkey;
	uint32_t access; /* enum ibv_access_flags, without optional flags */
	uint32_t pd_handle; /* handle of struct ibv_pd */
	uint32_t flags; /* enum hcadv_mr_flags */
};

int hcadv_query_mr(struct ibv_mr *mr, struct hcadv_mr_attr *attr);

/* Attributes of a window. While the window is not bound, all but rkey and pd_handle are 0. */
struct hcadv_mw_attr {
	uint64_t comp_mask; /* must be 0, and is returned as 0 */
	uint64_t iova; /* address of the first octet, as work requests contain it */
	uint64_t length; /* octets */
	uint32_t rkey;
	uint32_t lkey; /* L_Key of the MR to which the window is bound */
	uint32_t access; /* enum ibv_access_flags */
	uint32_t pd_handle; /* handle of struct ibv_pd */
	uint32_t qp_num; /* type 2: number of the queue pair that has bound the window */
	bool bound;
};

int hcadv_query_mw(struct ibv_mw *mw, struct hcadv_mw_attr *attr);

/*
 * Query and Modify Address Handle. Requests that are posted already keep the former address. The
 * caller prevents other threads from posting with the handle during the change.
 */
int hcadv_query_ah(struct ibv_ah *ah, struct ibv_ah_attr *attr);
int hcadv_modify_ah(struct ibv_ah *ah, const struct ibv_ah_attr *attr);

struct hcadv_cq_attr {
	uint64_t comp_mask; /* must be 0, and is returned as 0 */
	uint32_t cqe; /* number of entries */
	uint32_t completions; /* number of completions to be polled */
};

int hcadv_query_cq(struct ibv_cq *cq, struct hcadv_cq_attr *attr);

/* The origin of the Terminate message that a queue pair of an RNIC keeps. */
enum hcadv_terminate_origin {
	HCADV_TERMINATE_NONE = 0, /* no message, and no other reason for an end */
	HCADV_TERMINATE_UNSENT = 1, /* the reason for the end, of which no message told the peer */
	HCADV_TERMINATE_LOCAL = 2, /* this end has sent the message */
	HCADV_TERMINATE_REMOTE = 3, /* the peer has sent the message */
};

/*
 * The Terminate message that a queue pair of an RNIC keeps: the first one of its connection. All
 * members are 0 if origin is HCADV_TERMINATE_NONE.
 */
struct hcadv_terminate {
	uint64_t comp_mask; /* must be 0, and is returned as 0 */
	enum hcadv_terminate_origin origin;
	uint8_t layer; /* 0: RDMAP, 1: DDP, 2: MPA */
	uint8_t error_type;
	uint8_t error_code;
	bool swapped; /* the peer has sent layer and type in the other order, as Linux's siw */
	uint16_t segment_length; /* octets of the segment with the error; 0: not known */
	uint8_t ddp_octets; /* octets of ddp; 0: not known */
	uint8_t read_octets; /* octets of read; 0: not known */
	uint8_t message_octets; /* octets of message; 0: there is no message */
	uint8_t ddp[18]; /* DDP header of the segment with the error */
	uint8_t read[28]; /* RDMAP header of the Read Request with the error */
	uint8_t message[52]; /* the message on the wire, behind its own DDP header */
};

int hcadv_query_terminate(struct ibv_qp *qp, struct hcadv_terminate *terminate);

/* The end of a live stream that begins MPA. */
enum hcadv_stream_role {
	HCADV_STREAM_INITIATOR = 0, /* this end sends the request */
	HCADV_STREAM_RESPONDER = 1, /* the peer sends the request, and this end replies */
};

enum hcadv_stream_flags {
	HCADV_STREAM_IMMEDIATE = 1, /* there are no frames of MPA */
};

#define HCADV_STREAM_MESSAGE_MAX 4096 /* octets of the last message before MPA */
#define HCADV_STREAM_PRIVATE_MAX 508 /* octets of private data */

/*
 * Makes the connected TCP socket fd the stream of a queue pair of an RNIC, which is in Init. The
 * last message is sent first, as it is.
 */
int hcadv_attach_stream(struct ibv_qp *qp, int fd, enum hcadv_stream_role role,
			const void *last_message, size_t length, const void *private_data,
			size_t pd_length, uint32_t flags);

/* Return: a text that explains vendor_err of a completion: why the request has failed. */
const char *hcadv_vendor_err_str(uint32_t vendor_err);

#ifdef __cplusplus
}
#endif

#endif
