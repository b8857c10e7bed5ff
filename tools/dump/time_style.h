/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Styles in which the times of packets are printed. */
#ifndef HCADUMP_TIME_STYLE_H
#define HCADUMP_TIME_STYLE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

enum time_kind {
	TIME_CLOCK, /* the time of day */
	TIME_EPOCH, /* seconds since 1970 */
	TIME_FIRST, /* seconds since the first packet that was printed */
	TIME_PREVIOUS, /* seconds since the previously printed packet */
};

struct time_style {
	enum time_kind kind;
	bool has_base;
	u64 base_ns; /* the time in ns that is subtracted from each printed time */
};

/* Prints a time. With TIME_PREVIOUS, @ns becomes the base time of the next call. */
void time_print(FILE *to, struct time_style *style, u64 ns);

/* Prints the difference of two times in seconds. */
void time_print_difference(FILE *to, u64 from_ns, u64 to_ns);

#endif
