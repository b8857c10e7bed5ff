/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Random numbers for links. Equal seeds give equal sequences of numbers. tools/lib/rng.h has the
 * same generator a second time: the modules are built from kernel/ and sma/ alone, and hcaverify,
 * which uses that file, includes nothing of hca.
 */
#ifndef HCA_PHY_CHANCE_H
#define HCA_PHY_CHANCE_H

#include <linux/types.h>

/**
 * hca_chance_draw() - draw the next number of a sequence
 * @state: state of the sequence; initially its seed
 *
 * The generator is splitmix64. Any seed may be used.
 * Context: any; the caller serializes access to @state.
 * Return: a number of 32 bits.
 */
static inline u32 hca_chance_draw(u64 *state)
{
	u64 n = *state += 0x9e3779b97f4a7c15ull;

	n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9ull;
	n = (n ^ n >> 27) * 0x94d049bb133111ebull;
	return (n ^ n >> 31) >> 32;
}

/**
 * hca_chance_happens() - decide at random whether an event with a given probability happens
 * @state: state of the sequence
 * @chance: probability of the event, in units of 2^-32; U32_MAX is certainty
 *
 * If @chance is 0, no number is drawn, and @state does not change.
 * Context: any; the caller serializes access to @state.
 * Return: true if the event happens.
 */
static inline bool hca_chance_happens(u64 *state, u32 chance)
{
	if (!chance)
		return false;
	return hca_chance_draw(state) < chance || chance == U32_MAX;
}

#endif
