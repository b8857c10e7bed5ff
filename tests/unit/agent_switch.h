/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A switch that is asked by MADs (tests/unit/agent.h). */
#ifndef HCA_TESTS_AGENT_SWITCH_H
#define HCA_TESTS_AGENT_SWITCH_H

#include "agent.h"
#include "fabric/switch.h"

#define SWITCH_PORTS 20
#define SWITCH_GUID 0x3000ull

/* With a base port 0; port 1 has a cable and so is in Init, of which the manager knows. */
extern struct hca_switch *agent_switch;

/* Add tests, the last one NULL, each of which finds the switch fresh. */
void agent_switch_add_tests(Suite *suite, const char *name, const TTest *const *tests);

/* A Set of subnet management of 64 octets, at port 1, for its status. */
u16 switch_set(u16 attr, u32 mod, const void *data);

#endif
