/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* States of links. */
#ifndef TOPOLOGY_STATE_H
#define TOPOLOGY_STATE_H

/*
 * States of a link in PortInfo:PortState, in order from the worst. A file does not have states, so
 * its links are LINK_UNKNOWN.
 */
enum link_state {
	LINK_UNKNOWN,
	LINK_DOWN,
	LINK_INITIALIZING,
	LINK_ARMED,
	LINK_ACT_DEFER,
	LINK_ACTIVE,
	LINK_STATES,
};

/* Returns the name of a state in the output of ibstat(8); NULL if the state is unknown. */
const char *link_state_name(enum link_state state);

/* Returns the state of a name; LINK_UNKNOWN if there is none. */
enum link_state link_state_parse(const char *name);

/* Returns the state of a link from the states of its ports. */
enum link_state link_state_of_ports(enum link_state a, enum link_state b);

#endif
