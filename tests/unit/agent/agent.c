// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A node that MADs manage, and the requests and responses of the tests. */
#include "tests/unit/agent/agent.h"
#include "engine/run.h"
#include "link/port/port_init.h"
#include "phy/cable.h"
#include "shim.h"
#include "sma/agent_port.h"

struct hca_node agent_node, *agent_dest;
struct hca_port agent_ports[3];
union agent_mad agent_rq, agent_rsp;
struct agent_event agent_seen[16];
unsigned int agent_num_seen;

static struct hca_node far_node;
static struct hca_port far_ports[2];

static void see(struct hca_port *port, enum hca_port_event event)
{
	if (port->node != &agent_node)
		return;
	ck_assert_uint_lt(agent_num_seen, ARRAY_SIZE(agent_seen));
	agent_seen[agent_num_seen].port = port->num;
	agent_seen[agent_num_seen++].event = event;
}

static void be_above(struct hca_port *port, struct hca_packet *pkt)
{
	ck_abort_msg("port %u has packet %p for its manager", port->num, (void *)pkt);
}

static const struct hca_port_ops ops = { .event = see, .manager = be_above };

static void make_node(struct hca_node *node, struct hca_port *ports, u8 num_ports, u64 guid)
{
	unsigned int i;

	memset(node, 0, sizeof(*node));
	memset(ports, 0, (num_ports + 1) * sizeof(*ports));
	node->type = RDMA_NODE_IB_CA;
	node->num_ports = num_ports;
	node->partition_cap = HCA_PKEYS;
	node->system_image_guid = cpu_to_be64(guid);
	node->node_guid = cpu_to_be64(guid + 0x10);
	node->vendor_id = 0xabcdef;
	node->device_id = HCA_DEVICE_ID;
	node->revision = 0x01020304;
	strcpy(node->description, "one node");
	spin_lock_init(&node->desc_lock);
	node->ports = ports;
	for (i = 0; i <= num_ports; i++)
		ck_assert_int_eq(hca_node_init_port(&ports[i], node, i, &ops,
						    cpu_to_be64(guid + 0x20 + i)), 0);
	for (i = 0; i <= num_ports; i++)
		ck_assert_int_eq(hca_agent_port_new(&ports[i]), 0);
}

static void unmake_node(struct hca_node *node)
{
	unsigned int i;

	for (i = 0; i <= node->num_ports; i++) {
		hca_agent_port_stop(&node->ports[i]);
		hca_port_destroy(&node->ports[i]);
		hca_agent_port_free(&node->ports[i]);
	}
}

static void setup(void)
{
	shim_reset(1);
	hca_engine_start();
	make_node(&agent_node, agent_ports, 2, 0x1000);
	make_node(&far_node, far_ports, 1, 0x2000);
	hca_cable_connect(&agent_ports[1], &far_ports[1]);
	agent_dest = &agent_node;
	agent_num_seen = 0;
}

static void teardown(void)
{
	hca_cable_disconnect(&agent_ports[1]);
	unmake_node(&agent_node);
	unmake_node(&far_node);
	hca_engine_stop();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

void agent_add_loop_test(Suite *suite, const char *name, const TTest *test, int count)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test, 0, count);
	suite_add_tcase(suite, tc);
}

void agent_add_tests(Suite *suite, const char *name, const TTest *const *tests)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
	suite_add_tcase(suite, tc);
}

void agent_request(u8 class, u8 method, u16 attr, u32 mod)
{
	unsigned int i;

	memset(&agent_rq, 0, sizeof(agent_rq));
	for (i = 128; i < 256 && class != IB_PERFORMANCE_CLASS; i++)
		agent_rq.octets[i] = i; /* the initial and return paths of a directed-route SMP */
	mad_set_field(&agent_rq, 0, IB_MAD_BASEVER_F, 1);
	mad_set_field(&agent_rq, 0, IB_MAD_MGMTCLASS_F, class);
	mad_set_field(&agent_rq, 0, IB_MAD_CLASSVER_F, 1);
	agent_rq.octets[3] = method;
	mad_set_field64(&agent_rq, 0, IB_MAD_TRID_F, 0x0123456789abcdefull);
	mad_set_field(&agent_rq, 0, IB_MAD_ATTRID_F, attr);
	mad_set_field(&agent_rq, 0, IB_MAD_ATTRMOD_F, mod);
}

void agent_put(enum MAD_FIELDS field, u32 value)
{
	mad_set_field(&agent_rq, DATA, field, value);
}

void agent_put64(enum MAD_FIELDS field, u64 value)
{
	mad_set_field64(&agent_rq, DATA, field, value);
}

void agent_put_key(u64 m_key)
{
	mad_set_field64(&agent_rq, 0, IB_MAD_MKEY_F, m_key);
}

enum hca_agent_result agent_ask_at(u8 port)
{
	const u8 *rq = agent_rq.octets, *rsp = agent_rsp.octets;
	enum hca_agent_result result;

	memset(&agent_rsp, 0xa5, sizeof(agent_rsp));
	result = hca_agent.process(agent_dest, port, 0, &agent_rq.mad, &agent_rsp.mad, false);
	if (result != HCA_AGENT_REPLY)
		return result;
	ck_assert_mem_eq(rsp, rq, 3); /* BaseVersion, MgmtClass, ClassVersion */
	ck_assert_uint_eq(rsp[3] & 0x80, 0x80);
	ck_assert_mem_eq(rsp + 6, rq + 6, DATA - 6); /* Hop Pointer to DrDLID */
	if (rq[1] != IB_PERFORMANCE_CLASS)
		ck_assert_mem_eq(rsp + 128, rq + 128, 128); /* InitialPath and ReturnPath */
	return result;
}

u16 agent_ask(void)
{
	ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_REPLY);
	return agent_rsp.octets[4] << 8 | agent_rsp.octets[5];
}

u16 agent_get(u16 attr, u32 mod)
{
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, attr, mod);
	return agent_ask();
}

u32 agent_got(enum MAD_FIELDS field)
{
	return mad_get_field(&agent_rsp, DATA, field);
}

u64 agent_got64(enum MAD_FIELDS field)
{
	return mad_get_field64(&agent_rsp, DATA, field);
}

void agent_change(void)
{
	u16 attr = mad_get_field(&agent_rsp, 0, IB_MAD_ATTRID_F);
	u32 mod = mad_get_field(&agent_rsp, 0, IB_MAD_ATTRMOD_F);
	u8 class = agent_rsp.octets[1];

	agent_request(class, IB_MAD_METHOD_SET, attr, mod);
	memcpy(agent_rq.octets + DATA, agent_rsp.octets + DATA,
	       class == IB_PERFORMANCE_CLASS ? 192 : 64);
}
