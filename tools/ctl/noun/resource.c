// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl qp, cq, srq, mr, mw and eec: show objects of RDMA devices. */
#include "tools/ctl/noun/resource.h"
#include <stdbool.h>
#include <string.h>
#include "tools/ctl/kernel/inventory.h"
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/print.h"
#include "tools/ctl/select.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"

static int resource_parse(const struct command *command, const char *text, struct selection *wanted)
{
	*wanted = (struct selection){ .text = text };
	if (!text || !port_name_parse(text, &wanted->name))
		return 0;
	return usage_error(command, "'%s' is neither DEVICE nor DEVICE/%s; as in hca0 or hca0/17",
			   text, resources[command->kind].title);
}

static bool is_wanted(const struct selection *wanted, const struct resource *resource,
		      struct json_object *row)
{
	const char *device = json_object_get_string(json_object_object_get(row, "device"));
	int64_t number = json_object_get_int64(json_object_object_get(row, resource->number));

	return !wanted->text ||
	       (strlen(device) == wanted->name.device_length &&
		!strncmp(device, wanted->text, wanted->name.device_length) &&
		(!wanted->name.has_number || number == wanted->name.number));
}

/* Removes the objects that are not selected. */
static void select_rows(const struct selection *wanted, const struct resource *resource,
			struct json_object **rows)
{
	struct json_object *all = *rows, *row;
	size_t i;

	*rows = json_object_new_array();
	for (i = 0; i < json_object_array_length(all); i++) {
		row = json_object_array_get_idx(all, i);
		if (is_wanted(wanted, resource, row))
			json_object_array_add(*rows, json_object_get(row));
	}
	json_object_put(all);
}

/*
 * Handles a selection that matches no object. Return: 0 if the selection is an existing device,
 * which need not have objects; otherwise an exit status after printing a message.
 */
static int resource_explain(const struct command *command, const struct selection *wanted)
{
	struct selection device = *wanted;
	struct json_object *devices;
	int status = inventory_devices(HCA_NL_TYPE_DEVICE, NULL, &devices);

	device.name.has_number = false;
	status = status ?: select_devices(command, &device, &devices);
	json_object_put(devices);
	if (status || !wanted->name.has_number)
		return status;
	print_message("%s %s: there is no such %s", command->path, wanted->text,
		      resources[command->kind].title);
	return STATUS_REFUSED;
}

static void resource_print(const struct command *command, const struct selection *wanted,
			   struct json_object *rows, const struct options *options)
{
	const struct resource *resource = &resources[command->kind];

	if (options->json)
		print_object(rows, options);
	else if (options->details || (wanted->name.has_number && !options->table))
		resource_print_details(resource, rows);
	else
		resource_print_table(resource, rows);
}

static int resource_show(const struct command *command, char **args, const struct options *options)
{
	const struct resource *resource = &resources[command->kind];
	const char *name = parse_optional_argument(&args);
	struct json_object *rows = NULL;
	struct selection wanted;
	int status;

	if (!parse_end(command, args))
		return STATUS_USAGE;
	status = resource_parse(command, name, &wanted) ?: resource_read(resource, &rows);
	if (!status)
		select_rows(&wanted, resource, &rows);
	if (!status && name && !json_object_array_length(rows))
		status = resource_explain(command, &wanted);
	if (!status)
		resource_print(command, &wanted, rows, options);
	json_object_put(rows);
	return status;
}

#define HELP(what, number) \
	"  Show " what ".\n" \
	"  It is a table with a line for each, those of the kernel's own consumers, too;\n" \
	"  with DEVICE, only for those of that device. With DEVICE/" number ", or with\n" \
	"  --details, it is all that there is to say.\n"

#define SHOW(resource, noun, what, number) { \
	.name = "show", \
	.path = noun " show", \
	.arguments = "[DEVICE[/" number "]]", \
	.help = HELP(what, number), \
	.table = true, \
	.kind = resource, \
	.run = resource_show, \
}

static const struct command qp_commands[] = {
	SHOW(RESOURCE_QP, "qp", "what queue pairs are at: state, peer, PSNs, retries, timers", "QPN"),
	{},
};

static const struct command cq_commands[] = {
	SHOW(RESOURCE_CQ, "cq", "completion queues: entries in use, arming, overflow", "CQN"),
	{},
};

static const struct command srq_commands[] = {
	SHOW(RESOURCE_SRQ, "srq", "shared receive queues: posted receive requests, limits", "SRQN"),
	{},
};

static const struct command mr_commands[] = {
	SHOW(RESOURCE_MR, "mr", "memory regions: keys, addresses, lengths, rights", "MRN"),
	{},
};

static const struct command mw_commands[] = {
	SHOW(RESOURCE_MW, "mw", "memory windows: keys, and what they are bound to", "MWN"),
	{},
};

static const struct command eec_commands[] = {
	SHOW(RESOURCE_EEC, "eec", "what EE contexts of reliable datagrams are at", "EECN"),
	{},
};

#define NOUN(noun) { .name = #noun, .commands = noun##_commands, .alone = noun##_commands }

const struct noun qp_noun = NOUN(qp);
const struct noun cq_noun = NOUN(cq);
const struct noun srq_noun = NOUN(srq);
const struct noun mr_noun = NOUN(mr);
const struct noun mw_noun = NOUN(mw);
const struct noun eec_noun = NOUN(eec);
