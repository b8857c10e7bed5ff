/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The kinds of devices: each is a noun of hcactl, too. */
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
	uint32_t default_ports; /* 0: they must be given */
	bool is_switch;
	uint64_t guid_mask; /* bits that are 0 in a GUID that is made: room for the ports' */
};

/* By enum hca_nl_type. */
extern const struct kind kinds[NUM_KINDS];

/* Of a type that the kernel tells of, which may be younger than this program. */
const char *kind_noun(uint32_t type);

#endif
