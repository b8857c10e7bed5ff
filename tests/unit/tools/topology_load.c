// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Loading a topology, into a simulated kernel: the requests made, and that all of them are undone.
 */
#include <string.h>
#include "tests/unit/suites.h"
#include "tests/unit/tools/topology.h"
#include "tools/topology/generate.h"
#include "tools/topology/load.h"

#define MAX_NODES 64

/* The kernel's objects, and the request at which it fails. */
struct fake {
	const struct load_node *nodes[MAX_NODES];
	size_t num_nodes, num_links;
	size_t requests, fail_at; /* SIZE_MAX: never */
	size_t interrupt_at;
	bool keep; /* deletion fails */
	const char *existing; /* a name that is in use */
	size_t shown;
};

static const char *obstacle(void *arg, const struct load_node *node)
{
	struct fake *fake = arg;

	return fake->existing && !strcmp(fake->existing, node->name) ? "it is there" : NULL;
}

static bool is_there(const struct fake *fake, const struct load_node *node)
{
	size_t i;

	for (i = 0; i < fake->num_nodes; i++)
		if (fake->nodes[i] == node)
			return true;
	return false;
}

static int add_node(void *arg, const struct load_node *node)
{
	struct fake *fake = arg;

	ck_assert(!is_there(fake, node));
	if (fake->requests++ == fake->fail_at)
		return 2;
	ck_assert_uint_lt(fake->num_nodes, MAX_NODES);
	fake->nodes[fake->num_nodes++] = node;
	return 0;
}

static int add_link(void *arg, const struct load_node *a, unsigned int a_port,
		    const struct load_node *b, unsigned int b_port,
		    const struct topology_link *link)
{
	struct fake *fake = arg;

	(void)link;
	ck_assert(is_there(fake, a) && is_there(fake, b));
	ck_assert(a_port >= 1 && a_port <= a->node->num_ports);
	ck_assert(b_port >= 1 && b_port <= b->node->num_ports);
	if (fake->requests++ == fake->fail_at)
		return 2;
	fake->num_links++;
	return 0;
}

static int delete_node(void *arg, const struct load_node *node)
{
	struct fake *fake = arg;

	if (fake->keep)
		return 2;
	/* In reverse order. */
	ck_assert_ptr_eq(fake->nodes[--fake->num_nodes], node);
	return 0;
}

static bool go_on(void *arg, size_t done, size_t all)
{
	struct fake *fake = arg;

	ck_assert_uint_eq(done, fake->requests);
	ck_assert_uint_le(done, all);
	fake->shown = done;
	return done != fake->interrupt_at;
}

static enum load_result load(struct fake *fake, struct topology *topology, size_t *undone,
			     struct complaint *complaint)
{
	static const struct load_wishes wishes;
	struct load_kernel kernel = { obstacle, add_node, add_link, delete_node, go_on, fake };
	struct report report = complaint_report(complaint);
	struct load_plan plan;
	enum load_result result;

	ck_assert(load_plan(&plan, topology, &wishes, &report));
	result = load_run(&plan, &kernel, &report, undone);
	load_plan_clear(&plan);
	return result;
}

/* 20 switches, 16 adapters, 48 links. */
static void make(struct topology *topology)
{
	*topology = (struct topology){};
	ck_assert_ptr_null(generate_fat_tree(topology, 4, 3));
}

#define NODES 36
#define REQUESTS (NODES + 48)

START_TEST(all_is_made)
{
	struct fake fake = { .fail_at = SIZE_MAX, .interrupt_at = SIZE_MAX };
	struct complaint complaint;
	struct topology topology;
	size_t undone;

	make(&topology);
	ck_assert_int_eq(load(&fake, &topology, &undone, &complaint), LOAD_DONE);
	ck_assert_uint_eq(fake.num_nodes, NODES);
	ck_assert_uint_eq(fake.num_links, 48);
	ck_assert_uint_eq(fake.shown, REQUESTS);
	topology_clear(&topology);
}
END_TEST

START_TEST(all_is_undone_whatever_fails)
{
	struct fake fake = { .fail_at = _i, .interrupt_at = SIZE_MAX };
	struct complaint complaint;
	struct topology topology;
	size_t undone;

	make(&topology);
	ck_assert_int_eq(load(&fake, &topology, &undone, &complaint), LOAD_UNDONE);
	ck_assert_uint_eq(fake.num_nodes, 0);
	ck_assert_uint_eq(fake.requests, _i + 1);
	ck_assert_uint_eq(undone, _i < NODES ? _i : NODES);
	topology_clear(&topology);
}
END_TEST

START_TEST(all_is_undone_when_interrupted)
{
	struct fake fake = { .fail_at = SIZE_MAX, .interrupt_at = _i };
	struct complaint complaint;
	struct topology topology;
	size_t undone;

	make(&topology);
	ck_assert_int_eq(load(&fake, &topology, &undone, &complaint), LOAD_UNDONE);
	ck_assert_uint_eq(fake.num_nodes, 0);
	ck_assert_uint_eq(fake.requests, _i);
	topology_clear(&topology);
}
END_TEST

START_TEST(what_cannot_be_undone_is_told)
{
	struct fake fake = { .fail_at = 7, .interrupt_at = SIZE_MAX, .keep = true };
	struct complaint complaint;
	struct topology topology;
	size_t undone;

	make(&topology);
	ck_assert_int_eq(load(&fake, &topology, &undone, &complaint), LOAD_LEFT);
	topology_clear(&topology);
}
END_TEST

START_TEST(nothing_is_done_if_something_is_in_the_way)
{
	struct fake fake = { .fail_at = SIZE_MAX, .interrupt_at = SIZE_MAX, .existing = "top" };
	struct complaint complaint;
	struct topology topology;
	size_t undone;

	ck_assert(read_text(net_text, &topology, &complaint));
	ck_assert_int_eq(load(&fake, &topology, &undone, &complaint), LOAD_BLOCKED);
	ck_assert_uint_eq(fake.requests, 0);
	ck_assert_uint_eq(complaint.line, 7);
	ck_assert_str_eq(complaint.text, "top: it is there");
	topology_clear(&topology);
}
END_TEST

/* Which of the nodes "host" and "alone" become devices. */
static const struct {
	const char *hosts;
	bool host, alone;
	const char *expected;
} chosen[] = {
	{ NULL, false, false, NULL },
	{ "all", true, true, NULL },
	{ "0", false, false, NULL },
	{ "1", true, false, NULL },
	{ "2", true, true, NULL },
	{ "host", true, false, NULL },
	{ "alone,host", true, true, NULL },
	{ "3", false, false, "there are 2 adapters, not 3" },
	{ "top", false, false, "there is no adapter 'top'" },
	{ "host,,alone", true, false, "there is no adapter ''" },
	{ "", false, false, "there is no adapter ''" },
	{ "99999999999999999999", false, false, "there is no adapter '99999999999999999999'" },
};

START_TEST(hosts_are_chosen)
{
	struct load_wishes wishes = { .hosts = chosen[_i].hosts };
	struct complaint complaint;
	struct report report;
	struct topology topology;
	struct load_plan plan;
	bool good;

	ck_assert(read_text(net_text, &topology, &complaint));
	report = complaint_report(&complaint);
	good = load_plan(&plan, &topology, &wishes, &report);
	ck_assert_int_eq(good, !chosen[_i].expected);
	if (!good)
		ck_assert_str_eq(complaint.text, chosen[_i].expected);
	ck_assert_int_eq(plan.nodes[node_of(&topology, "top")].kind, LOAD_SWITCH);
	ck_assert_int_eq(plan.nodes[node_of(&topology, "host")].kind,
			 chosen[_i].host ? LOAD_DEVICE : LOAD_NODE);
	ck_assert_int_eq(plan.nodes[node_of(&topology, "alone")].kind,
			 chosen[_i].alone ? LOAD_DEVICE : LOAD_NODE);
	load_plan_clear(&plan);
	topology_clear(&topology);
}
END_TEST

static const struct {
	const char *line, *name; /* the GUID of the first node */
	const char *expected;
} names[] = {
	{ "Hca 1 \"node-1_a.b\"", "node-1_a.b", NULL },
	{ "caguid=0x10\nHca 1 \"node 1\"", "H-0000000000000010", NULL },
	{ "switchguid=0x10\nSwitch 1 \"a/b\"", "S-0000000000000010", NULL },
	{ "caguid=0x10\nHca 1 \"..\"", "H-0000000000000010", NULL },
	{ "caguid=0x10\nHca 1 \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"",
	  "H-0000000000000010", NULL },
	{ "caguid=0x10\nHca 1 \"a b\"\n\nHca 1 \"H-0000000000000010\"", "H-0000000000000010",
	  "would be called H-0000000000000010" },
	/* The GUIDs of ports are derived from their node's, whatever the file says. */
	{ "caguid=0x10\nHca 2 \"a\"\n[1](5) \"a\"[2]\n[2](6) \"a\"[1]\n\ncaguid=0x12\nHca 1 \"b\"",
	  "a", "a on line 2 needs 0x0000000000000010 to 0x0000000000000012" },
};

START_TEST(nodes_are_called_as_the_kernel_takes_it)
{
	struct load_wishes wishes = {};
	struct complaint complaint;
	struct report report;
	struct topology topology;
	struct load_plan plan;
	bool good;

	ck_assert_msg(read_text(names[_i].line, &topology, &complaint), "%s", complaint.text);
	report = complaint_report(&complaint);
	good = load_plan(&plan, &topology, &wishes, &report);
	ck_assert_int_eq(good, !names[_i].expected);
	ck_assert_str_eq(plan.nodes[0].name, names[_i].name);
	ck_assert_msg(good || strstr(complaint.text, names[_i].expected), "%s", complaint.text);
	load_plan_clear(&plan);
	topology_clear(&topology);
}
END_TEST

/*
 * GUIDs of neighboring nodes are consecutive, as on cards with two adapters, so that ports have
 * these, too.
 */
START_TEST(new_guids_have_room_for_ports)
{
	struct load_wishes wishes = { .new_guids = true };
	struct complaint complaint;
	struct report report;
	struct topology topology;
	struct load_plan plan;
	uint64_t first, second;

	ck_assert(read_text("caguid=0x10\nHca 1 \"a\"\n[1](10) \"b\"[1](11)\n\n"
			    "caguid=0x11\nHca 1 \"b\"\n[1](11) \"a\"[1](10)\n", &topology,
			    &complaint));
	report = complaint_report(&complaint);
	ck_assert(load_plan(&plan, &topology, &wishes, &report));
	first = plan.nodes[0].guid;
	second = plan.nodes[1].guid;
	ck_assert_uint_ge(second - first, TOPOLOGY_CA_PORTS + 1);
	ck_assert_uint_eq(first >> 56, 2);
	load_plan_clear(&plan);
	topology_clear(&topology);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *topology_load_suite(void)
{
	Suite *suite = suite_create("topology_load");
	TCase *tcase = tcase_create("topology_load");

	tcase_add_test(tcase, all_is_made);
	tcase_add_loop_test(tcase, all_is_undone_whatever_fails, 0, REQUESTS);
	tcase_add_loop_test(tcase, all_is_undone_when_interrupted, 0, REQUESTS + 1);
	tcase_add_test(tcase, what_cannot_be_undone_is_told);
	tcase_add_test(tcase, nothing_is_done_if_something_is_in_the_way);
	tcase_add_loop_test(tcase, hosts_are_chosen, 0, COUNT(chosen));
	tcase_add_loop_test(tcase, nodes_are_called_as_the_kernel_takes_it, 0, COUNT(names));
	tcase_add_test(tcase, new_guids_have_room_for_ports);
	suite_add_tcase(suite, tcase);
	return suite;
}
