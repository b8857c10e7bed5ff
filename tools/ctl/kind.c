// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The kinds of devices. */
#include "tools/ctl/kind.h"
#include "tools/ctl/guid.h"

const struct kind kinds[NUM_KINDS] = {
	[HCA_NL_TYPE_DEVICE] = { "device", 4, 1, false, GUID_PORTS_MASK },
	[HCA_NL_TYPE_SWITCH] = { "switch", 254, 0, true, GUID_PORTS_MASK },
	[HCA_NL_TYPE_TCA] = { "tca", 254, 1, false, GUID_MANY_PORTS_MASK },
};

const char *kind_noun(uint32_t type)
{
	return type < NUM_KINDS ? kinds[type].noun : "unknown";
}
