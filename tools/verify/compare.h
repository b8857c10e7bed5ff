/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Compares memory with its model, and finds where they differ and the likely cause. */
#ifndef HCAVERIFY_COMPARE_H
#define HCAVERIFY_COMPARE_H

#include "pattern.h"

/* A range of memory, and the origin of its expected contents. */
struct extent {
	size_t offset, length;
	struct origin origin; /* origin of the first octet */
};

/* Memory, the expected values of its octets (the model), and the origins of these values. */
struct comparison {
	const struct pattern *pattern;
	const uint8_t *expected, *actual;
	size_t length;
	/* Origin of the first octet of memory in its initial state */
	struct origin untouched;
	/*
	 * expected contents of ranges of memory; where two ranges overlap, the later entry is valid
	 */
	const struct extent *extents;
	size_t num_extents;
};

/* Adjacent wrong octets that have one cause. */
struct difference {
	size_t offset, length;
	struct origin expected;
	bool is_known; /* @actual, the origin of the wrong octets, is known */
	struct origin actual;
};

/*
 * Finds the first wrong octets among the @length octets from @from on.
 * Return: false if there are none.
 */
bool compare(const struct comparison *memory, size_t from, size_t length,
	     struct difference *difference);

/* Writes a description of the difference to @text, a buffer of @size octets. */
void difference_describe(const struct comparison *memory, const struct difference *difference,
			 char *text, size_t size);

#endif
