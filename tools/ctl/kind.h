/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Kinds of devices; each is a noun of hcactl. */
#ifndef HCACTL_KIND_H
#define HCACTL_KIND_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/hca_netlink.h>

#define NUM_KINDS (HCA_NL_TYPE_MAX + 1)
#define ALL_KINDS NUM_KINDS

struct kind {
	const char *noun;
	uint32_t max_ports;
	uint32_t default_ports; /* 0: the number must be given */
	bool is_switch;
	/* Bits that are 0 in a derived GUID, which leaves room for the ports' GUIDs. */
	uint64_t guid_mask;
};

/* All kinds, indexed by enum hca_nl_type. */
extern const struct kind kinds[NUM_KINDS];

/*
 * Returns the noun of a type that the kernel reports. A newer kernel may report types that this
 * program does not know.
 */
const char *kind_noun(uint32_t type);

#endif
