/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Kinds of devices. Each kind is a noun of hcactl. */
#ifndef HCACTL_KIND_H
#define HCACTL_KIND_H

#include <linux/hca_netlink.h>
#include <stdbool.h>
#include <stdint.h>

#define NUM_KINDS (HCA_NL_TYPE_MAX + 1)
#define ALL_KINDS NUM_KINDS

struct kind {
	const char *noun;
	uint32_t max_ports;
	/* number of ports if the user does not give it; 0: the user must give it */
	uint32_t default_ports;
	bool is_switch;
	/*
	 * Bits that are 0 in a node GUID that is derived from a name. This leaves room for the
	 * GUIDs of the ports.
	 */
	uint64_t guid_mask;
};

/* All kinds, indexed by enum hca_nl_type. */
extern const struct kind kinds[NUM_KINDS];

/* Returns the noun for a type of device, or "unknown" for a type that only newer kernels know. */
const char *kind_noun(uint32_t type);

#endif
