// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints the values of inventory.h as JSON or as text. */
#include "tools/ctl/print.h"
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include "tools/ctl/kind.h"
#include "tools/ctl/noun/fault_show.h"
#include "tools/ctl/noun/network.h"
#include "tools/ctl/noun/rnic.h"
#include "tools/ctl/noun/rnic_fault.h"

static const char *json_text(struct json_object *object, const char *key)
{
	return json_object_get_string(json_object_object_get(object, key));
}

static int64_t json_number(struct json_object *object, const char *key)
{
	return json_object_get_int64(json_object_object_get(object, key));
}

static void print_end(struct json_object *end)
{
	printf("%s/%" PRId64, json_text(end, "device"), json_number(end, "port"));
}

static void print_faults(struct json_object *faults)
{
	fault_print_arguments(stdout, faults);
	fault_print_counters(stdout, faults);
	putchar('\n');
}

static void print_shape(struct json_object *shape)
{
	shape_print_arguments(stdout, shape);
	shape_print_counters(stdout, shape);
	putchar('\n');
}

static const char admin_down[] = "administratively down";

static bool is_admin_down(struct json_object *object)
{
	return json_object_get_boolean(json_object_object_get(object, "admin_down"));
}

static void print_cable(struct json_object *port)
{
	struct json_object *network = json_object_object_get(port, "network");
	struct json_object *peer = json_object_object_get(port, "peer");

	if (peer) {
		printf(" -> ");
		print_end(peer);
	} else if (network) {
		printf(" -> ");
		network_print_arguments(stdout, network);
	} else if (json_number(port, "port")) {
		printf(" no cable");
	}
	putchar('\n');
}

/* Prints how many receive buffers are in use, in one line for each VL. */
static void print_buffers(struct json_object *buffers)
{
	struct json_object *buffer;
	size_t i;

	for (i = 0; buffers && i < json_object_array_length(buffers); i++) {
		buffer = json_object_array_get_idx(buffers, i);
		printf("        VL %" PRId64 ": %" PRId64 " %s reserved, %" PRId64 " outstanding\n",
		       json_number(buffer, "vl"), json_number(buffer, "reserved"),
		       json_number(buffer, "vl") == 15 ? "packets" : "blocks",
		       json_number(buffer, "outstanding"));
	}
}

void print_port(struct json_object *port)
{
	struct json_object *network = json_object_object_get(port, "network");
	struct json_object *faults = json_object_object_get(port, "faults");
	struct json_object *shape = json_object_object_get(port, "shape");

	printf("    port %" PRId64 ": %s (%s) lid %" PRId64 " lmc %" PRId64 " sm %" PRId64
	       " mtu %" PRId64,
	       json_number(port, "port"), json_text(port, "state"),
	       json_text(port, "physical_state"),
	       json_number(port, "lid"), json_number(port, "lmc"), json_number(port, "sm_lid"),
	       json_number(port, "mtu"));
	print_cable(port);
	if (network)
		network_print_state(network, "        ");
	if (is_admin_down(port))
		printf("        %s\n", admin_down);
	if (faults) {
		printf("        faults: ");
		print_faults(faults);
	}
	if (shape) {
		printf("        shape: ");
		print_shape(shape);
	}
	print_buffers(json_object_object_get(port, "buffers"));
}

/* Prints ports. If @all is false, omits external ports that do not have a cable. */
static void print_ports(struct json_object *ports, bool all)
{
	size_t i, count = json_object_array_length(ports), left_out = 0;
	struct json_object *port;

	for (i = 0; i < count; i++) {
		port = json_object_array_get_idx(ports, i);
		if (all || !json_number(port, "port") || json_object_object_get(port, "peer") ||
		    json_object_object_get(port, "network"))
			print_port(port);
		else
			left_out++;
	}
	if (left_out)
		printf("    %zu %s no cable\n", left_out,
		       left_out == 1 ? "port has" : "ports have");
}

static void print_objects(struct json_object *objects)
{
	bool any = false;

	printf("    objects:");
	json_object_object_foreach(objects, type, count) {
		if (!json_object_get_int64(count))
			continue;
		printf(" %s %" PRId64, type, json_object_get_int64(count));
		any = true;
	}
	puts(any ? "" : " none");
}

/* Returns the number of ports, not counting port 0 of a switch. */
static size_t num_ports(struct json_object *ports)
{
	size_t count = json_object_array_length(ports);

	return count && !json_number(json_object_array_get_idx(ports, 0), "port") ? count - 1 :
										    count;
}

/* Prints a device. The kind of a channel adapter is not printed; an RNIC has no ports of links. */
static void print_device(struct json_object *device)
{
	struct json_object *ports = json_object_object_get(device, "ports");
	struct json_object *rnic = json_object_object_get(device, "rnic");
	const char *type = json_text(device, "type");
	bool is_device = !strcmp(type, kind_noun(HCA_NL_TYPE_DEVICE));
	bool is_switch = !strcmp(type, kind_noun(HCA_NL_TYPE_SWITCH));

	printf("%s: guid %s", json_text(device, "name"), json_text(device, "guid"));
	if (!rnic)
		printf(" ports %zu", num_ports(ports));
	if (!is_device)
		printf(" type %s", type);
	if (json_object_get_boolean(json_object_object_get(device, "enhanced")))
		printf(" enhanced");
	if (json_object_get_boolean(json_object_object_get(device, "random")))
		printf(" random");
	if (strcmp(json_text(device, "system_image_guid"), json_text(device, "guid")))
		printf(" system-image %s", json_text(device, "system_image_guid"));
	if (json_object_get_boolean(json_object_object_get(device, "led")))
		printf(" led on");
	if (json_object_get_boolean(json_object_object_get(device, "going")))
		printf(" going");
	printf(" description \"%s\"\n", json_text(device, "description"));
	print_ports(ports, !is_switch);
	if (rnic)
		rnic_print_state(rnic);
	rnic_fault_print(json_object_object_get(device, "faults"));
	if (is_device || rnic)
		print_objects(json_object_object_get(device, "objects"));
}

static void print_direction(struct json_object *link, const char *end, const char *key,
			    void (*print)(struct json_object *what))
{
	struct json_object *what = json_object_object_get(link, key);

	if (!what)
		return;
	printf("    from ");
	print_end(json_object_object_get(link, end));
	printf(": ");
	print(what);
}

/*
 * Prints the ends of a link in the syntax of "link add". The state follows: for a cable, the active
 * rate or the reason why the cable is down; for a link through a network, further lines.
 */
static void print_link(struct json_object *link)
{
	struct json_object *network = json_object_object_get(link, "network");
	const char *rate = json_text(link, "rate");
	const char *why = is_admin_down(link) ? admin_down : json_text(link, "lacking");

	print_end(json_object_object_get(link, "a"));
	putchar(' ');
	if (network) {
		network_print_arguments(stdout, network);
		putchar('\n');
		network_print_state(network, "    ");
		if (is_admin_down(link))
			printf("    %s\n", admin_down);
	} else {
		print_end(json_object_object_get(link, "b"));
		printf(" %s%s%s\n", rate ?: "down", why ? ": " : "", why ?: "");
	}
	print_direction(link, "a", "faults_from_a", print_faults);
	print_direction(link, "a", "shape_from_a", print_shape);
	print_direction(link, "b", "faults_from_b", print_faults);
	print_direction(link, "b", "shape_from_b", print_shape);
}

void print_object(struct json_object *object, const struct options *options)
{
	int how = options->pretty ? JSON_C_TO_STRING_PRETTY : JSON_C_TO_STRING_PLAIN;

	puts(json_object_to_json_string_ext(object, how | JSON_C_TO_STRING_NOSLASHESCAPE));
}

static void print_array(struct json_object *array, const struct options *options,
			void (*print)(struct json_object *item))
{
	size_t i;

	if (options->json) {
		print_object(array, options);
		return;
	}
	for (i = 0; i < json_object_array_length(array); i++)
		print(json_object_array_get_idx(array, i));
}

void print_devices(struct json_object *devices, const struct options *options)
{
	print_array(devices, options, print_device);
}

void print_links(struct json_object *links, const struct options *options)
{
	print_array(links, options, print_link);
}
