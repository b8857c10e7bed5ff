// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Setups. A setup is a set of devices, links and faults: either the existing ones, or the ones that
 * a file requests.
 */
#include "tools/ctl/setup.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/kind.h"
#include "tools/ctl/noun/network.h"
#include "tools/ctl/tokens.h"
#include "tools/lib/memory.h"

static uint64_t hash_end(const struct end *end)
{
	return index_hash(end->text, end->name.device_length) +
	       end->name.number * 0x9e3779b97f4a7c15ULL;
}

/* Hashes a direction of a cable. The hash does not depend on which end of the cable is end a. */
static uint64_t hash_direction(const struct fault *fault)
{
	const struct link *link = &fault->link;

	return hash_end(&link->a) + hash_end(&link->b) +
	       3 * hash_end(fault->from_b ? &link->b : &link->a);
}

void setup_add_device(struct setup *setup, const struct device *device)
{
	struct device *copy;

	setup->devices = grow(setup->devices, setup->num_devices, sizeof(*copy));
	copy = &setup->devices[setup->num_devices++];
	*copy = *device;
	copy->name = need(strdup(device->name));
	if (device->description)
		copy->description = need(strdup(device->description));
	rnic_copy(&copy->rnic);
	copy->line = setup->line;
	index_add(&setup->devices_by_name, index_hash(copy->name, strlen(copy->name)),
		  setup->num_devices);
}

static void copy_ends(struct link *copy)
{
	copy->a.text = need(strdup(copy->a.text));
	if (copy->b.text)
		copy->b.text = need(strdup(copy->b.text));
}

static void free_ends(struct link *copy)
{
	free((char *)copy->a.text);
	free((char *)copy->b.text);
}

void setup_add_link(struct setup *setup, const struct link *link)
{
	struct link *copy;

	setup->links = grow(setup->links, setup->num_links, sizeof(*copy));
	copy = &setup->links[setup->num_links++];
	*copy = *link;
	copy_ends(copy);
	copy->network = network_copy(link->network);
	copy->line = setup->line;
	index_add(&setup->links_by_end, hash_end(&copy->a), setup->num_links);
	if (!copy->network)
		index_add(&setup->links_by_end, hash_end(&copy->b), setup->num_links);
}

void setup_add_fault(struct setup *setup, const struct fault *fault)
{
	struct fault *copy;

	setup->faults = grow(setup->faults, setup->num_faults, sizeof(*copy));
	copy = &setup->faults[setup->num_faults++];
	*copy = *fault;
	copy_ends(&copy->link);
	copy->line = setup->line;
	index_add(&setup->faults_by_direction, hash_direction(copy), setup->num_faults);
}

void setup_add_rnic_setting(struct setup *setup, const struct rnic_setting *setting)
{
	struct rnic_setting *copy;

	setup->rnic_settings = grow(setup->rnic_settings, setup->num_rnic_settings, sizeof(*copy));
	copy = &setup->rnic_settings[setup->num_rnic_settings++];
	*copy = *setting;
	copy->name = need(strdup(setting->name));
	copy->line = setup->line;
}

void setup_clear(struct setup *setup)
{
	while (setup->num_devices) {
		free((char *)setup->devices[--setup->num_devices].name);
		free((char *)setup->devices[setup->num_devices].description);
		rnic_free(&setup->devices[setup->num_devices].rnic);
	}
	while (setup->num_links) {
		free_ends(&setup->links[--setup->num_links]);
		network_free(setup->links[setup->num_links].network);
	}
	while (setup->num_faults)
		free_ends(&setup->faults[--setup->num_faults].link);
	while (setup->num_rnic_settings)
		free((char *)setup->rnic_settings[--setup->num_rnic_settings].name);
	free(setup->devices);
	free(setup->links);
	free(setup->faults);
	free(setup->rnic_settings);
	index_clear(&setup->devices_by_name);
	index_clear(&setup->links_by_end);
	index_clear(&setup->faults_by_direction);
	*setup = (struct setup){};
}

const struct device *setup_find_device(const struct setup *setup, const char *name, size_t length)
{
	const struct index *index = &setup->devices_by_name;
	uint64_t hash = index_hash(name, length);
	const struct slot *slot = NULL;
	const struct device *device;

	while ((slot = index_next(index, hash, slot))) {
		device = &setup->devices[slot->place - 1];
		if (!strncmp(device->name, name, length) && !device->name[length])
			return device;
	}
	return NULL;
}

bool same_end(const struct end *one, const struct end *other)
{
	return one->name.number == other->name.number &&
	       one->name.device_length == other->name.device_length &&
	       !memcmp(one->text, other->text, one->name.device_length);
}

bool same_link(const struct link *one, const struct link *other)
{
	if (one->network || other->network)
		return one->network && other->network && same_end(&one->a, &other->a) &&
		       is_network_as_wanted(one->network, other->network);
	return (same_end(&one->a, &other->a) && same_end(&one->b, &other->b)) ||
	       (same_end(&one->a, &other->b) && same_end(&one->b, &other->a));
}

const struct link *setup_find_link(const struct setup *setup, const struct end *end)
{
	uint64_t hash = hash_end(end);
	const struct slot *slot = NULL;
	const struct link *link;

	while ((slot = index_next(&setup->links_by_end, hash, slot))) {
		link = &setup->links[slot->place - 1];
		if (same_end(&link->a, end) || (!link->network && same_end(&link->b, end)))
			return link;
	}
	return NULL;
}

const struct end *fault_sender(const struct fault *fault)
{
	return fault->from_b ? &fault->link.b : &fault->link.a;
}

/* Returns whether two faults have the same cable and direction. */
static bool same_direction(const struct fault *one, const struct fault *other)
{
	return same_link(&one->link, &other->link) &&
	       same_end(fault_sender(one), fault_sender(other));
}

const struct fault *setup_find_fault(const struct setup *setup, const struct fault *fault)
{
	uint64_t hash = hash_direction(fault);
	const struct slot *slot = NULL;
	const struct fault *other;

	while ((slot = index_next(&setup->faults_by_direction, hash, slot))) {
		other = &setup->faults[slot->place - 1];
		if (same_direction(other, fault))
			return other;
	}
	return NULL;
}

const struct rnic_setting *setup_find_rnic_setting(const struct setup *setup, const char *name)
{
	size_t i;

	for (i = 0; i < setup->num_rnic_settings; i++)
		if (!strcmp(setup->rnic_settings[i].name, name))
			return &setup->rnic_settings[i];
	return NULL;
}

void print_device_line(FILE *file, const struct device *device)
{
	fprintf(file, "%s add %s", kind_command(device->type), device->name);
	if (device->rnic.netdev) {
		fprintf(file, " type %s", kind_noun(device->type));
		rnic_print(file, &device->rnic);
	} else {
		fprintf(file, " ports %" PRIu32, device->ports);
	}
	if (device->has_guid)
		fprintf(file, " guid 0x%016" PRIx64, device->guid);
	if (device->system_image_guid)
		fprintf(file, " system-image 0x%016" PRIx64, device->system_image_guid);
	if (device->enhanced)
		fputs(" enhanced", file);
	if (device->random)
		fputs(" random", file);
	if (device->description) {
		fputs(" description ", file);
		token_print(file, device->description);
	}
	fputc('\n', file);
}

void print_link_line(FILE *file, const struct link *link)
{
	char text[RATE_TEXT];
	const char *rate = rate_format(&link->rate, text), *speed = strchr(rate, 'x');

	fprintf(file, "link add %s ", link->a.text);
	if (link->network)
		network_print(file, link->network);
	else
		fputs(link->b.text, file);
	if (speed)
		fprintf(file, " width %.*s speed %s", (int)(speed + 1 - rate), rate, speed + 1);
	fputc('\n', file);
}
