/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The tables that the queue pairs of one channel adapter share. */
#ifndef HCA_TRANSPORT_CA_H
#define HCA_TRANSPORT_CA_H

#include <linux/spinlock.h>
#include "fabric/node.h"
#include "link/packet.h"
#include "qp/event.h"
#include "qp/limits.h"
#include "tpt/entry.h"
#include "transport/group.h"
#include "transport/id_table.h"

struct hca_rd_eec;
struct hca_qp;


#define HCA_QP_INDEX_BITS HCA_QPN_INDEX_BITS
#define HCA_EEC_INDEX_BITS 13
#define HCA_XRC_SRQ_INDEX_BITS 13

struct hca_qp_table {
	struct hca_id_table ids;
	struct hca_qp __rcu *special[HCA_MAX_CA_PORTS + 1][2]; /* QP0 and QP1 of each port */
};

/* Raw queue pairs, which have no number on the wire. */
struct hca_raw_qps {
	spinlock_t lock; /* BH; leaf */
	struct list_head qps; /* struct hca_iba_qp.raw; RCU; HCA_MAX_RAW_QP at most */
	u32 num_qps;
};

struct hca_ca {
	struct hca_node node;
	struct hca_tpt tpt;
	struct hca_packet_pool pool;
	struct hca_qp_table qps;
	struct hca_id_table rd_eecs; /* RD EE contexts */
	struct hca_id_table xrc_srqs; /* SRQs of extended reliable connections */
	struct hca_groups groups;
	struct hca_raw_qps raw_qps;
	/* Event handlers. BH are disabled; no lock of a ring or CQ is held. */
	void (*qp_event)(struct hca_qp *qp, enum hca_qp_event event);
	void (*rd_eec_event)(struct hca_rd_eec *rd_eec, enum hca_qp_event event); /* may be NULL */
};

/**
 * hca_ca_init() - initialize a channel adapter's tables, without its ports
 * @ca: zeroed
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_ca_init(struct hca_ca *ca);

/**
 * hca_ca_destroy() - free the tables, and wait for packets in flight
 * @ca: the channel adapter; all its queue pairs and keys are destroyed
 *
 * Context: process, may sleep.
 */
void hca_ca_destroy(struct hca_ca *ca);

/**
 * hca_ca_fail() - set the queue pairs of processes to Error, because the adapter is removed
 * @ca: the adapter
 *
 * Posted requests are flushed, so that a polling process notices the removal. Queue pairs of kernel
 * consumers do not change: their owners are notified, end their connections, and destroy them. A
 * queue pair that is created at the same time may be missed.
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
