/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reading a file line by line: what has been read so far, and what each kind of line is. */
#ifndef TOPOLOGY_READER_H
#define TOPOLOGY_READER_H

#include "claim.h"
#include "topology.h"

struct reader {
	struct topology *topology;
	struct report *report;
	struct claims claims;
	struct place place;
	size_t node; /* whose ports follow; NO_NODE: none's */
	/* What the next node has, if it is not told. */
	uint64_t next_guid[NODE_TYPES]; /* by type */
	uint64_t switch_port_guid; /* 0: that of the node */
	/* What it was told; these are of one node. */
	uint64_t system_guid;
	uint32_t vendor, device;
	/* What ports have, from here on. */
	struct rate_masks masks;
};

void reader_init(struct reader *reader, struct topology *topology, struct report *report);

/* Report what is wrong with this line. */
__attribute__((format(printf, 2, 3)))
void fault(struct reader *reader, const char *format, ...);

/* That nothing follows but blanks and a comment. */
bool read_end(struct reader *reader, const char *rest);

/* assign.c, behind NAME=. Return: false if it is wrong, as has been reported. */
bool assign_vendor(struct reader *reader, const char **rest);
bool assign_device(struct reader *reader, const char **rest);
bool assign_system_guid(struct reader *reader, const char **rest);
bool assign_switch_guid(struct reader *reader, const char **rest);
bool assign_ca_guid(struct reader *reader, const char **rest);
bool assign_width(struct reader *reader, const char **rest);
bool assign_speed(struct reader *reader, const char **rest);
bool assign_extended(struct reader *reader, const char **rest);

/* record.c, behind the word that they begin with */
void read_switch(struct reader *reader, const char *rest);
void read_ca(struct reader *reader, const char *rest);
void read_port(struct reader *reader, const char *rest);
void read_heading(struct reader *reader, const char *rest);

#endif
