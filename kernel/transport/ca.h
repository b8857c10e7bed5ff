/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The tables and limits that the queue pairs of one channel adapter share. */
#ifndef HCA_TRANSPORT_CA_H
#define HCA_TRANSPORT_CA_H

#include <linux/spinlock.h>
#include "fabric/node.h"
#include "link/packet.h"
#include "tpt/entry.h"
#include "transport/group.h"
#include "transport/id_table.h"

struct hca_rd_eec;
struct hca_qp;
struct hca_srq;

enum hca_limits {
	HCA_MAX_QP = 16384, /* power of two */
	HCA_MAX_QP_WR = 16384,
	HCA_MAX_SGE = 32,
	HCA_MAX_INLINE = HCA_INLINE_BYTES,
	HCA_MAX_SRQ = 65536,
	HCA_MAX_SRQ_WR = 16384,
	HCA_MAX_CQ = 65536,
	HCA_MAX_CQE = 1 << 20,
	HCA_MAX_MR = 65536,
	HCA_MAX_MW = 65536,
	HCA_MAX_FAST_PAGES = 1024, /* of a fast registration */
	HCA_MAX_PD = 65536,
	HCA_MAX_AH = 1 << 20,
	HCA_MAX_GROUPS = 4096, /* multicast */
	HCA_MAX_GROUP_MEMBERS = 256,
	HCA_MAX_MEMBERS = 65536, /* of all groups together */
	HCA_MAX_RDD = 65536,
	HCA_MAX_RD_ATOMIC = 16,
	HCA_MAX_EEC = 4096, /* at a time; there are twice as many numbers, because of time-wait */
	HCA_MAX_PACKETS = 65536,
	HCA_LOCAL_ACK_DELAY = 15, /* 4.096 us * 2^15 */
};

#define HCA_MAX_MESSAGE (1u << 31)

#define HCA_QP_INDEX_BITS HCA_QPN_INDEX_BITS
#define HCA_EEC_INDEX_BITS 13

struct hca_qp_table {
	struct hca_id_table ids;
	struct hca_qp __rcu *special[HCA_MAX_CA_PORTS + 1][2]; /* QP0 and QP1 of each port */
};

/* Raw queue pairs, which have no number on the wire. */
struct hca_raw_qps {
	spinlock_t lock; /* BH; leaf */
	struct list_head qps; /* struct hca_qp.raw; RCU */
};

enum hca_qp_event {
	HCA_QP_FATAL,
	HCA_QP_REQUEST_ERROR,
	HCA_QP_ACCESS_ERROR,
	HCA_QP_COMM_ESTABLISHED,
	HCA_QP_SQ_DRAINED,
	HCA_QP_PATH_MIG,
	HCA_QP_PATH_MIG_ERROR,
	HCA_QP_LAST_WQE_REACHED, /* in Error, and consumes no more requests from its SRQ */
};

enum hca_srq_event {
	HCA_SRQ_LIMIT_REACHED, /* fewer requests are posted than the armed limit */
	HCA_SRQ_ERROR, /* the SRQ has failed; its requests are lost */
};

struct hca_ca {
	struct hca_node node;
	struct hca_tpt tpt;
	struct hca_packet_pool pool;
	struct hca_qp_table qps;
	struct hca_id_table rd_eecs; /* RD EE contexts */
	struct hca_groups groups;
	struct hca_raw_qps raw_qps;
	/* Event handlers. BH are disabled; no lock of a ring or CQ is held. */
	void (*qp_event)(struct hca_qp *qp, enum hca_qp_event event);
	void (*rd_eec_event)(struct hca_rd_eec *rd_eec, enum hca_qp_event event); /* or NULL */
	void (*srq_event)(struct hca_srq *srq, enum hca_srq_event event);
};

/**
 * hca_ca_init() - initialize a channel adapter's tables, without its ports
 * @ca: zeroed
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_ca_init(struct hca_ca *ca);

/*
 * Free the tables and wait for packets in flight. No queue pair and no memory region is left.
 * Context: process, may sleep.
 */
void hca_ca_destroy(struct hca_ca *ca);

/**
 * hca_ca_fail() - set the queue pairs of processes to Error, because the adapter is removed
 * @ca: the adapter
 *
 * Posted requests are flushed, so that a process that polls learns of the removal. Queue pairs of
 * kernel consumers do not change: their owners are notified and destroy them. A queue pair that is
 * created at the same time may be missed.
 *
 * Context: process.
 */
void hca_ca_fail(struct hca_ca *ca);

/**
 * hca_transport_receive() - struct hca_port_ops.receive of a channel adapter
 * @port: a port of the adapter
 * @pkt: the packet, which the function frees
 *
 * Makes the checks common to all transports, finds the destination queue pair or EE context and
 * passes the packet on.
 *
 * Context: the port's run.
 */
void hca_transport_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
