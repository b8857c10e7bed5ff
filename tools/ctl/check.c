// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Checks, without creating anything, whether devices and links could be created. */
#include "tools/ctl/check.h"
#include <inttypes.h>
#include <string.h>
#include "tools/ctl/kind.h"
#include "tools/ctl/noun/fault_value.h"
#include "tools/ctl/noun/network.h"
#include "tools/ctl/noun/rnic_setting.h"
#include "tools/ctl/place.h"
#include "tools/lib/message.h"

static const struct device *check_find_device(const struct setup *setup, const char *name)
{
	return setup_find_device(setup, name, strlen(name));
}

bool is_device_there(const struct device *device, const struct setup *present)
{
	return check_find_device(present, device->name);
}

bool is_link_there(const struct link *link, const struct setup *present)
{
	const struct link *other = setup_find_link(present, &link->a);

	return other && same_link(other, link);
}

bool is_fault_there(const struct fault *fault, const struct setup *present)
{
	const struct fault *other = setup_find_fault(present, fault);

	return other ? is_as_wanted(other, fault) : is_none(fault);
}

bool is_rnic_setting_there(const struct rnic_setting *setting, const struct setup *present)
{
	return rnic_setting_is_there(setup_find_rnic_setting(present, setting->name), setting);
}

static uint64_t system_image(const struct device *device)
{
	return device->system_image_guid ?: device->guid;
}

static bool check_device(const struct device *device, const struct setup *wanted,
			 const struct setup *present)
{
	const struct device *first = check_find_device(wanted, device->name), *other = NULL;
	const char *noun = kind_noun(device->type), *command = kind_command(device->type);

	if (first != device) {
		print_message("%s add %s: name '%s': line %u has it, too", command, device->name,
			      device->name, first->line);
		return false;
	}
	if (present)
		other = check_find_device(present, device->name);
	if (other && other->type != device->type)
		print_message("%s add %s: name '%s': there is a %s of this name", command,
			      device->name, device->name, kind_noun(other->type));
	else if (other && other->ports != device->ports)
		print_message("%s add %s: port count %" PRIu32
			      ": there is a %s of this name with %" PRIu32,
			      command, device->name, device->ports, noun, other->ports);
	else if (other && device->has_guid && other->guid != device->guid)
		print_message("%s add %s: guid 0x%016" PRIx64
			      ": there is a %s of this name with 0x%016" PRIx64,
			      command, device->name, device->guid, noun, other->guid);
	else if (other && device->system_image_guid &&
		 system_image(other) != device->system_image_guid)
		print_message("%s add %s: system-image 0x%016" PRIx64
			      ": there is a %s of this name with 0x%016" PRIx64,
			      command, device->name, device->system_image_guid, noun,
			      system_image(other));
	else if (other && device->rnic.netdev && !rnic_equal(&other->rnic, &device->rnic))
		print_message("%s add %s: there is an rnic of this name with another interface, "
			      "address or option", command, device->name);
	else if (other && other->enhanced != device->enhanced)
		print_message("%s add %s: there is a switch of this name %s", command, device->name,
			      other->enhanced ? "that is enhanced" : "that is not enhanced");
	else if (other && other->random != device->random)
		print_message(
			"%s add %s: there is a switch of this name with a %s forwarding table",
			command, device->name, other->random ? "random" : "linear");
	else
		return true;
	return false;
}

/*
 * Prints the beginning of an error message about an end of a link. @what is the command, as in
 * "add". The caller prints the rest of the line.
 */
static void begin_end(const char *what, const struct link *link, const struct end *end)
{
	message_begin();
	fprintf(stderr, "link %s %s %s: port '%s': ", what, link->a.text,
		link->network ? network_kind_name(link->network->kind) : link->b.text, end->text);
}

/* Checks that the device of @end exists or will be created, and that the device has the port. */
static bool check_port(const char *what, const struct link *link, const struct end *end,
		       const struct setup *wanted, const struct setup *present)
{
	const struct port_name *name = &end->name;
	const struct device *device = setup_find_device(wanted, end->text, name->device_length);

	if (!device && !present)
		return true;
	if (!device)
		device = setup_find_device(present, end->text, name->device_length);
	if (device && device->type != HCA_NL_TYPE_RNIC && name->number >= 1 &&
	    name->number <= device->ports && (name->has_number || device->ports == 1))
		return true;

	begin_end(what, link, end);
	if (!device)
		fputs("there is no such device, nor does the file make it\n", stderr);
	else if (device->type == HCA_NL_TYPE_RNIC)
		fputs("a rnic has no links: its network is that of its interface\n", stderr);
	else if (!name->number && device->type == HCA_NL_TYPE_SWITCH)
		fprintf(stderr, "port 0 is inside of the switch; external ports are 1 to %" PRIu32
			"\n", device->ports);
	else if (!name->has_number)
		fprintf(stderr, "say which of its ports, 1 to %" PRIu32 "\n", device->ports);
	else if (device->ports == 1)
		fprintf(stderr, "%s has only port 1\n", device->name);
	else
		fprintf(stderr, "%s has ports 1 to %" PRIu32 "\n", device->name, device->ports);
	return false;
}

/* Checks that no other link uses the port of an end. */
static bool check_free(const struct link *link, const struct end *end, const struct setup *wanted,
		       const struct setup *present)
{
	const struct link *other = setup_find_link(wanted, end);

	if (other != link) {
		begin_end("add", link, end);
		fprintf(stderr, "line %u has a cable for it, too\n", other->line);
		return false;
	}
	other = present ? setup_find_link(present, end) : NULL;
	if (other && !same_link(other, link)) {
		begin_end("add", link, end);
		if (other->network)
			fprintf(stderr, "it has a link over %s\n",
				network_kind_name(other->network->kind));
		else
			fprintf(stderr, "it has a cable, to %s\n",
				same_end(&other->a, end) ? other->b.text : other->a.text);
		return false;
	}
	return true;
}

static bool check_end(const struct link *link, const struct end *end, const struct setup *wanted,
		      const struct setup *present)
{
	return check_port("add", link, end, wanted, present) &&
	       check_free(link, end, wanted, present);
}

static bool check_link(const struct link *link, const struct setup *wanted,
		       const struct setup *present)
{
	if (link->network)
		return check_end(link, &link->a, wanted, present);
	if (same_end(&link->a, &link->b)) {
		begin_end("add", link, &link->b);
		fputs("it is given as both ends\n", stderr);
		return false;
	}
	/* Both ends are checked, because each wrong end gets a message of its own. */
	return check_end(link, &link->a, wanted, present) &
	       check_end(link, &link->b, wanted, present);
}

/*
 * Checks that the cable of a fault exists or will be created, and that no other line of the file
 * sets faults of the same cable and direction.
 */
static bool check_fault(const struct fault *fault, const struct setup *wanted,
			const struct setup *present)
{
	const struct fault *first = setup_find_fault(wanted, fault);
	const struct link *link = &fault->link;

	if (first != fault) {
		print_message("link set %s %s: line %u is about this direction, too", link->a.text,
			      link->b.text, first->line);
		return false;
	}
	if (!check_port("set", link, &link->a, wanted, present) ||
	    !check_port("set", link, &link->b, wanted, present))
		return false;
	if (!present || is_link_there(link, wanted) || is_link_there(link, present))
		return true;
	print_message("link set %s %s: there is no such cable, nor does the file add it",
		      link->a.text, link->b.text);
	return false;
}

/*
 * Checks that the RNIC of a line exists or will be created, and that no other line of the file sets
 * its faults.
 */
static bool check_rnic_setting(const struct rnic_setting *setting, const struct setup *wanted,
			       const struct setup *present)
{
	const struct rnic_setting *first = setup_find_rnic_setting(wanted, setting->name);
	const struct device *device = check_find_device(wanted, setting->name);

	if (!device && present)
		device = check_find_device(present, setting->name);
	if (first != setting)
		print_message("rnic set %s: line %u is about this rnic, too", setting->name,
			      first->line);
	else if (device && device->type != HCA_NL_TYPE_RNIC)
		print_message("rnic set %s: name '%s': it is a %s, not a rnic", setting->name,
			      setting->name, kind_noun(device->type));
	else if (!device && present)
		print_message("rnic set %s: there is no such rnic, nor does the file make it",
			      setting->name);
	else
		return true;
	return false;
}

bool check_setup(const char *name, const struct setup *wanted, const struct setup *present)
{
	bool good = true;
	size_t i;

	for (i = 0; i < wanted->num_devices; i++) {
		set_place(name, wanted->devices[i].line);
		good &= check_device(&wanted->devices[i], wanted, present);
	}
	for (i = 0; i < wanted->num_links; i++) {
		set_place(name, wanted->links[i].line);
		good &= check_link(&wanted->links[i], wanted, present);
	}
	for (i = 0; i < wanted->num_faults; i++) {
		set_place(name, wanted->faults[i].line);
		good &= check_fault(&wanted->faults[i], wanted, present);
	}
	for (i = 0; i < wanted->num_rnic_settings; i++) {
		set_place(name, wanted->rnic_settings[i].line);
		good &= check_rnic_setting(&wanted->rnic_settings[i], wanted, present);
	}
	set_place(NULL, 0);
	return good;
}
