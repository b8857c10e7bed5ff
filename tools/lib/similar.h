/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the name that a mistyped one was meant to be. */
#ifndef HCA_TOOLS_SIMILAR_H
#define HCA_TOOLS_SIMILAR_H

/* Longer names have no similar one. */
#define SIMILAR_MAX 32

/**
 * struct similar - a mistyped name, and the name that is most similar to it
 * @typed: the mistyped name
 * @best: the most similar name so far, of those within the limit; NULL: none
 * @distance: the edit distance of @best
 */
struct similar {
	const char *typed;
	const char *best;
	unsigned int distance;
};

/**
 * similar_offer() - compare a name with the mistyped one
 * @similar: the search; all zero but for @similar->typed at first
 * @name: a name that would have been right
 *
 * The edit distance counts letters that are missing, too many or wrong, and neighbours that are
 * exchanged. The limit is 1, or 2 if the mistyped name has more than four letters. Of two names of
 * the same distance the first one stays.
 */
void similar_offer(struct similar *similar, const char *name);

#endif
