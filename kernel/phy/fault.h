/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What one direction of a cable, or a way to elsewhere, does to packets that it should carry. */
#ifndef HCA_PHY_FAULT_H
#define HCA_PHY_FAULT_H

#include <linux/types.h>

struct hca_fault;
struct hca_port;

/* A packet suffers one of them at most; they are tried in this order. */
enum hca_fault_kind {
	HCA_FAULT_DROP, /* it never arrives */
	HCA_FAULT_CORRUPT, /* a bit of it is inverted, CRCs included */
	HCA_FAULT_DUPLICATE, /* it arrives twice */
	HCA_NUM_FAULTS,
};

/* Of a probability: so many of 2^32, or certainty. */
#define HCA_FAULT_ALWAYS U32_MAX

/* More than the longest name of hca_opcodes[], and a 0. */
#define HCA_FAULT_OPCODE_SIZE 48

struct hca_fault_spec {
	u32 chance[HCA_NUM_FAULTS];
	/*
	 * Which packets: those whose opcode has this name or, if none has, those whose opcodes'
	 * names begin with it; "smp": those on VL15; "data": those that are not; "flow":
	 * flow-control packets. Case does not matter, and a '-' may stand for a space;
	 * hca_fault_get() has small letters and '-'. Empty: all but flow-control packets.
	 */
	char opcode[HCA_FAULT_OPCODE_SIZE];
	bool has_psn; /* only packets of that PSN */
	u32 psn;
	u32 seed; /* of the sequence of chances */
	u32 drain; /* Mb/s at which the receiver gives back the credits of drain_vl; 0: at once */
	u8 drain_vl;
};

/* How often each has happened. */
struct hca_fault_counts {
	u64 v[HCA_NUM_FAULTS];
};

/**
 * hca_fault_new() - faults, not yet of any cable
 * @spec: what they are
 *
 * Context: process. Return: the faults; ERR_PTR(): -EINVAL: no opcode is called so; -ENOMEM.
 */
struct hca_fault *hca_fault_new(const struct hca_fault_spec *spec);

/* What they are. Context: as long as they have not been installed. */
const struct hca_fault_spec *hca_fault_spec_of(const struct hca_fault *fault);

/* Free what has not been installed; NULL: nothing. */
void hca_fault_free(struct hca_fault *fault);

/**
 * hca_fault_install() - give faults to the way from a port to its peer
 * @port: the sender, with a cable or a way to elsewhere
 * @fault: taken over, in place of those it has; NULL: none
 *
 * A cable with faults has flow-control packets, both ways. On the way to elsewhere nothing drains
 * slowly: that is the other end's.
 * Context: process, may sleep; the caller serialises this, hca_fault_get() and plugging (the
 * control mutex).
 */
void hca_fault_install(struct hca_port *port, struct hca_fault *fault);

/* Away with the faults of a port whose cable has gone, or whose way will. Context: as above. */
void hca_fault_remove(struct hca_port *port);

/**
 * hca_fault_get() - the faults of the way from a port to its peer
 * @port: the sender
 * @counts: how often they have happened
 *
 * Context: as hca_fault_install(). Return: valid until the next is installed; NULL: there
 * are none.
 */
const struct hca_fault_spec *hca_fault_get(const struct hca_port *port,
					   struct hca_fault_counts *counts);

#endif
