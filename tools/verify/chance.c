// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Random numbers that a seed replays: splitmix64. */
#include "chance.h"

struct chance chance_of(uint64_t seed, const char *purpose)
{
	struct chance chance = { seed };

	for (; *purpose; purpose++)
		chance.state = chance_next(&chance) ^ (unsigned char)*purpose;
	return chance;
}

uint64_t chance_next(struct chance *chance)
{
	uint64_t x = chance->state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

uint64_t chance_below(struct chance *chance, uint64_t n)
{
	return chance_next(chance) % n;
}

uint64_t chance_between(struct chance *chance, uint64_t low, uint64_t high)
{
	return low + chance_below(chance, high - low + 1);
}

bool chance_once_in(struct chance *chance, unsigned int n)
{
	return !chance_below(chance, n);
}

static uint32_t any_magnitude(struct chance *chance, uint32_t max)
{
	unsigned int bits = 0;

	while (bits < 31 && max >> bits > 1)
		bits++;
	return chance_below(chance, (2ull << chance_below(chance, bits + 1)));
}

uint32_t chance_length(struct chance *chance, uint32_t min, uint32_t max, uint32_t mtu)
{
	const uint32_t edges[] = {
		0, 1, 2, 3, 5, 7, 8, 63,
		mtu - 1, mtu, mtu + 1, 2 * mtu - 1, 2 * mtu, 2 * mtu + 1,
		max,
	};
	uint32_t length;

	/* The largest are slow and seldom tell more than others do. */
	if (chance_once_in(chance, 2))
		length = any_magnitude(chance, max);
	else
		length = edges[chance_below(chance, sizeof(edges) / sizeof(edges[0]) -
							    !chance_once_in(chance, 4))];
	if (length < min || length > max)
		length = chance_between(chance, min, max < 2 * mtu || min > mtu ? max : 2 * mtu);
	return length;
}

void chance_order(struct chance *chance, unsigned int *order, unsigned int n)
{
	unsigned int i, j;

	for (i = 0; i < n; i++) {
		j = chance_below(chance, i + 1);
		if (j < i)
			order[i] = order[j];
		order[j] = i;
	}
}
