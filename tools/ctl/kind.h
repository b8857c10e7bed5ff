/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Kinds of devices. Each kind but an RNIC is a noun of hcactl; an RNIC is a device. */
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

/*
 * Returns whether devices of type @type belong to the kind @kind: HCA_NL_TYPE_DEVICE stands for all
 * RDMA devices, and ALL_KINDS for all devices.
 */
bool kind_includes(uint32_t kind, uint32_t type);

/* Returns the noun for a type of device, or "unknown" for a type that only newer kernels know. */
const char *kind_noun(uint32_t type);

/* Returns the noun of the commands for a type of device: "device" for all RDMA devices. */
const char *kind_command(uint32_t type);

#endif
