/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Fault injection in one direction of a cable or of a link over a network. */
#ifndef HCA_PHY_FAULT_H
#define HCA_PHY_FAULT_H

#include <linux/types.h>

struct hca_fault;
struct hca_port;

/* The kinds of faults, in the order in which they are tried. A packet has at most one fault. */
enum hca_fault_kind {
	HCA_FAULT_DROP, /* the packet is dropped */
	HCA_FAULT_CORRUPT, /* one bit of the packet, LRH to VCRC, is inverted */
	HCA_FAULT_DUPLICATE, /* the packet is delivered twice */
	HCA_NUM_FAULTS,
};

/* Probability of a fault that always happens. Probabilities are in units of 2^-32. */
#define HCA_FAULT_ALWAYS U32_MAX

/* Classes of packets, one bit each. */
enum hca_fault_class {
	HCA_FAULT_CLASS_DATA = 1 << 0, /* packets on VLs other than VL15 */
	HCA_FAULT_CLASS_SMP = 1 << 1, /* packets on VL15 */
	HCA_FAULT_CLASS_FLOW = 1 << 2, /* flow-control packets */
};

/* Size of a bitmap of all opcodes, octets. */
#define HCA_FAULT_OPCODES_BYTES 32

/*
 * Raw packets and flow-control packets do not have a BTH: a packet of either kind is not selected
 * if opcodes, qpn or psn is given.
 */
struct hca_fault_spec {
	u32 chance[HCA_NUM_FAULTS]; /* probability of each fault, by enum hca_fault_kind */
	/*
	 * Classes of the selected packets, bits of enum hca_fault_class; 0: all but flow-control
	 * packets. hca_fault_get() returns the bits of these classes instead of 0.
	 */
	u8 classes;
	bool has_opcodes; /* only packets whose opcodes are in the bitmap are selected */
	u8 opcodes[HCA_FAULT_OPCODES_BYTES]; /* bit n % 8 of octet n / 8 is that of opcode n */
	bool has_qpn; /* only packets to this destination QP are selected */
	u32 qpn;
	bool has_psn; /* only packets with the PSN psn are selected */
	u32 psn;
	u32 nth; /* only every nth selected packet can have a fault; 0 or 1: each packet */
	u32 count; /* maximum number of packets that get a fault; 0: no limit */
	u32 seed; /* seed of the random sequence */
	u32 slow_vl_rate; /* Mb/s at which the receiver frees the buffer of slow_vl; 0: at once */
	u8 slow_vl; /* the data VL to which slow_vl_rate applies */
};

struct hca_fault_counts {
	/* number of packets that classes, opcodes, qpn and psn select; ignores nth and count */
	u64 matched;
	u64 v[HCA_NUM_FAULTS]; /* how often each fault has happened, by enum hca_fault_kind */
};

/**
 * hca_fault_new() - allocate faults that are not installed yet
 * @spec: the faults; copied
 *
 * Context: process.
 * Return: the faults; ERR_PTR(-ENOMEM).
 */
struct hca_fault *hca_fault_new(const struct hca_fault_spec *spec);

/**
 * hca_fault_spec_of() - query faults that are not installed
 * @fault: faults of hca_fault_new()
 *
 * Context: any.
 * Return: the description of the faults, valid until hca_fault_free() or hca_fault_install().
 */
const struct hca_fault_spec *hca_fault_spec_of(const struct hca_fault *fault);

/**
 * hca_fault_free() - free faults that were never installed
 * @fault: faults of hca_fault_new(), or NULL
 *
 * Context: any.
 */
void hca_fault_free(struct hca_fault *fault);

/**
 * hca_fault_install() - install faults in the direction from a port to its peer
 * @port: the sender, which has a cable or a link over a network
 * @fault: the faults, which replace earlier ones; the port owns them after the call; NULL removes
 *         the port's faults
 *
 * While a cable has faults, flow-control packets are exchanged in both directions of the cable. On
 * a link over a network slow_vl has no effect, since the receiver is in another kernel.
 * Context: process, may sleep; the caller holds the control mutex, which serializes this function,
 * hca_fault_get() and changes of cables.
 */
void hca_fault_install(struct hca_port *port, struct hca_fault *fault);

/**
 * hca_fault_remove() - free the faults of a port that loses its link
 * @port: the sender, whose cable has been removed or whose link over a network is about to stop
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_fault_remove(struct hca_port *port);

/**
 * hca_fault_get() - query the faults in the direction from a port to its peer
 * @port: the sender
 * @counts: set to the numbers of selected packets and of faults, unless NULL is returned
 *
 * Context: process; the caller holds the control mutex.
 * Return: the description of the faults, valid until faults of the port are installed or removed;
 * NULL if the port has no faults.
 */
const struct hca_fault_spec *hca_fault_get(const struct hca_port *port,
					   struct hca_fault_counts *counts);

#endif
