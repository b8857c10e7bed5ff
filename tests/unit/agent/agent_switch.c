// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A switch that MADs manage. */
#include "tests/unit/agent/agent_switch.h"
#include <linux/err.h>
#include "engine/run.h"
#include "fabric/tca.h"
#include "phy/cable.h"
#include "shim.h"
#include "sma/agent.h"

struct hca_switch *agent_switch;

static struct hca_tca *neighbor;

static void setup(void)
{
	shim_reset(1);
	hca_engine_start();
	agent_switch = hca_switch_new(SWITCH_PORTS, cpu_to_be64(SWITCH_GUID), "switch", false,
				      &hca_agent);
	neighbor = hca_tca_new(1, cpu_to_be64(SWITCH_GUID + 1), "neighbor", &hca_agent);
	ck_assert(!IS_ERR(agent_switch) && !IS_ERR(neighbor));
	hca_cable_connect(&agent_switch->node.ports[1], &neighbor->node.ports[1]);
	agent_switch->info.port_state_change = false;
	agent_dest = &agent_switch->node;
}

static void teardown(void)
{
	hca_cable_disconnect(&agent_switch->node.ports[1]);
	hca_switch_free(agent_switch);
	hca_tca_free(neighbor);
	hca_engine_stop();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

void agent_switch_add_tests(Suite *suite, const char *name, const TTest *const *tests)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
	suite_add_tcase(suite, tc);
}

u16 switch_set(u16 attr, u32 mod, const void *data)
{
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_SET, attr, mod);
	memcpy(agent_rq.octets + DATA, data, 64);
	return agent_ask();
}
