/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parses the lines in which tracefs shows the tracepoint hca_drop. */
#ifndef HCACTL_DROP_LINE_H
#define HCACTL_DROP_LINE_H

#include <stdint.h>

#define DROP_TEXT 64 /* octets of a text, with the 0 at its end */

/* A packet that was dropped. kernel/trace/hca.h defines the fields. */
struct drop {
	uint64_t node; /* node GUID */
	uint64_t port, slid, dlid, vl, sl, qpn, psn, octets;
	char time[DROP_TEXT]; /* seconds since boot, as in 12.345678 */
	char opcode[DROP_TEXT];
	char reason[DROP_TEXT];
};

enum drop_line {
	DROP_LINE_OTHER, /* a comment, an empty line or another event */
	DROP_LINE_DROP,
	DROP_LINE_LOST, /* a line with the number of events that the trace does not have */
	DROP_LINE_WRONG, /* a line of hca_drop that is not in the format of this hca.ko */
};

/*
 * Parses a line, which is without its newline. Sets *drop for DROP_LINE_DROP, and *lost to the
 * number of lost events for DROP_LINE_LOST. *drop and *lost are undefined for other results.
 */
enum drop_line drop_line_parse(const char *line, struct drop *drop, uint64_t *lost);

#endif
