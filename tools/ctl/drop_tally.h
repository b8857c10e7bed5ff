/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Counts dropped packets by port and reason, and prints them. */
#ifndef HCACTL_DROP_TALLY_H
#define HCACTL_DROP_TALLY_H

#include <stdint.h>
#include <json-c/json.h>
#include "drop_line.h"

struct options;

/* The packets that were dropped at one port for one reason. */
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
 * Prints all counts, as a table or as JSON, and @lost, the number of events that were lost.
 * @devices are those of inventory.h, and give the devices their names.
 */
void drop_tally_print(struct drop_tally *tally, uint64_t lost, struct json_object *devices,
		      const struct options *options);

void drop_tally_clear(struct drop_tally *tally);

/* Prints one packet, as a line or as JSON. */
void drop_print(const struct drop *drop, struct json_object *devices,
		const struct options *options);

#endif
