/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Compares memory with its model, and finds where they differ and the likely cause. */
#ifndef HCAVERIFY_COMPARE_H
#define HCAVERIFY_COMPARE_H

#include "pattern.h"

/* A range of memory and its expected contents. */
struct extent {
	size_t offset, length;
	struct origin origin; /* origin of the first octet */
};

/* Memory, its model, and the origins of its contents. */
struct comparison {
	const struct pattern *pattern;
	const uint8_t *expected, *actual;
	size_t length;
	/* Origin of the first octet of memory in its initial state. */
	struct origin untouched;
	/* extents of messages; the last one counts where several overlap */
	const struct extent *extents;
	size_t num_extents;
};

/* Adjacent wrong octets that have one cause. */
struct difference {
	size_t offset, length;
	struct origin expected;
	bool is_known; /* actual is valid: the origin of the wrong octets is known */
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
