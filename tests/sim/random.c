// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Random numbers that follow from a seed. */
#include <linux/string.h>
#include <asm/byteorder.h>
#include "sim.h"

u32 sim_below(u32 ceiling)
{
	return (rng_next(&sim.program) >> 32) * ceiling >> 32;
}

bool sim_chance(u32 n, u32 of)
{
	return sim_below(of) < n;
}

void sim_fill(void *octets, u32 length)
{
	u8 *p = octets;
	__le64 chunk; /* the octets do not depend on the processor's byte order */

	for (; length >= sizeof(chunk); length -= sizeof(chunk), p += sizeof(chunk)) {
		chunk = cpu_to_le64(rng_next(&sim.program));
		memcpy(p, &chunk, sizeof(chunk));
	}
	chunk = cpu_to_le64(rng_next(&sim.program));
	memcpy(p, &chunk, length);
}
