/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Styles of printing the time of a packet. */
#ifndef HCADUMP_TIME_STYLE_H
#define HCADUMP_TIME_STYLE_H

#include <stdbool.h>
#include <stdio.h>
#include <linux/types.h>

enum time_kind {
	TIME_CLOCK, /* the time of day */
	TIME_EPOCH, /* seconds since 1970 */
	TIME_FIRST, /* seconds since the first packet that was printed */
	TIME_PREVIOUS, /* seconds since the previously printed packet */
};

struct time_style {
	enum time_kind kind;
	bool has_base;
	u64 base_ns; /* the time that printed times are relative to */
};

/* Prints a time, and makes it the base of the next one if the style requires that. */
void time_print(FILE *to, struct time_style *style, u64 ns);

/* Prints a difference of times in seconds. */
void time_print_difference(FILE *to, u64 from_ns, u64 to_ns);

#endif
