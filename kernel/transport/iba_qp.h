/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Queue pairs of the InfiniBand transports. struct hca_iba_qp adds an EE context and the attached
 * multicast groups to struct hca_qp.
 */
#ifndef HCA_TRANSPORT_IBA_QP_H
#define HCA_TRANSPORT_IBA_QP_H

#include "qp/qp.h"
#include "transport/eec.h"

struct hca_rd_eec;
struct hca_xrc_srq;

struct hca_iba_qp {
	struct hca_qp qp; /* first member */
	struct hca_eec eec;
	const void *rdd; /* RD: the reliable datagram domain */
	/* RD: the RD EE context that the oldest request was passed to; or NULL */
	struct hca_rd_eec *rd_eec;
	const void *xrcd; /* XRC target: the XRC domain */
	/*
	 * XRC target: while a packet is executed, the SRQ that the packet names. At other times it
	 * is NULL, and srq, recv_cq, recv_pd and pd of the queue pair are NULL, too. Under
	 * recv_lock.
	 */
	struct hca_xrc_srq *xrc_srq;
	struct list_head scheduled; /* entry in rd_eec->waiting; under rd_eec->lock */
	/* the queue pair receives no copy of the multicast packets that it sends */
	bool block_loopback;
	struct list_head raw; /* raw queue pair: entry in hca_ca.raw_qps.qps; readers use RCU */
	u32 num_groups; /* number of entries in groups; under hca_ca.groups.lock */
	/* list of struct hca_member, the attachments to groups; under hca_ca.groups.lock */
	struct list_head groups;
};

static inline struct hca_iba_qp *hca_iba_qp(const struct hca_qp *qp)
{
	return container_of(qp, struct hca_iba_qp, qp);
}

/**
 * hca_qp_eec() - return the EE context that is embedded in a queue pair
 * @qp: the queue pair; if it has type RD, its requests are sent by an RD EE context instead
 *
 * Context: any.
 * Return: the EE context; it lives as long as @qp.
 */
static inline struct hca_eec *hca_qp_eec(const struct hca_qp *qp)
{
	return &hca_iba_qp(qp)->eec;
}

/**
 * hca_qp_is_raw() - return whether a queue pair sends and receives raw datagrams
 * @qp: the queue pair
 *
 * Context: any.
 */
static inline bool hca_qp_is_raw(const struct hca_qp *qp)
{
	return hca_qp_eec(qp)->transport == HCA_TRANSPORT_RAW;
}

/*
 * Highest bit of a Q_Key. If this bit is set in the Q_Key of a request, the Q_Key of the queue pair
 * is sent instead (IBA C10-15).
 */
#define HCA_QKEY_CONTROLLED 0x80000000u

static inline u32 hca_qkey_of(const struct hca_qp *qp, u32 requested)
{
	return requested & HCA_QKEY_CONTROLLED ? hca_qp_eec(qp)->attr.iba.qkey : requested;
}

#endif
