/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Queue pairs of InfiniBand's transports, with an EE context, paths and groups. */
#ifndef HCA_TRANSPORT_IBA_QP_H
#define HCA_TRANSPORT_IBA_QP_H

#include "qp/qp.h"
#include "transport/eec.h"

struct hca_rd_eec;
struct hca_xrc_srq;

struct hca_iba_qp {
	struct hca_qp qp; /* first */
	struct hca_eec eec;
	const void *rdd; /* RD: the reliable datagram domain */
	/* RD: the EE context at which the oldest request is queued, or which sends it. */
	struct hca_rd_eec *rd_eec;
	const void *xrcd; /* XRC target: the XRC domain */
	/*
	 * XRC target: the SRQ whose receive requests, CQ and PD serve the packet that is being
	 * executed; otherwise NULL, as are then srq, recv_cq, recv_pd and pd of the queue pair.
	 * Under recv_lock.
	 */
	struct hca_xrc_srq *xrc_srq;
	struct list_head scheduled; /* in rd_eec->waiting; under rd_eec->lock */
	bool block_loopback; /* receives no copy of its own multicast packets */
	struct list_head raw; /* raw QP: entry in the list of the adapter's raw QPs; RCU */
	/* attachments to multicast groups; under the lock of the adapter's groups */
	u32 num_groups; /* number of entries in groups */
	struct list_head groups;
};

static inline struct hca_iba_qp *hca_iba_qp(const struct hca_qp *qp)
{
	return container_of(qp, struct hca_iba_qp, qp);
}

/**
 * hca_qp_eec() - the EE context that is part of a queue pair
 * @qp: the queue pair, not of reliable datagrams
 *
 * Context: any.
 * Return: the EE context; it lives as long as @qp.
 */
static inline struct hca_eec *hca_qp_eec(const struct hca_qp *qp)
{
	return &hca_iba_qp(qp)->eec;
}

/**
 * hca_qp_is_raw() - whether a queue pair is of raw datagrams
 * @qp: the queue pair
 *
 * Context: any.
 */
static inline bool hca_qp_is_raw(const struct hca_qp *qp)
{
	return hca_qp_eec(qp)->transport == HCA_TRANSPORT_RAW;
}

/* A controlled Q_Key has this bit set: the queue pair's own Q_Key replaces it (IBA C10-15). */
#define HCA_QKEY_CONTROLLED 0x80000000u

static inline u32 hca_qkey_of(const struct hca_qp *qp, u32 requested)
{
	return requested & HCA_QKEY_CONTROLLED ? hca_qp_eec(qp)->attr.qkey : requested;
}

#endif
