// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A table with a line for each port. */
#include "tools/ctl/port_table.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/ctl/grammar.h"
#include "tools/ctl/kernel/counters.h"
#include "tools/ctl/kind.h"
#include "tools/ctl/noun/fault_show.h"
#include "tools/ctl/noun/network.h"
#include "tools/ctl/print.h"
#include "tools/lib/memory.h"
#include "tools/lib/table.h"

static const char *const titles[] = {
	"PORT", "STATE", "PHYSICAL", "RATE", "LID", "PEER", "ERRORS", "FAULTS",
};

static const struct {
	const char *name;
	enum color color;
} states[] = {
	{ "Down", COLOR_RED },
	{ "Initializing", COLOR_YELLOW },
	{ "Armed", COLOR_BLUE },
	{ "Active", COLOR_GREEN },
	{ "ActDefer", COLOR_MAGENTA },
};

bool port_table_is_wanted(const struct options *options)
{
	return options->table ||
	       (!options->details && !options->json && isatty(STDOUT_FILENO));
}

static const char *json_text(struct json_object *object, const char *key)
{
	return json_object_get_string(json_object_object_get(object, key));
}

static int64_t json_number(struct json_object *object, const char *key)
{
	return json_object_get_int64(json_object_object_get(object, key));
}

static enum color color_of(const char *state)
{
	size_t i;

	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (!strcmp(states[i].name, state))
			return states[i].color;
	return COLOR_NONE;
}

static void add_text(struct table *table, const char *text)
{
	table_add(table, need(strdup(text ?: "-")), COLOR_NONE);
}

static void add_state(struct table *table, const char *state)
{
	table_add(table, need(strdup(state)), color_of(state));
}

static void print_peer(FILE *file, struct json_object *port)
{
	struct json_object *network = json_object_object_get(port, "network");
	struct json_object *peer = json_object_object_get(port, "peer");
	struct json_object *netdev = json_object_object_get(port, "netdev");

	if (netdev)
		fprintf(file, "netdev %s", json_object_get_string(netdev));
	else if (peer)
		fprintf(file, "%s/%" PRId64, json_text(peer, "device"), json_number(peer, "port"));
	else if (network)
		network_print_arguments(file, network);
	else
		fputc('-', file);
}

static void print_faults(FILE *file, struct json_object *port)
{
	struct json_object *faults = json_object_object_get(port, "faults");
	struct json_object *shape = json_object_object_get(port, "shape");

	if (faults)
		fault_print_arguments(file, faults);
	if (faults && shape)
		fputs("; ", file);
	if (shape)
		shape_print_arguments(file, shape);
	if (!faults && !shape)
		fputc('-', file);
}

/* Prints the error counters of a port that are not 0. */
static void print_errors(FILE *file, struct json_object *port)
{
	struct json_object *errors = json_object_object_get(port, "errors");
	const char *separator = "";

	if (!errors) {
		fputc('-', file);
		return;
	}
	json_object_object_foreach(errors, name, count) {
		if (!json_object_get_int64(count))
			continue;
		fprintf(file, "%s%s %" PRId64, separator, name, json_object_get_int64(count));
		separator = ", ";
	}
	if (!*separator)
		fputc('0', file);
}

/*
 * Adds a cell with the text that @print writes for a port. The text is in @color unless it is "-"
 * or "0".
 */
static void add_printed(struct table *table, struct json_object *port,
			void (*print)(FILE *file, struct json_object *port), enum color color)
{
	char *printed = NULL;
	size_t length;
	FILE *file = need(open_memstream(&printed, &length));

	print(file, port);
	fclose(file);
	need(printed);
	table_add(table, printed, printed[strspn(printed, "-0")] ? color : COLOR_NONE);
}

static void add_row(struct table *table, struct json_object *port)
{
	table_add(table,
		  need_text("%s/%" PRId64, json_text(port, "device"), json_number(port, "port")),
		  COLOR_NONE);
	add_state(table, json_text(port, "state"));
	add_text(table, json_text(port, "physical_state"));
	add_text(table, json_text(port, "rate"));
	table_add(table, need_text("%" PRId64, json_number(port, "lid")), COLOR_NONE);
	add_printed(table, port, print_peer, COLOR_NONE);
	add_printed(table, port, print_errors, COLOR_RED);
	add_printed(table, port, print_faults, COLOR_YELLOW);
}

static bool is_in_table(struct json_object *device, struct json_object *port, bool only_linked)
{
	bool is_switch = !strcmp(json_text(device, "type"), kind_noun(HCA_NL_TYPE_SWITCH));

	return json_object_object_get(port, "peer") || json_object_object_get(port, "network") ||
	       (!only_linked && (!is_switch || !json_number(port, "port")));
}

/*
 * Returns a JSON object with the values of a row: the values of a port, the name and type of its
 * device, and its counters.
 */
static struct json_object *make_row(struct json_object *device, struct json_object *port)
{
	struct json_object *row = json_object_new_object();
	const char *name = json_text(device, "name");
	unsigned int num = json_number(port, "port");

	json_object_object_add(row, "device",
			       json_object_get(json_object_object_get(device, "name")));
	json_object_object_add(row, "type",
			       json_object_get(json_object_object_get(device, "type")));
	json_object_object_foreach(port, key, value)
		json_object_object_add(row, key, json_object_get(value));
	json_object_object_add(row, "errors", counters_errors(name, num));
	json_object_object_add(row, "traffic", counters_traffic(name, num));
	return row;
}

/* Returns a row for the port of an RNIC, which has no link of its own. */
static struct json_object *make_rnic_row(struct json_object *device, struct json_object *rnic)
{
	bool up = json_object_get_boolean(json_object_object_get(rnic, "up"));
	struct json_object *port = json_object_new_object(), *row;

	json_object_object_add(port, "port", json_object_new_int(1));
	json_object_object_add(port, "state", json_object_new_string(up ? "Active" : "Down"));
	json_object_object_add(port, "physical_state",
			       json_object_new_string(up ? "LinkUp" : "Disabled"));
	json_object_object_add(port, "netdev",
			       json_object_get(json_object_object_get(rnic, "netdev")));
	row = make_row(device, port);
	json_object_put(port);
	return row;
}

static struct json_object *make_rows(struct json_object *devices, bool only_linked)
{
	struct json_object *rows = json_object_new_array(), *device, *ports, *port, *rnic;
	size_t i, j;

	for (i = 0; i < json_object_array_length(devices); i++) {
		device = json_object_array_get_idx(devices, i);
		ports = json_object_object_get(device, "ports");
		rnic = json_object_object_get(device, "rnic");
		if (rnic && !only_linked)
			json_object_array_add(rows, make_rnic_row(device, rnic));
		for (j = 0; j < json_object_array_length(ports); j++) {
			port = json_object_array_get_idx(ports, j);
			if (is_in_table(device, port, only_linked))
				json_object_array_add(rows, make_row(device, port));
		}
	}
	return rows;
}

void port_table_print(struct json_object *devices, bool only_linked, const struct options *options)
{
	struct table table = { titles, sizeof(titles) / sizeof(titles[0]), NULL, 0 };
	struct json_object *rows = make_rows(devices, only_linked);
	size_t i;

	for (i = 0; !options->json && i < json_object_array_length(rows); i++)
		add_row(&table, json_object_array_get_idx(rows, i));
	if (options->json)
		print_object(rows, options);
	else if (table.count)
		table_print(stdout, &table);
	table_clear(&table);
	json_object_put(rows);
}
