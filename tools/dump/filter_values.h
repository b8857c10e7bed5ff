/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The values of a packet that filters select by, as tables of their keywords. */
#ifndef HCADUMP_FILTER_VALUES_H
#define HCADUMP_FILTER_VALUES_H

#include "packet.h"

/* The largest number of values that a packet has of one field. */
#define FILTER_MAX_VALUES 2

/* Octets of the name of a port in a filter, with the 0 at its end. */
#define FILTER_PORT_OCTETS 80

/* A keyword that a number or a range of numbers follows. */
struct filter_field {
	const char *name;
	u64 max;
	bool is_circle; /* 0 follows max, so a range may wrap */
	unsigned int (*get)(const struct packet *packet, u64 *value);
};

/* A keyword that stands alone. */
struct filter_flag {
	const char *name;
	bool (*test)(const struct packet *packet);
	u32 marks; /* marks that the keyword selects */
	bool is_flow; /* the keyword selects flow-control packets */
};

/* The keywords. A name of NULL ends each table. */
extern const struct filter_field filter_fields[];
extern const struct filter_flag filter_flags[];

bool filter_has_bth(const struct packet *packet);

/* Returns whether a packet was captured at a port. The name hca0 means hca0/1. */
bool filter_is_port(const struct packet *packet, const char *port);

#endif
