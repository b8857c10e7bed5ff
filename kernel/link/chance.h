/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Chance that can be repeated: what links do by chance is drawn from sequences that seeds decide. */
#ifndef HCA_LINK_CHANCE_H
#define HCA_LINK_CHANCE_H

#include <linux/types.h>

/**
 * hca_chance_draw() - the next number of a sequence
 * @state: of the sequence; begins as its seed
 *
 * The sequence is splitmix64: any seed will do, and each has a sequence of its own.
 * Context: the caller serialises this. Return: any of 2^32 numbers.
 */
static inline u32 hca_chance_draw(u64 *state)
{
	u64 n = *state += 0x9e3779b97f4a7c15ull;

	n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9ull;
	n = (n ^ n >> 27) * 0x94d049bb133111ebull;
	return (n ^ n >> 31) >> 32;
}

/**
 * hca_chance_happens() - whether what is more or less likely happens
 * @state: of the sequence
 * @chance: its probability: so many of 2^32; U32_MAX is certainty
 *
 * What cannot happen draws nothing. Context: as above.
 */
static inline bool hca_chance_happens(u64 *state, u32 chance)
{
	if (!chance)
		return false;
	return hca_chance_draw(state) < chance || chance == U32_MAX;
}

#endif
