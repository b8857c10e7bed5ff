/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parses lines of tracefs about the tracepoint hca_drop. */
#ifndef HCACTL_DROP_LINE_H
#define HCACTL_DROP_LINE_H

#include <stdint.h>

#define DROP_TEXT 64 /* size in octets of a text, with the 0 at its end */

/* A dropped packet. kernel/trace/hca.h documents the fields. */
struct drop {
	uint64_t node; /* node GUID */
	uint64_t port, slid, dlid, vl, sl, qpn, psn, octets;
	char time[DROP_TEXT]; /* time since boot in seconds, as in 12.345678 */
	char opcode[DROP_TEXT];
	char reason[DROP_TEXT];
};

enum drop_line {
	DROP_LINE_OTHER, /* a comment, an empty line or another event */
	DROP_LINE_DROP,
	DROP_LINE_LOST, /* a line with the number of events that the trace has lost */
	/*
	 * a line about hca_drop in an unknown format, which another version of hca.ko may have
	 * written
	 */
	DROP_LINE_WRONG,
};

/*
 * Parses a line without its newline. If the result is DROP_LINE_DROP, *drop contains the dropped
 * packet. If the result is DROP_LINE_LOST, *lost contains the number of lost events. In all other
 * cases, *drop and *lost are undefined.
 */
enum drop_line drop_line_parse(const char *line, struct drop *drop, uint64_t *lost);

#endif
