/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* An RNIC: the carrier of RDMAP, its options and counters. */
#ifndef HCA_IWARP_RNIC_H
#define HCA_IWARP_RNIC_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include "iwarp/fault.h"
#include "qp/ci.h"

#define HCA_IWARP_MAX_MESSAGE 0xffffffffu /* octets (req P1-003) */
#define HCA_IWARP_MAX_READS 128 /* IRD and ORD of a queue pair */

/* Messages without octets of which the initiator sends one first (RFC 6581, 5); bits. */
enum hca_rtr {
	HCA_RTR_SEND = 0x1,
	HCA_RTR_WRITE = 0x2,
	HCA_RTR_READ = 0x4,
};

struct hca_rnic_options {
	bool crc; /* ask for CRCs; they are used as well if only the peer asks */
	bool markers; /* ask for markers in what is received */
	bool strict; /* the sink of a Read needs the right of remote writing (req R0-321) */
	bool idle_after_close; /* a close without errors leads to Init (req R0-196), not to Error */
	u8 revision; /* the highest revision of MPA to begin with, 1 or 2 */
	u8 rtr; /* bits of enum hca_rtr: RTR messages that are offered; 0: none */
	u16 timeout; /* seconds that an ending connection may take */
};

extern const struct hca_rnic_options hca_rnic_defaults;

enum hca_rnic_counter {
	/* Counters that a queue pair can have of its own; see count.h. */
	HCA_RNIC_FPDUS_IN,
	HCA_RNIC_FPDUS_OUT,
	HCA_RNIC_OCTETS_IN,
	HCA_RNIC_OCTETS_OUT,
	HCA_RNIC_CRC_ERRORS,
	HCA_RNIC_TERMINATES_IN,
	HCA_RNIC_TERMINATES_OUT,
	HCA_RNIC_READS_IN,
	HCA_RNIC_SENDS_IN,
	HCA_RNIC_WRITES_IN,
	HCA_RNIC_READS_OUT,
	HCA_RNIC_SENDS_OUT,
	HCA_RNIC_WRITES_OUT,
	/* Counters of the RNIC alone. */
	HCA_RNIC_MARKER_ERRORS,
	HCA_RNIC_STARTUP_ERRORS,
	HCA_RNIC_STARTUP_TIMEOUTS,
	HCA_RNIC_STARTUP_NO_RTR, /* the peer did not begin with the RTR message */
	HCA_RNIC_CONNECTS,
	HCA_RNIC_ACCEPTS,
	HCA_RNIC_REJECTS,
	HCA_RNIC_RESETS,
	HCA_RNIC_COUNTERS,
};

struct hca_rnic_tap;

struct hca_rnic {
	struct hca_ci ci; /* first member */
	struct hca_rnic_options options; /* connections that begin later have them */
	bool removed; /* the device is being removed; its streams end with 0/2/08 */
	struct hca_rnic_tap __rcu *taps; /* captures; NULL: none. RCU (BH); see tap.h */
	u64 tap_serial; /* captures so far */
	atomic64_t count[HCA_RNIC_COUNTERS];
	/*
	 * Guards @endpoints, @fault and @fault_changes; taken with BH disabled, outside all other
	 * locks.
	 */
	spinlock_t lock;
	struct list_head endpoints; /* all, until hca_endpoint_destroy() */
	struct hca_iwarp_fault_spec fault; /* of all queue pairs; see fault_install.h */
	u32 fault_changes;
	/* FPDUs that faults of the RNIC have selected and hit at queue pairs that are no more. */
	atomic64_t fault_selected, fault_happened;
};

/**
 * hca_rnic_init() - initialize an RNIC with the default options
 * @rnic: zeroed; the caller sets ci.qp_event before it creates a queue pair
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_rnic_init(struct hca_rnic *rnic);

/**
 * hca_rnic_fail() - end the connections of processes, because the device is being removed
 * @rnic: the RNIC
 *
 * Endpoints without a queue pair end as well, those that wait for the ULP's answer included. No
 * function of an endpoint waits for the peer any more. Connections of kernel consumers are left to
 * these.
 *
 * Context: process.
 */
void hca_rnic_fail(struct hca_rnic *rnic);

/**
 * hca_rnic_connections() - count the queue pairs that have a stream
 * @rnic: the RNIC
 *
 * Context: process.
 * Return: their number.
 */
u32 hca_rnic_connections(struct hca_rnic *rnic);

static inline void hca_rnic_count(struct hca_rnic *rnic, enum hca_rnic_counter counter, u64 n)
{
	atomic64_add(n, &rnic->count[counter]);
}

#endif
