/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the name that is most similar to a mistyped one. */
#ifndef HCA_TOOLS_SIMILAR_H
#define HCA_TOOLS_SIMILAR_H

/* The largest length of a name that is compared. */
#define SIMILAR_MAX 40

/**
 * struct similar - a search for the valid name that is most similar to a mistyped one
 * @typed: the mistyped name
 * @best: the most similar name so far; NULL if no name was similar enough
 * @distance: edit distance between @typed and @best
 */
struct similar {
	const char *typed;
	const char *best;
	unsigned int distance;
};

/**
 * similar_distance() - query how many letters differ between two names
 * @typed: a mistyped name
 * @name: a valid name
 *
 * The edit distance counts missing, additional and wrong letters, and exchanged adjacent letters.
 * The limit is 1, or 2 if the mistyped name has more than four letters.
 * Return: the edit distance, or SIMILAR_MAX if it is above the limit.
 */
unsigned int similar_distance(const char *typed, const char *name);

/**
 * similar_offer() - compare a valid name with the mistyped one
 * @similar: the search. Before the first call, all of its members except @similar->typed are 0.
 * @name: a valid name
 *
 * A name whose similar_distance() is SIMILAR_MAX is ignored. Of several names with the same
 * distance, the first one is kept.
 */
void similar_offer(struct similar *similar, const char *name);

#endif
