// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints the times of packets. */
#include "time_style.h"
#include <time.h>

#define SECOND_NS 1000000000ull

static void print_clock(FILE *to, u64 ns)
{
	time_t seconds = ns / SECOND_NS;
	struct tm tm = {};

	localtime_r(&seconds, &tm);
	fprintf(to, "%02d:%02d:%02d.%09llu", tm.tm_hour, tm.tm_min, tm.tm_sec, ns % SECOND_NS);
}

void time_print_difference(FILE *to, u64 from_ns, u64 to_ns)
{
	bool is_negative = to_ns < from_ns;
	u64 ns = is_negative ? from_ns - to_ns : to_ns - from_ns;

	fprintf(to, "%s%llu.%09llu", is_negative ? "-" : "", ns / SECOND_NS, ns % SECOND_NS);
}

/*
 * Sets the base time. It is 0 for TIME_EPOCH, the time of the previous packet for TIME_PREVIOUS,
 * and otherwise the time of the first packet.
 */
static void set_base(struct time_style *style, u64 ns)
{
	if (style->has_base && style->kind != TIME_PREVIOUS)
		return;
	style->base_ns = style->kind == TIME_EPOCH ? 0 : ns;
	style->has_base = true;
}

void time_print(FILE *to, struct time_style *style, u64 ns)
{
	if (style->kind == TIME_CLOCK) {
		print_clock(to, ns);
		return;
	}
	if (!style->has_base)
		set_base(style, ns);
	time_print_difference(to, style->base_ns, ns);
	set_base(style, ns);
}
