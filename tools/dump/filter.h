/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Filters, which select packets: `lid 5 and not (smp or psn 10-20)`. hcadump(8) describes the
 * language.
 */
#ifndef HCADUMP_FILTER_H
#define HCADUMP_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include "packet.h"

struct filter;

struct filter_error {
	const char *what; /* text of the error, which is printed after the wrong token */
	/* offset and length of the wrong token in the filter's text; length 0: error at the end */
	size_t at, length;
};

/* Compiles a filter. Return: the filter, which filter_free() frees; NULL after setting *error. */
struct filter *filter_compile(const char *text, struct filter_error *error);

/* Returns whether the filter contains the keyword `flow`, which selects flow-control packets. */
bool filter_names_flow(const struct filter *filter);

/* Returns the marks (enum mark) whose keywords the filter contains. */
u32 filter_marks(const struct filter *filter);

void filter_free(struct filter *filter);

bool filter_matches(const struct filter *filter, const struct packet *packet);

#endif
