/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the name that is most similar to a mistyped one. */
#ifndef HCA_TOOLS_SIMILAR_H
#define HCA_TOOLS_SIMILAR_H

/* The longest name that is compared. */
#define SIMILAR_MAX 32

/**
 * struct similar - a mistyped name, and the name that is most similar to it
 * @typed: the mistyped name
 * @best: the most similar name so far within the limit; NULL: none
 * @distance: the edit distance of @best
 */
struct similar {
	const char *typed;
	const char *best;
	unsigned int distance;
};

/**
 * similar_offer() - compare a name with the mistyped one
 * @similar: the search; initially, all its fields except @similar->typed are 0
 * @name: a valid name
 *
 * The edit distance counts missing, additional and wrong letters, and exchanged adjacent letters.
 * The limit is 1, or 2 if the mistyped name has more than four letters. The first one of several
 * names with one distance is kept.
 */
void similar_offer(struct similar *similar, const char *name);

#endif
