/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parses the lines in which tracefs shows the tracepoint hca_drop. */
#ifndef HCACTL_DROP_LINE_H
#define HCACTL_DROP_LINE_H

#include <stdint.h>

#define DROP_TEXT 64 /* octets of a text, with the 0 at its end */

/* A packet that was dropped; kernel/trace/hca.h has the fields. */
struct drop {
	uint64_t node; /* GUID */
	uint64_t port, slid, dlid, vl, sl, qpn, psn, octets;
	char time[DROP_TEXT]; /* seconds since boot, as in 12.345678 */
	char opcode[DROP_TEXT];
	char reason[DROP_TEXT];
};

enum drop_line {
	DROP_LINE_OTHER, /* a comment, an empty line or another event */
	DROP_LINE_DROP,
	DROP_LINE_LOST, /* it says how many events the trace does not have */
	DROP_LINE_WRONG, /* of hca_drop, but not as this hca.ko writes it */
};

/*
 * Parses a line, without the end of the line. Sets *drop if it is a packet, and *lost if it says
 * how many events are lost; either may be overwritten in other cases, too.
 */
enum drop_line drop_line_parse(const char *line, struct drop *drop, uint64_t *lost);

#endif
