// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Draws lengths of messages. */
#include "length.h"

static uint32_t any_magnitude(struct rng *rng, uint32_t max)
{
	unsigned int bits = 0;

	while (bits < 31 && max >> bits > 1)
		bits++;
	return rng_below(rng, (2ull << rng_below(rng, bits + 1)));
}

uint32_t length_draw(struct rng *rng, uint32_t min, uint32_t max, uint32_t mtu)
{
	const uint32_t edges[] = {
		0,	 1,   2,       3,	    5,	     7,		  8,   63,
		mtu - 1, mtu, mtu + 1, 2 * mtu - 1, 2 * mtu, 2 * mtu + 1, max,
	};
	uint32_t length;

	/*
	 * The maximum, which is the last entry, is drawn less often than the others, because very
	 * long messages take long and seldom find other errors.
	 */
	if (rng_one_in(rng, 2))
		length = any_magnitude(rng, max);
	else
		length = edges[rng_below(rng,
					 sizeof(edges) / sizeof(edges[0]) - !rng_one_in(rng, 4))];
	if (length < min || length > max)
		length = rng_between(rng, min, max < 2 * mtu || min > mtu ? max : 2 * mtu);
	return length;
}
