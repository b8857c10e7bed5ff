/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Filters select packets: `lid 5 and not (smp or psn 10-20)`. hcadump(8) describes the language. */
#ifndef HCADUMP_FILTER_H
#define HCADUMP_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include "packet.h"

struct filter;

struct filter_error {
	const char *what; /* text of the error, which is printed behind the token */
	size_t at, length; /* position of the token in the text; length 0: the end of the text */
};

/* Compiles a filter, which filter_free() frees. Return: NULL after setting *error. */
struct filter *filter_compile(const char *text, struct filter_error *error);

/* Returns whether the filter contains the keyword for flow-control packets. */
bool filter_names_flow(const struct filter *filter);

/* Returns the marks whose keywords the filter contains. */
u32 filter_marks(const struct filter *filter);

void filter_free(struct filter *filter);

bool filter_matches(const struct filter *filter, const struct packet *packet);

#endif
