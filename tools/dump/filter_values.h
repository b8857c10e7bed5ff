/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Tables of the keywords of filters, with the functions that get a keyword's value from a packet.
 */
#ifndef HCADUMP_FILTER_VALUES_H
#define HCADUMP_FILTER_VALUES_H

#include "packet.h"

/*
 * The largest number of values that a keyword has in one packet. For example, the values of `lid`
 * are the source and the destination LID.
 */
#define FILTER_MAX_VALUES 2

/* Size in octets of a port's name in a filter, with the 0 at its end. */
#define FILTER_PORT_OCTETS 80

/* A keyword that is followed by a number or a range of numbers */
struct filter_field {
	const char *name;
	u64 max;
	bool is_circle; /* numbers wrap from @max to 0; therefore a range may wrap */
	unsigned int (*get)(const struct packet *packet, u64 *value);
};

/* A keyword that stands alone */
struct filter_flag {
	const char *name;
	bool (*test)(const struct packet *packet);
	u32 marks; /* the keyword selects packets with these marks */
	bool is_flow; /* the keyword selects flow-control packets */
};

/* The tables of keywords. Each table ends with an entry whose name is NULL. */
extern const struct filter_field filter_fields[];
extern const struct filter_flag filter_flags[];

/*
 * Parses a list of names of RDMAP's messages, or of the first parts of such names, with commas
 * between them. Return: a bit for each opcode that is named; 0 if a part of the list is not such a
 * name.
 */
u32 filter_parse_messages(const char *text, size_t length);

bool filter_has_bth(const struct packet *packet);

/* Returns whether a packet was captured at a port. A name without a port number means port 1. */
bool filter_is_port(const struct packet *packet, const char *port);

#endif
