/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Which packets are meant: `lid 5 and not (smp or psn 10-20)`. hcadump(8) has the language. */
#ifndef HCADUMP_FILTER_H
#define HCADUMP_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include "packet.h"

struct filter;

struct filter_error {
	const char *what; /* to be printed behind the word */
	size_t at, length; /* the word's place in the text; length 0: its end */
};

/* Return: NULL if there is something wrong. To be freed by filter_free(). */
struct filter *filter_compile(const char *text, struct filter_error *error);

/* Whether it asks for flow-control packets, or asks for none: it has the word. */
bool filter_names_flow(const struct filter *filter);

void filter_free(struct filter *filter);

bool filter_matches(const struct filter *filter, const struct packet *packet);

#endif
