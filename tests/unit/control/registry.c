// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The registry of devices, with ports, with verbs or both; and ports as commands name them. */
#include <check.h>
#include <string.h>
#include "control/kinds.h"
#include "control/port.h"
#include "control/registry.h"
#include "fabric/node.h"
#include "link/port/port.h"
#include "shim.h"
#include "tests/unit/suites.h"

/* A device that the RDMA core knows. The registry asks its kind for the name. */
struct hca_device {
	const char *name;
};

static const char *device_name(const struct hca_device *dev) { return dev->name; }

static const struct hca_kind adapter_kind = {
	.noun = "device", .has_links = true, .has_verbs = true, .name = device_name,
};
static const struct hca_kind switch_kind = {
	.noun = "switch", .has_links = true, .is_switch = true,
};
/* A kind whose devices have no ports of a link, as those whose carrier is TCP. */
static const struct hca_kind portless_kind = {
	.noun = "portless", .has_verbs = true, .name = device_name,
};

static struct {
	struct hca_device adapter_device, portless_device;
	struct hca_node adapter_node, switch_node;
	struct hca_port adapter_ports[3], switch_ports[2];
	struct hca_entry *adapter, *sw, *portless;
} t;

static struct hca_guids guids_of(u64 first)
{
	return (struct hca_guids){ first, first + 2 };
}

static struct hca_entry *reserve(const struct hca_kind *kind, const char *name, u64 guid)
{
	struct hca_entry *entry;

	ck_assert_int_eq(hca_registry_reserve(kind, name, guids_of(guid), &entry), 0);
	ck_assert_ptr_null(hca_registry_find(name));
	ck_assert_ptr_eq(hca_registry_find_reserved(name), entry);
	return entry;
}

static void node_of(struct hca_node *node, u8 type, struct hca_port *ports, u8 num_ports)
{
	u8 i;

	node->type = type;
	node->ports = ports;
	node->num_ports = num_ports;
	for (i = 0; i <= num_ports; i++) {
		ports[i].node = node;
		ports[i].num = i;
	}
}

static void begin(void)
{
	memset(&t, 0, sizeof(t));
	shim_reset(1);
	mutex_lock(&hca_control_mutex);
	t.adapter = reserve(&adapter_kind, "hca0", 0x100);
	t.sw = reserve(&switch_kind, "sw0", 0x200);
	t.portless = reserve(&portless_kind, "portless0", 0x300);
	node_of(&t.adapter_node, RDMA_NODE_IB_CA, t.adapter_ports, 2);
	node_of(&t.switch_node, RDMA_NODE_IB_SWITCH, t.switch_ports, 1);
	t.adapter_device.name = "hca0";
	t.portless_device.name = "portless0";
	t.adapter->node = &t.adapter_node;
	t.adapter->device = &t.adapter_device;
	t.sw->node = &t.switch_node;
	t.portless->device = &t.portless_device;
	hca_registry_publish(t.adapter);
	hca_registry_publish(t.sw);
	hca_registry_publish(t.portless);
}

static void remove_entry(struct hca_entry *entry)
{
	char name[IB_DEVICE_NAME_MAX];

	strcpy(name, hca_registry_name(entry));
	hca_registry_withdraw(entry);
	ck_assert_ptr_null(hca_registry_find(name));
	ck_assert_ptr_eq(hca_registry_find_reserved(name), entry);
	hca_registry_del(entry);
	ck_assert_ptr_null(hca_registry_find_reserved(name));
}

static void end(void)
{
	remove_entry(t.adapter);
	remove_entry(t.sw);
	remove_entry(t.portless);
	ck_assert_ptr_null(hca_registry_from(0));
	mutex_unlock(&hca_control_mutex);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

START_TEST(found)
{
	begin();
	ck_assert_ptr_eq(hca_registry_find("hca0"), t.adapter);
	ck_assert_ptr_eq(hca_registry_find("sw0"), t.sw);
	ck_assert_ptr_eq(hca_registry_find("portless0"), t.portless);
	ck_assert_ptr_null(hca_registry_find("hca1"));
	ck_assert_ptr_eq(hca_registry_find_guids(guids_of(0x302)), t.portless);
	ck_assert_ptr_null(hca_registry_find_guids(guids_of(0x303)));
	ck_assert_ptr_eq(t.adapter_node.entry, t.adapter);
	ck_assert_ptr_eq(t.switch_node.entry, t.sw);
	end();
}
END_TEST

/* The RDMA core renames what has verbs. */
START_TEST(renamed)
{
	begin();
	t.adapter_device.name = "ib7";
	t.portless_device.name = "ib8";
	ck_assert_ptr_eq(hca_registry_find("ib7"), t.adapter);
	ck_assert_ptr_eq(hca_registry_find("ib8"), t.portless);
	ck_assert_ptr_null(hca_registry_find("hca0"));
	ck_assert_ptr_null(hca_registry_find("portless0"));
	ck_assert_str_eq(hca_registry_port_device(&t.adapter_ports[1]), "ib7");
	end();
}
END_TEST

/* Devices are listed in the order of creation, but for those that are being created or freed. */
START_TEST(listed)
{
	begin();
	ck_assert_ptr_eq(hca_registry_from(0), t.adapter);
	ck_assert_ptr_eq(hca_registry_from(t.adapter->id + 1), t.sw);
	ck_assert_ptr_eq(hca_registry_from(t.sw->id + 1), t.portless);
	ck_assert_ptr_null(hca_registry_from(t.portless->id + 1));
	hca_registry_withdraw(t.sw);
	ck_assert_ptr_null(t.switch_node.entry);
	ck_assert_ptr_eq(hca_registry_from(t.adapter->id + 1), t.portless);
	hca_registry_withdraw(t.portless);
	ck_assert_ptr_null(hca_registry_from(t.adapter->id + 1));
	hca_registry_publish(t.sw);
	hca_registry_publish(t.portless);
	end();
}
END_TEST

START_TEST(ports)
{
	begin();
	ck_assert_uint_eq(hca_registry_num_ports(t.adapter), 2);
	ck_assert_uint_eq(hca_registry_num_ports(t.sw), 1);
	ck_assert_uint_eq(hca_registry_num_ports(t.portless), 0);
	ck_assert_ptr_null(hca_registry_port(t.adapter, 0));
	ck_assert_ptr_eq(hca_registry_port(t.adapter, 2), &t.adapter_ports[2]);
	ck_assert_ptr_null(hca_registry_port(t.adapter, 3));
	ck_assert_ptr_eq(hca_registry_port(t.sw, 0), &t.switch_ports[0]);
	ck_assert_ptr_null(hca_registry_port(t.portless, 0));
	ck_assert_ptr_null(hca_registry_port(t.portless, 1));
	end();
}
END_TEST

#define NO_NUMBER (-1)

static const struct {
	const char *device;
	int num; /* NO_NUMBER: the command gives none */
	int err;
	const char *why; /* of a port that is found: its device */
} named[] = {
	{ "hca0", 1, 0, "hca0" },
	{ "hca0", 2, 0, "hca0" },
	{ "sw0", 1, 0, "sw0" },
	{ "sw0", NO_NUMBER, 0, "sw0" },
	{ "hca1", 1, -ENODEV, "there is no such device" },
	{ "hca0", NO_NUMBER, -EINVAL, "say which of its ports, 1 to 2" },
	{ "hca0", 0, -EINVAL, "hca0 has ports 1 to 2" },
	{ "hca0", 3, -EINVAL, "hca0 has ports 1 to 2" },
	{ "sw0", 2, -EINVAL, "sw0 has only port 1" },
	{ "sw0", 0, -EINVAL, "port 0 is inside of the switch; external ports are 1 to 1" },
	{ "portless0", NO_NUMBER, -EOPNOTSUPP, "a portless has no links: its network is that of its interface" },
	{ "portless0", 1, -EOPNOTSUPP, "a portless has no links: its network is that of its interface" },
};

START_TEST(port_named)
{
	typeof(&named[0]) row = &named[_i];
	struct hca_port *port = NULL;
	char why[HCA_PORT_FAULT];
	u32 num = row->num;

	begin();
	ck_assert_int_eq(hca_port_named(row->device, row->num == NO_NUMBER ? NULL : &num, &port,
					why), row->err);
	if (row->err) {
		ck_assert_str_eq(why, row->why);
	} else {
		ck_assert_str_eq(hca_registry_port_device(port), row->why);
		ck_assert_uint_eq(port->num, row->num == NO_NUMBER ? 1 : num);
	}
	end();
}
END_TEST

/* The longest name fits into the message. */
START_TEST(long_name)
{
	char name[IB_DEVICE_NAME_MAX], expected[HCA_PORT_FAULT], why[HCA_PORT_FAULT];
	struct hca_port *port;
	u32 num = 9;

	begin();
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	t.adapter_device.name = name;
	snprintf(expected, sizeof(expected), "%s has ports 1 to 2", name);
	ck_assert_int_eq(hca_port_named(name, &num, &port, why), -EINVAL);
	ck_assert_str_eq(why, expected);
	end();
}
END_TEST

Suite *registry_suite(void)
{
	Suite *suite = suite_create("registry");
	TCase *tcase = tcase_create("registry");

	tcase_add_test(tcase, found);
	tcase_add_test(tcase, renamed);
	tcase_add_test(tcase, listed);
	tcase_add_test(tcase, ports);
	tcase_add_loop_test(tcase, port_named, 0, sizeof(named) / sizeof(named[0]));
	tcase_add_test(tcase, long_name);
	suite_add_tcase(suite, tcase);
	return suite;
}
