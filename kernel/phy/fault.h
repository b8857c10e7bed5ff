/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Faults of a cable: what one of its directions does to packets that it should carry. */
#ifndef HCA_PHY_FAULT_H
#define HCA_PHY_FAULT_H

#include <linux/types.h>

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
	 * names begin with it; "smp": those on VL15; "data": those that are not. Case does not
	 * matter, and a '-' may stand for a space. Empty: all.
	 */
	char opcode[HCA_FAULT_OPCODE_SIZE];
	bool has_psn; /* only packets of that PSN */
	u32 psn;
	u32 seed; /* of the sequence of chances */
};

/* How often each has happened. */
struct hca_fault_counts {
	u64 v[HCA_NUM_FAULTS];
};

/**
 * hca_fault_set() - give faults to the way from a port to its peer, in place of those it has
 * @port: the sender, with a cable
 * @spec: the faults; the sequence of chances and the counts begin anew
 *
 * Context: process; the caller serialises this, plugging and hca_fault_get() (the control
 * mutex). Return: 0; -EINVAL: no opcode is called so; -ENOMEM. If not 0, all is as it was.
 */
int hca_fault_set(struct hca_port *port, const struct hca_fault_spec *spec);

/**
 * hca_fault_clear() - have the way from a port to its peer be without faults
 * @port: the sender
 *
 * Context: as hca_fault_set().
 */
void hca_fault_clear(struct hca_port *port);

/**
 * hca_fault_get() - the faults of the way from a port to its peer
 * @port: the sender
 * @counts: how often they have happened
 *
 * Context: as hca_fault_set(). Return: valid until the next set or clear; NULL: there are none.
 */
const struct hca_fault_spec *hca_fault_get(const struct hca_port *port,
					   struct hca_fault_counts *counts);

#endif
