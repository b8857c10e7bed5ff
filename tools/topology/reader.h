/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* State of a reader, and parsers of each kind of line. */
#ifndef TOPOLOGY_READER_H
#define TOPOLOGY_READER_H

#include "claim.h"
#include "topology.h"

struct reader {
	struct topology *topology;
	struct report *report;
	struct claims claims;
	struct place place;
	size_t node; /* node whose ports follow, or NO_NODE */
	/* GUIDs of the next nodes for which the file has none, by type. */
	uint64_t next_guid[NODE_TYPES];
	uint64_t switch_port_guid; /* 0: the GUID of the node */
	/* Values that apply to the next node only. */
	uint64_t system_guid;
	uint32_t vendor, device;
	/* Rates of the ports that follow. */
	struct rate_masks masks;
};

void reader_init(struct reader *reader, struct topology *topology, struct report *report);

/* Reports an error of this line. */
__attribute__((format(printf, 2, 3)))
void fault(struct reader *reader, const char *format, ...);

/* Reports what is strange in this line, and what is made of it. */
__attribute__((format(printf, 2, 3)))
void oddity(struct reader *reader, const char *format, ...);

/*
 * Parses a mask of extended speeds, of which the highest stands for those that are not known.
 * Return: false if there is no such number; else *@mask is set.
 */
bool read_extended(struct reader *reader, const char **rest, unsigned int *mask);

/* Checks that only blanks and a comment follow. */
bool read_end(struct reader *reader, const char *rest);

/* assign.c: parse what is behind NAME=. Return: false after reporting an error. */
bool assign_vendor(struct reader *reader, const char **rest);
bool assign_device(struct reader *reader, const char **rest);
bool assign_system_guid(struct reader *reader, const char **rest);
bool assign_switch_guid(struct reader *reader, const char **rest);
bool assign_ca_guid(struct reader *reader, const char **rest);
bool assign_width(struct reader *reader, const char **rest);
bool assign_speed(struct reader *reader, const char **rest);
bool assign_extended(struct reader *reader, const char **rest);

/* record.c: parse what is behind the keyword that a line begins with. */
void read_switch(struct reader *reader, const char *rest);
void read_ca(struct reader *reader, const char *rest);
void read_port(struct reader *reader, const char *rest);
void read_heading(struct reader *reader, const char *rest);

#endif
