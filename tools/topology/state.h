/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* States of links. */
#ifndef TOPOLOGY_STATE_H
#define TOPOLOGY_STATE_H

/*
 * States of a link, which are those of PortInfo:PortState, in order from the worst. Their values
 * differ from those of PortState. A file does not have states, so the links of a file are
 * LINK_UNKNOWN.
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

/* Returns the name of a state, as ibstat(8) prints it; NULL if the state is LINK_UNKNOWN. */
const char *link_state_name(enum link_state state);

/* Returns the state with a name; LINK_UNKNOWN if the name is not one of a state. */
enum link_state link_state_parse(const char *name);

/* Returns the state of a link, which is the worse of the states of its two ports. */
enum link_state link_state_of_ports(enum link_state a, enum link_state b);

#endif
