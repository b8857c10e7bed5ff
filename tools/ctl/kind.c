// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The kinds of devices. */
#include "tools/ctl/kind.h"
#include "tools/ctl/guid.h"

const struct kind kinds[NUM_KINDS] = {
	[HCA_NL_TYPE_DEVICE] = { "device", 4, 1, false, GUID_PORTS_MASK },
	[HCA_NL_TYPE_SWITCH] = { "switch", 254, 0, true, GUID_PORTS_MASK },
	[HCA_NL_TYPE_TCA] = { "tca", 254, 1, false, GUID_MANY_PORTS_MASK },
	[HCA_NL_TYPE_RNIC] = { "rnic", 1, 1, false, GUID_PORTS_MASK },
};

bool kind_includes(uint32_t kind, uint32_t type)
{
	return kind == ALL_KINDS || kind == type ||
	       (kind == HCA_NL_TYPE_DEVICE && type == HCA_NL_TYPE_RNIC);
}

const char *kind_noun(uint32_t type)
{
	return type < NUM_KINDS ? kinds[type].noun : "unknown";
}

const char *kind_command(uint32_t type)
{
	return kind_noun(kind_includes(HCA_NL_TYPE_DEVICE, type) ? HCA_NL_TYPE_DEVICE : type);
}
