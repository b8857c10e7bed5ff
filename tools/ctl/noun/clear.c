// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl clear: deletes all devices and links. */
#include <stdio.h>
#include "tools/ctl/kernel/present.h"
#include "tools/ctl/noun/device.h"
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/setup.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"

/*
 * Deletes all devices, and their cables with them. All deletions begin before the first wait, so
 * that a failure, or a device that waits for a program, does not delay the others.
 */
static int delete_all(const struct setup *present)
{
	int status = 0;
	size_t i;

	for (i = 0; i < present->num_devices; i++)
		status = device_end(&present->devices[i]) ?: status;
	for (i = 0; i < present->num_devices; i++)
		status = device_wait(&present->devices[i]) ?: status;
	return status;
}

static void print_deletions(const struct setup *present)
{
	size_t i;

	for (i = 0; i < present->num_devices; i++)
		printf("%s del %s\n", kind_noun(present->devices[i].type),
		       present->devices[i].name);
}

static void print_what_stays(const struct command *command, const struct setup *present)
{
	size_t i;

	message_begin();
	fprintf(stderr, "%s: these stay: ", command->path);
	for (i = 0; i < present->num_devices; i++)
		fprintf(stderr, "%s%s %s", i ? ", " : "", kind_noun(present->devices[i].type),
			present->devices[i].name);
	fputc('\n', stderr);
}

static int clear_run(const struct command *command, char **args, const struct options *options)
{
	struct setup present;
	int status;

	if (!parse_end(command, args))
		return STATUS_USAGE;
	status = present_read(command->path, &present);
	if (!status && options->dry_run) {
		print_deletions(&present);
	} else if (!status && delete_all(&present)) {
		/*
		 * The setup is read again, because other processes may have deleted the objects
		 * that delete_all() could not delete.
		 */
		setup_clear(&present);
		status = present_read(command->path, &present);
		if (present.num_devices) {
			print_what_stays(command, &present);
			status = STATUS_REFUSED;
		}
	}
	setup_clear(&present);
	return status;
}

static const struct command command = {
	.name = "clear",
	.path = "clear",
	.arguments = "",
	.help = "  Delete all channel adapters, switches and target channel adapters, and so all\n"
		"  cables; who uses them loses them.\n",
	.dry_run = true,
	.run = clear_run,
};

const struct noun clear_noun = { .name = "clear", .alone = &command };
