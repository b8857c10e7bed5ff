/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The state of a reader, and its parsers for each kind of line. */
#ifndef TOPOLOGY_READER_H
#define TOPOLOGY_READER_H

#include "claim.h"
#include "topology.h"

struct reader {
	struct topology *topology;
	struct report *report;
	struct claims claims;
	struct place place;
	size_t node; /* node whose port lines follow, or NO_NODE */
	/* GUID of the next node of each type, unless the file has the GUID. */
	uint64_t next_guid[NODE_TYPES];
	/* GUID of port 0 of the next switch; 0: it is the switch's GUID */
	uint64_t switch_port_guid;
	/* Values that apply to the next node only. */
	uint64_t system_guid;
	uint32_t vendor, device;
	/* Default masks of the ports that follow. */
	struct rate_masks masks;
};

void reader_init(struct reader *reader, struct topology *topology, struct report *report);

/* Reports an error in the current line. */
__attribute__((format(printf, 2, 3)))
void fault(struct reader *reader, const char *format, ...);

/*
 * Reports a warning of an oddity in the current line. The message also says how the reader
 * interprets the oddity.
 */
__attribute__((format(printf, 2, 3)))
void oddity(struct reader *reader, const char *format, ...);

/*
 * Parses a mask of extended speeds into *@mask. Unknown speeds are replaced by the highest known
 * one. Return: true; or false if there is not a valid number.
 */
bool read_extended(struct reader *reader, const char **rest, unsigned int *mask);

/* Checks that only blanks and a comment follow. Return: true; or false after reporting an error. */
bool read_end(struct reader *reader, const char *rest);

/*
 * Functions of assign.c, which parse the value in a line NAME=VALUE. *@rest is the text after '='.
 * Return: true; or false after reporting an error.
 */
bool assign_vendor(struct reader *reader, const char **rest);
bool assign_device(struct reader *reader, const char **rest);
bool assign_system_guid(struct reader *reader, const char **rest);
bool assign_switch_guid(struct reader *reader, const char **rest);
bool assign_ca_guid(struct reader *reader, const char **rest);
bool assign_width(struct reader *reader, const char **rest);
bool assign_speed(struct reader *reader, const char **rest);
bool assign_extended(struct reader *reader, const char **rest);

/* Functions of record.c, which parse the text after the keyword of a line. */
void read_switch(struct reader *reader, const char *rest);
void read_ca(struct reader *reader, const char *rest);
void read_port(struct reader *reader, const char *rest);
void read_heading(struct reader *reader, const char *rest);

#endif
