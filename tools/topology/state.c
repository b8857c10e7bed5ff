// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* States of links. */
#include "state.h"
#include <string.h>

static const char *const names[LINK_STATES] = {
	[LINK_DOWN] = "Down",
	[LINK_INITIALIZING] = "Initializing",
	[LINK_ARMED] = "Armed",
	[LINK_ACT_DEFER] = "ActDefer",
	[LINK_ACTIVE] = "Active",
};

const char *link_state_name(enum link_state state)
{
	return names[state];
}

enum link_state link_state_parse(const char *name)
{
	enum link_state state;

	for (state = LINK_DOWN; state < LINK_STATES; state++)
		if (!strcmp(names[state], name))
			return state;
	return LINK_UNKNOWN;
}

enum link_state link_state_of_ports(enum link_state a, enum link_state b)
{
	return a < b ? a : b;
}
