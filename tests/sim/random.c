// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Random numbers that a seed repeats. */
#include <linux/string.h>
#include <asm/byteorder.h>
#include "sim.h"

/* splitmix64 (Steele, Lea, Flood 2014). */
u64 sim_random(struct sim_rng *rng)
{
	u64 z = rng->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

u32 sim_below(u32 ceiling)
{
	return (sim_random(&sim.program) >> 32) * ceiling >> 32;
}

bool sim_chance(u32 n, u32 of)
{
	return sim_below(of) < n;
}

void sim_fill(void *octets, u32 length)
{
	u8 *p = octets;
	__le64 word; /* the same octets on every processor */

	for (; length >= sizeof(word); length -= sizeof(word), p += sizeof(word)) {
		word = cpu_to_le64(sim_random(&sim.program));
		memcpy(p, &word, sizeof(word));
	}
	word = cpu_to_le64(sim_random(&sim.program));
	memcpy(p, &word, length);
}
