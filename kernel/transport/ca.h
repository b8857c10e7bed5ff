/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The tables that the queue pairs of one channel adapter share. */
#ifndef HCA_TRANSPORT_CA_H
#define HCA_TRANSPORT_CA_H

#include <linux/spinlock.h>
#include "fabric/node.h"
#include "packet/packet.h"
#include "qp/ci.h"
#include "qp/limits.h"
#include "transport/group.h"

struct hca_rd_eec;
struct hca_qp;

#define HCA_EEC_INDEX_BITS 13
#define HCA_XRC_SRQ_INDEX_BITS 13
#define HCA_MAX_MESSAGE (1u << 31) /* octets (IBA 9.3.3.1) */

/*
 * The raw queue pairs of a channel adapter. They are in a list, because raw packets contain no QPN.
 */
struct hca_raw_qps {
	spinlock_t lock; /* leaf lock, taken with BH disabled */
	/*
	 * list of at most HCA_MAX_RAW_QP struct hca_iba_qp, linked by hca_iba_qp.raw; readers use
	 * RCU
	 */
	struct list_head qps;
	u32 num_qps;
};

struct hca_ca {
	struct hca_ci ci; /* first member */
	struct hca_node node;
	struct hca_packet_pool pool;
	/* QP0 and QP1 of each port; under ci.qps.lock, readers use RCU */
	struct hca_qp __rcu *special_qps[HCA_MAX_CA_PORTS + 1][2];
	struct hca_id_table rd_eecs; /* struct hca_rd_eec, by EE context number */
	struct hca_id_table xrc_srqs; /* struct hca_xrc_srq, by XRC SRQ number */
	struct hca_groups groups;
	struct hca_raw_qps raw_qps;
	/*
	 * Handle an event of an RD EE context; or NULL. BH are disabled; no lock of a ring or CQ is
	 * held.
	 */
	void (*rd_eec_event)(struct hca_rd_eec *rd_eec, enum hca_qp_event event);
};

static inline struct hca_ca *hca_ca_of(struct hca_ci *ci)
{
	return container_of(ci, struct hca_ca, ci);
}

/**
 * hca_ca_init() - initialize a channel adapter, except for its ports
 * @ca: zeroed
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_ca_init(struct hca_ca *ca);

/**
 * hca_ca_destroy() - wait until a channel adapter's packets are freed, and free its tables
 * @ca: the channel adapter; all its queue pairs and keys are destroyed
 *
 * Context: process, may sleep.
 */
void hca_ca_destroy(struct hca_ca *ca);

/**
 * hca_transport_receive() - receive a packet (struct hca_port_ops.receive)
 * @port: a port of the adapter
 * @pkt: the packet, which the function frees
 *
 * Makes the checks that are common to all transports, looks up the destination queue pair or EE
 * context, and passes the packet to it.
 *
 * Context: called by the run function of @port (engine/run.h); BH disabled.
 */
void hca_transport_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
