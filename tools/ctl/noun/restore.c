// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl restore: creates the devices, links and faults that a file requests. */
#include "tools/ctl/check.h"
#include "tools/ctl/conf.h"
#include "tools/ctl/kernel/present.h"
#include "tools/ctl/noun/device.h"
#include "tools/ctl/noun/fault.h"
#include "tools/ctl/noun/fault_value.h"
#include "tools/ctl/noun/link.h"
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/noun/rnic_setting.h"
#include "tools/ctl/place.h"
#include "tools/ctl/setup.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"

static int make_device(struct device *device, const struct options *options)
{
	int status = 0;

	if (options->dry_run)
		print_device_line(stdout, device);
	else
		status = device_make(device);
	device->made = !status;
	return status;
}

static int make_link(struct link *link, const struct options *options)
{
	int status = 0;

	if (options->dry_run)
		print_link_line(stdout, link);
	else
		status = link_make(link);
	link->made = !status;
	return status;
}

static int make_fault(struct fault *fault, const struct options *options)
{
	int status = 0;

	if (options->dry_run)
		print_fault_line(stdout, fault);
	else
		status = fault_make(fault);
	fault->made = !status;
	return status;
}

static int make_rnic_setting(struct rnic_setting *setting, const struct options *options)
{
	int status = 0;

	if (options->dry_run)
		rnic_setting_print(stdout, setting);
	else
		status = rnic_setting_make(setting);
	setting->made = !status;
	return status;
}

/* Sets the missing faults, of cables and of RNICs. */
static int make_faults(const char *name, struct setup *wanted, const struct setup *present,
		       const struct options *options)
{
	struct rnic_setting *setting;
	struct fault *fault;
	int status = 0;

	for (fault = wanted->faults;
	     !status && fault < wanted->faults + wanted->num_faults; fault++) {
		set_place(name, fault->line);
		if (!is_fault_there(fault, present))
			status = make_fault(fault, options);
	}
	for (setting = wanted->rnic_settings;
	     !status && setting < wanted->rnic_settings + wanted->num_rnic_settings; setting++) {
		set_place(name, setting->line);
		if (!is_rnic_setting_there(setting, present))
			status = make_rnic_setting(setting, options);
	}
	return status;
}

/*
 * Creates the missing objects. Devices are created first, then links, and then faults, regardless
 * of their order in the file. Return: 0, or the first exit status that is not 0.
 */
static int make_missing(const char *name, struct setup *wanted, const struct setup *present,
			const struct options *options)
{
	struct device *device;
	struct link *link;
	int status = 0;

	for (device = wanted->devices;
	     !status && device < wanted->devices + wanted->num_devices; device++) {
		set_place(name, device->line);
		if (!is_device_there(device, present))
			status = make_device(device, options);
	}
	for (link = wanted->links; !status && link < wanted->links + wanted->num_links; link++) {
		set_place(name, link->line);
		if (!is_link_there(link, present))
			status = make_link(link, options);
	}
	status = status ?: make_faults(name, wanted, present, options);
	set_place(NULL, 0);
	return status;
}

static int undo_fault(const struct fault *fault, const struct setup *present)
{
	const struct fault *before = setup_find_fault(present, fault);

	return before ? fault_make(before) : fault_remove(fault);
}

static int undo_rnic_setting(const struct rnic_setting *setting, const struct setup *present)
{
	const struct rnic_setting *before = setup_find_rnic_setting(present, setting->name);

	return before ? rnic_setting_make(before) : rnic_setting_remove(setting);
}

/* Deletes the objects that were created, in the reverse order. */
static void restore_undo(const char *name, const struct setup *wanted, const struct setup *present)
{
	size_t i, devices = 0, links = 0;
	int status = 0;

	set_place(name, 0);
	for (i = wanted->num_rnic_settings; i--; )
		if (wanted->rnic_settings[i].made)
			status = undo_rnic_setting(&wanted->rnic_settings[i], present) ?: status;
	for (i = wanted->num_faults; i--; )
		if (wanted->faults[i].made)
			status = undo_fault(&wanted->faults[i], present) ?: status;
	for (i = wanted->num_links; i--; ) {
		if (!wanted->links[i].made)
			continue;
		status = link_delete(&wanted->links[i]) ?: status;
		links++;
	}
	for (i = wanted->num_devices; i--; ) {
		if (!wanted->devices[i].made)
			continue;
		status = device_delete(&wanted->devices[i]) ?: status;
		devices++;
	}
	if (status)
		print_message("not all that had been made could be undone");
	else
		print_message("all is as it was; undone: %zu devices, %zu links", devices, links);
	set_place(NULL, 0);
}

static int restore_run(const struct command *command, char **args, const struct options *options)
{
	const char *path = parse_optional_argument(&args) ?: HCA_CONF, *name = conf_name(path);
	struct setup wanted = {}, present = {};
	int status;

	if (!parse_end(command, args))
		return STATUS_USAGE;
	status = conf_read(path, &wanted);
	if (!status && !check_setup(name, &wanted, NULL))
		status = STATUS_USAGE;
	if (!status)
		status = present_read(command->path, &present);
	if (!status && !check_setup(name, &wanted, &present))
		status = STATUS_REFUSED;
	if (!status) {
		status = make_missing(name, &wanted, &present, options);
		if (status)
			restore_undo(name, &wanted, &present);
	}
	setup_clear(&wanted);
	setup_clear(&present);
	return status;
}

static const char restore_help[] =
	"  Make the devices, cables and faults of FILE that are not there yet, or none if\n"
	"  one cannot be made. What there is beside them stays.\n"
	"  FILE  lines of \"device add ...\", \"switch add ...\", \"tca add ...\",\n"
	"        \"link add ...\", \"link set ...\" and \"rnic set ...\"; - is standard\n"
	"        input; if not given, it is " HCA_CONF "\n";

static const struct command command = {
	.name = "restore",
	.path = "restore",
	.arguments = "[FILE]",
	.help = restore_help,
	.dry_run = true,
	.run = restore_run,
};

const struct noun restore_noun = { .name = "restore", .alone = &command };
