/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Counts dropped packets by port and reason, and prints them. */
#ifndef HCACTL_DROP_TALLY_H
#define HCACTL_DROP_TALLY_H

#include <json-c/json.h>
#include <stdint.h>
#include "tools/ctl/drop_line.h"

struct options;

/* The number of packets that were dropped at one port for one reason */
struct drop_count {
	uint64_t count;
	struct drop last;
};

/* Counts of dropped packets. A tally that is all zero is empty. */
struct drop_tally {
	struct drop_count *counts;
	size_t used;
};

void drop_tally_add(struct drop_tally *tally, const struct drop *drop);

/*
 * Prints all counts, and the number of lost events @lost, as a table or as JSON. @devices is an
 * array that inventory_devices() has read, and provides the names of devices.
 */
void drop_tally_print(struct drop_tally *tally, uint64_t lost, struct json_object *devices,
		      const struct options *options);

void drop_tally_clear(struct drop_tally *tally);

/*
 * Prints one dropped packet, as a line or as JSON. @devices is an array that inventory_devices()
 * has read, and provides the name of the packet's device.
 */
void drop_print(const struct drop *drop, struct json_object *devices,
		const struct options *options);

#endif
