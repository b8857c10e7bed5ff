// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Finds the name that is most similar to a mistyped one. */
#include "similar.h"
#include <string.h>

static unsigned int similar_least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/*
 * Returns the edit distance between the first @i + 1 letters of @a and the first @j + 1 letters of
 * @b. @rows contains the distances between shorter beginnings of @a and @b.
 */
static unsigned int similar_step(unsigned int rows[][SIMILAR_MAX + 1], const char *a, const char *b,
				 size_t i, size_t j)
{
	unsigned int distance = similar_least(rows[i][j + 1], rows[i + 1][j]) + 1;

	distance = similar_least(distance, rows[i][j] + (a[i] != b[j]));
	if (i && j && a[i] == b[j - 1] && a[i - 1] == b[j])
		distance = similar_least(distance, rows[i - 1][j - 1] + 1);
	return distance;
}

static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int rows[SIMILAR_MAX + 1][SIMILAR_MAX + 1];
	size_t i, j, length_a = strlen(a), length_b = strlen(b);

	if (length_a > SIMILAR_MAX || length_b > SIMILAR_MAX)
		return SIMILAR_MAX;
	for (i = 0; i <= length_a; i++)
		rows[i][0] = i;
	for (j = 0; j <= length_b; j++)
		rows[0][j] = j;
	for (i = 0; i < length_a; i++)
		for (j = 0; j < length_b; j++)
			rows[i + 1][j + 1] = similar_step(rows, a, b, i, j);
	return rows[length_a][length_b];
}

unsigned int similar_distance(const char *typed, const char *name)
{
	unsigned int limit = strlen(typed) > 4 ? 2 : 1;
	unsigned int distance = edit_distance(typed, name);

	return distance > limit ? SIMILAR_MAX : distance;
}

void similar_offer(struct similar *similar, const char *name)
{
	unsigned int distance = similar_distance(similar->typed, name);

	if (distance == SIMILAR_MAX || (similar->best && distance >= similar->distance))
		return;
	similar->best = name;
	similar->distance = distance;
}
