/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Compares memory with its model, finds where they differ, and how that may have happened. */
#ifndef HCAVERIFY_COMPARE_H
#define HCAVERIFY_COMPARE_H

#include "pattern.h"

/* A range of memory and its expected contents. */
struct extent {
	size_t offset, length;
	struct origin origin; /* of the first octet */
};

/* Memory, its model, and what is known of it. */
struct comparison {
	const struct pattern *pattern;
	const uint8_t *expected, *actual;
	size_t length;
	/* origin of the first octet of memory before anything is written */
	struct origin untouched;
	const struct extent *extents; /* where extents overlap, the last one counts */
	size_t num_extents;
};

/* Adjacent octets that are wrong in one way. */
struct difference {
	size_t offset, length;
	struct origin expected;
	bool is_known; /* their origin is known: @actual */
	struct origin actual;
};

/*
 * Finds the first wrong octets among the @length octets from @from on.
 * Return: false if there are none.
 */
bool compare(const struct comparison *memory, size_t from, size_t length,
	     struct difference *difference);

/* Writes a clause about the difference to @text of @size octets. */
void difference_describe(const struct comparison *memory, const struct difference *difference,
			 char *text, size_t size);

#endif
