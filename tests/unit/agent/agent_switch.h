/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A switch that MADs manage (tests/unit/agent/agent.h). */
#ifndef HCA_TESTS_AGENT_SWITCH_H
#define HCA_TESTS_AGENT_SWITCH_H

#include "fabric/switch.h"
#include "tests/unit/agent/agent.h"

#define SWITCH_PORTS 20
#define SWITCH_GUID 0x3000ull

/*
 * It has a base port 0; port 1 has a cable and is therefore in Init, and the manager knows of that.
 */
extern struct hca_switch *agent_switch;

/* Add tests to a suite, the last one NULL; each of them begins with a new switch. */
void agent_switch_add_tests(Suite *suite, const char *name, const TTest *const *tests);

/* Send a Set of subnet management with 64 octets of data at port 1. Returns its status. */
u16 switch_set(u16 attr, u32 mod, const void *data);

#endif
