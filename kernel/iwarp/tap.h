/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Captures of an RNIC: the octets of its streams, one record for each start-up frame and FPDU. */
#ifndef HCA_IWARP_TAP_H
#define HCA_IWARP_TAP_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include "iwarp/iwarp_qp.h"

struct hca_capture;

#define HCA_MAX_RNIC_TAPS 64 /* maximum number of captures of an RNIC */

/* The part of a capture that belongs to one RNIC. */
struct hca_rnic_tap {
	struct hca_rnic_tap __rcu *next; /* another capture of the RNIC. RCU (BH) */
	struct hca_capture *capture;
	/* NULL: not attached. Guarded by the control mutex, as hca_rnic_tap_attach() is. */
	struct hca_rnic *rnic;
	struct list_head node; /* list entry for the owner of the capture */
	u64 serial; /* taps that were attached later have greater numbers */
	u32 qpn; /* the only queue pair that is captured; 0: all connections are */
	u16 num; /* number of the RNIC in the capture */
	u8 directions; /* bits HCA_TAP_IN and HCA_TAP_OUT */
};

/**
 * hca_rnic_tap_attach() - begin to capture the streams of an RNIC
 * @tap: the tap, complete except next, rnic and serial
 * @rnic: the RNIC
 *
 * Context: process; the caller serializes attaching and detaching (the control mutex).
 */
void hca_rnic_tap_attach(struct hca_rnic_tap *tap, struct hca_rnic *rnic);

/**
 * hca_rnic_tap_detach() - end the capture of an RNIC
 * @tap: the tap, attached; readers may use it until an RCU grace period has passed
 *
 * Context: process; the caller serializes attaching and detaching (the control mutex).
 */
void hca_rnic_tap_detach(struct hca_rnic_tap *tap);

/**
 * hca_rnic_tap_first() - find a tap that is attached to an RNIC
 * @rnic: the RNIC
 *
 * Context: process; the caller serializes attaching and detaching (the control mutex).
 * Return: the tap, or NULL.
 */
struct hca_rnic_tap *hca_rnic_tap_first(const struct hca_rnic *rnic);

/**
 * hca_rnic_tap_count() - count the captures of an RNIC
 * @rnic: the RNIC
 *
 * Context: process; the caller serializes attaching and detaching (the control mutex).
 * Return: the number of captures, at most HCA_MAX_RNIC_TAPS.
 */
unsigned int hca_rnic_tap_count(const struct hca_rnic *rnic);

/* Write the FPDU that was written last to each capture. Context: BH disabled; send_lock held. */
void hca_iwarp_tap_written(struct hca_iwarp_qp *it, u32 octets);

/* Write an FPDU that has arrived to each capture. Context: BH disabled; send_lock held. */
void hca_iwarp_tap_arrived(struct hca_iwarp_qp *it, const struct hca_mpa_fpdu *fpdu);

/* Write a start-up frame to each capture. Context: BH disabled; the endpoint is locked. */
void hca_iwarp_tap_startup(struct hca_endpoint *ep, u8 direction);

/**
 * hca_iwarp_tap_tx() - capture an FPDU that was written for the stream
 * @it: the queue pair; send_lock held
 * @octets: octets of the FPDU, the last ones of the buffer that is being filled; 0: there is none
 *
 * Context: BH disabled.
 */
static inline void hca_iwarp_tap_tx(struct hca_iwarp_qp *it, u32 octets)
{
	if (unlikely(rcu_access_pointer(hca_rnic_of(it)->taps)) && octets)
		hca_iwarp_tap_written(it, octets);
}

/**
 * hca_iwarp_tap_rx() - capture an FPDU that has arrived, whether it is right or not
 * @it: the queue pair; send_lock held
 * @fpdu: the FPDU, not consumed yet
 *
 * Context: BH disabled.
 */
static inline void hca_iwarp_tap_rx(struct hca_iwarp_qp *it, const struct hca_mpa_fpdu *fpdu)
{
	if (unlikely(rcu_access_pointer(hca_rnic_of(it)->taps)))
		hca_iwarp_tap_arrived(it, fpdu);
}

/**
 * hca_iwarp_tap_frame() - capture a start-up frame
 * @ep: the endpoint, locked as its comment says; it keeps the frame
 * @direction: HCA_TAP_OUT: the own frame was sent; HCA_TAP_IN: that of the peer has arrived
 *
 * Context: BH disabled.
 */
static inline void hca_iwarp_tap_frame(struct hca_endpoint *ep, u8 direction)
{
	if (unlikely(rcu_access_pointer(ep->rnic->taps)))
		hca_iwarp_tap_startup(ep, direction);
}

#endif
