/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Credits of a link. If both ends are ports of this kernel, the sender reads the credit limit of
 * the receiver in memory. If packets may be lost, a port is captured, or the other end is remote,
 * each end sends flow-control packets, which contain the number of blocks that it has sent (FCTBS)
 * and its credit limit (FCCL) (IBA 7.9; req C4-147 to C4-151).
 */
#ifndef HCA_LINK_CREDIT_FLOW_CONTROL_H
#define HCA_LINK_CREDIT_FLOW_CONTROL_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include "engine/run.h"
#include "link/credit/credit.h"

#define HCA_NUM_VLS 16
#define HCA_DATA_VLS 15

/* Period after which a port sends flow-control packets again (req C4-149). */
#define HCA_FLOW_PERIOD_MS 10
/* Time without flow-control packets after which the watchdog takes the link Down (req C4-149). */
#define HCA_FLOW_WATCHDOG_MS 400
/*
 * Watchdog time of a link through a network. It is longer, because the peer's machine may stand
 * still (as virtual machines of a busy host do), which this end cannot see.
 */
#define HCA_FLOW_NETWORK_WATCHDOG_MS 4000

struct hca_port;

struct hca_flow_control {
	/* tx.lock guards the fields below. */
	enum hca_credit_state state;
	/* FCCL received last; until then FCTBS, which means zero credits */
	u32 fccl_received[HCA_NUM_VLS];
	u32 fccl_advertised[HCA_NUM_VLS]; /* FCCL sent most recently */
	u32 fctbs_advertised[HCA_NUM_VLS]; /* FCTBS sent most recently */
	u16 round; /* number of calls of hca_flow_begin() */

	bool past_init; /* the other end has left Initialize since training (ActiveEnable) */
	/* The watchdog has expired; training waits until a flow-control packet arrives. */
	bool no_flow_control;
	u16 silent; /* number of periods since the last flow-control packet arrived */
	u16 periods; /* number of periods in which this port has sent flow-control packets */
	u16 seen; /* value of the peer's @periods when the watchdog last counted a period */
	u64 next; /* end of the current period, ns; written by flow_run() */
	struct hrtimer timer; /* schedules run */
	struct hca_runnable run; /* sends flow-control packets, and counts periods */
};

/* Initialize the flow control of a port without a link. Context: process. */
void hca_flow_init(struct hca_port *port);

/* Stop flow.timer and flow.run. Context: process, may sleep; the port is unlinked. */
void hca_flow_destroy(struct hca_port *port);

/**
 * hca_flow_reset() - reset the credits of a port for a new cable
 * @port: the port, without a link
 * @peer: port whose credit limit @port reads in memory; NULL: flow-control packets bring the limit
 *
 * Context: process; the caller serializes connecting cables.
 */
void hca_flow_reset(struct hca_port *port, const struct hca_port *peer);

/**
 * hca_flow_is_needed() - whether a cable needs flow-control packets
 * @a: port at one end
 * @b: port at the other end
 *
 * A cable needs flow-control packets if it has faults or one of its ports is captured.
 * Context: process; the caller serializes connecting cables.
 */
bool hca_flow_is_needed(const struct hca_port *a, const struct hca_port *b);

/**
 * hca_flow_begin() - start flow-control packets in both directions of a cable
 * @a: port at one end
 * @b: port at the other end
 *
 * Nothing changes if the cable has flow-control packets already. When this function returns,
 * senders do not use credit limits read in memory any more.
 * Context: process, may sleep; the caller serializes connecting cables.
 */
void hca_flow_begin(struct hca_port *a, struct hca_port *b);

/**
 * hca_flow_end() - begin to end flow-control packets in both directions of a cable
 * @a: port at one end
 * @b: port at the other end
 *
 * Flow-control packets end after both ends have counted lost packets. Nothing changes if
 * flow-control packets are still needed (hca_flow_is_needed()).
 * Context: process; the caller serializes connecting cables.
 */
void hca_flow_end(struct hca_port *a, struct hca_port *b);

/**
 * hca_flow_update() - start or end flow-control packets as a port's cable needs them
 * @port: the port; it may have no cable
 *
 * Context: process, may sleep; the caller serializes connecting cables.
 */
void hca_flow_update(struct hca_port *port);

/* Start flow-control packets of a port. Context: BH disabled; tx.lock not held. */
void hca_flow_start(struct hca_port *port);

/**
 * hca_flow_stop() - stop flow-control packets of a port whose link has gone
 * @port: the port
 *
 * Context: any; tx.lock not held.
 */
void hca_flow_stop(struct hca_port *port);

/*
 * Reset the credits of a link that has been trained: a port that receives its credit limit in
 * flow-control packets has no credit until the first one arrives. Context: BH disabled; no lock
 * held.
 */
void hca_flow_trained(struct hca_port *port);

/* Send flow-control packets with operand Normal when a port has left Initialize. Context: any. */
void hca_flow_armed(struct hca_port *port);

/*
 * Schedule flow-control packets if the current FCTBS of a VL in @vls has not been sent. @vls: a bit
 * for each VL whose packets wait for credit. The peer needs FCTBS to return the credits of lost
 * packets. Context: tx.lock held.
 */
void hca_flow_stuck(struct hca_port *port, u16 vls);

/**
 * hca_flow_deliver() - put flow-control packets on the receive queue of a port
 * @port: the receiver
 * @octets: the flow-control packets, of HCA_FLOW_BYTES each
 * @len: length of @octets
 *
 * The flow-control packets are lost if memory is short.
 * Context: BH disabled; hca_engine_run() must follow.
 */
void hca_flow_deliver(struct hca_port *port, const u8 *octets, unsigned int len);

#endif
