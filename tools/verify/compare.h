/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What memory holds and what it should: where they differ, and how that may have come about. */
#ifndef HCAVERIFY_COMPARE_H
#define HCAVERIFY_COMPARE_H

#include "pattern.h"

/* A part of memory, and what is expected there. */
struct extent {
	size_t offset, length;
	struct origin origin; /* of its first octet */
};

/* Memory, the model of it, and what is known about it. */
struct comparison {
	const struct pattern *pattern;
	const uint8_t *expected, *actual;
	size_t length;
	struct origin untouched; /* what is at its beginning as long as nobody has written there */
	const struct extent *extents; /* of those that overlap, the last counts */
	size_t num_extents;
};

/* Octets that are wrong in one way. */
struct difference {
	size_t offset, length;
	struct origin expected;
	bool is_known; /* where they come from: @actual */
	struct origin actual;
};

/*
 * The first octets that are wrong in the @length from @from on.
 * Return: false if there are none.
 */
bool compare(const struct comparison *memory, size_t from, size_t length,
	     struct difference *difference);

/* As a sentence without an end, in @text of @size. */
void difference_describe(const struct comparison *memory, const struct difference *difference,
			 char *text, size_t size);

#endif
