// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl save: writes the existing devices, links and faults to a file. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/kernel/present.h"
#include "tools/ctl/noun/fault_value.h"
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/noun/rnic_setting.h"
#include "tools/ctl/replace.h"
#include "tools/ctl/setup.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"

static const char header[] =
	"# Written by \"hcactl save\", read by \"hcactl restore\"; hca.conf(5) describes it.\n";

/*
 * Checks whether the name of a device can be written to a file. A device may have been renamed to a
 * name that "device add" refuses.
 */
static bool is_writable(const struct device *device)
{
	const char *c;

	for (c = device->name; *c; c++)
		if (!isascii(*c) || !isgraph(*c) || *c == '/' || *c == '%')
			break;
	if (c > device->name && !*c && !strchr("#\"", *device->name))
		return true;
	print_message("save: the device of GUID 0x%016" PRIx64
		      " has a name that cannot be written; "
		      "rename it, see rdma-dev(8)",
		      device->guid);
	return false;
}

static bool are_writable(const struct setup *present)
{
	bool good = true;
	size_t i;

	for (i = 0; i < present->num_devices; i++)
		good &= is_writable(&present->devices[i]);
	return good;
}

/* Returns the contents of the file, and sets *length. The caller frees the contents. */
static char *save_compose(const struct setup *present, size_t *length)
{
	char *text = NULL;
	FILE *file = open_memstream(&text, length);
	size_t i;

	if (!file)
		die("out of memory");
	fputs(header, file);
	for (i = 0; i < present->num_devices; i++)
		print_device_line(file, &present->devices[i]);
	for (i = 0; i < present->num_links; i++)
		print_link_line(file, &present->links[i]);
	for (i = 0; i < present->num_faults; i++)
		print_fault_line(file, &present->faults[i]);
	for (i = 0; i < present->num_rnic_settings; i++)
		rnic_setting_print(file, &present->rnic_settings[i]);
	if (fclose(file))
		die("out of memory");
	return text;
}

static int save_run(const struct command *command, char **args, const struct options *options)
{
	const char *path = parse_optional_argument(&args) ?: HCA_CONF;
	struct setup present;
	int status;
	size_t length;
	char *text;

	(void)options;
	if (!parse_end(command, args))
		return STATUS_USAGE;
	status = present_read(command->path, &present);
	if (!status && !are_writable(&present))
		status = STATUS_REFUSED;
	if (!status) {
		text = save_compose(&present, &length);
		if (strcmp(path, "-"))
			status = replace_file(path, text, length);
		else
			fputs(text, stdout);
		free(text);
	}
	setup_clear(&present);
	return status;
}

static const struct command command = {
	.name = "save",
	.path = "save",
	.arguments = "[FILE]",
	.help = "  Write all devices, cables and faults to FILE, for restore.\n"
		"  FILE  - is standard output; if not given, it is " HCA_CONF "\n",
	.run = save_run,
};

const struct noun save_noun = { .name = "save", .alone = &command };
