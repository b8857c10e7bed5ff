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
	/* GUIDs of the next nodes without a GUID in the file, by type. */
	uint64_t next_guid[NODE_TYPES];
	uint64_t switch_port_guid; /* GUID of the next switch's port 0; 0: the node's GUID */
	/* Values that apply to the next node only. */
	uint64_t system_guid;
	uint32_t vendor, device;
	/* Rates of the ports that follow. */
	struct rate_masks masks;
};

void reader_init(struct reader *reader, struct topology *topology, struct report *report);

/* Reports an error of the current line. */
__attribute__((format(printf, 2, 3)))
void fault(struct reader *reader, const char *format, ...);

/* Warns of an oddity of the current line, and tells how it is interpreted. */
__attribute__((format(printf, 2, 3)))
void oddity(struct reader *reader, const char *format, ...);

/*
 * Parses a mask of extended speeds into *@mask. The highest known speed replaces unknown ones.
 * Return: false if there is not a valid number.
 */
bool read_extended(struct reader *reader, const char **rest, unsigned int *mask);

/* Checks that only blanks and a comment follow. */
bool read_end(struct reader *reader, const char *rest);

/* assign.c: parse the text behind NAME=. Return: false after reporting an error. */
bool assign_vendor(struct reader *reader, const char **rest);
bool assign_device(struct reader *reader, const char **rest);
bool assign_system_guid(struct reader *reader, const char **rest);
bool assign_switch_guid(struct reader *reader, const char **rest);
bool assign_ca_guid(struct reader *reader, const char **rest);
bool assign_width(struct reader *reader, const char **rest);
bool assign_speed(struct reader *reader, const char **rest);
bool assign_extended(struct reader *reader, const char **rest);

/* record.c: parse the text behind the keyword that a line begins with. */
void read_switch(struct reader *reader, const char *rest);
void read_ca(struct reader *reader, const char *rest);
void read_port(struct reader *reader, const char *rest);
void read_heading(struct reader *reader, const char *rest);

#endif
