// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Generates the contents of messages and memory, and recognizes them. */
#include "pattern.h"
#include "tools/lib/rng.h"

#define UNIT 8 /* number of octets that the pattern derives from one 64-bit value */

#define KIND_SHIFT 60
#define NUMBER_SHIFT 32
#define NUMBER_MAX ((1u << 28) - 1)

/*
 * Message numbers and unit indices are lower than these limits. Eight octets that decode to other
 * values do not belong to the pattern.
 */
#define PLAUSIBLE_NUMBER (ORIGIN_GROUPS << ORIGIN_GROUP_SHIFT)
#define PLAUSIBLE_INDEX (1u << 28)

/* Inverts rng_mix(). */
static uint64_t pattern_unmix(uint64_t x)
{
	x = (x ^ x >> 31 ^ x >> 62) * 0x319642b2d24d8ec3;
	x = (x ^ x >> 27 ^ x >> 54) * 0x96de1b173f119089;
	return x ^ x >> 30 ^ x >> 60;
}

struct pattern pattern_of(uint64_t seed)
{
	return (struct pattern){ rng_mix(seed + 0x9e3779b97f4a7c15) };
}

static uint64_t unit_at(const struct pattern *pattern, const struct origin *origin)
{
	uint64_t id = (uint64_t)origin->kind << KIND_SHIFT |
		      (uint64_t)(origin->number & NUMBER_MAX) << NUMBER_SHIFT |
		      (uint32_t)(origin->offset / UNIT);

	return rng_mix(id ^ pattern->key);
}

uint8_t pattern_octet(const struct pattern *pattern, struct origin origin)
{
	return unit_at(pattern, &origin) >> origin.offset % UNIT * 8;
}

void pattern_fill(const struct pattern *pattern, struct origin origin, uint8_t *to, size_t length)
{
	uint64_t unit = 0;
	size_t i;

	for (i = 0; i < length; i++, origin.offset++) {
		if (!i || origin.offset % UNIT == 0)
			unit = unit_at(pattern, &origin);
		to[i] = unit >> origin.offset % UNIT * 8;
	}
}

size_t pattern_match(const struct pattern *pattern, struct origin origin, const uint8_t *octets,
		     size_t length)
{
	uint64_t unit = 0;
	size_t i;

	for (i = 0; i < length; i++, origin.offset++) {
		if (!i || origin.offset % UNIT == 0)
			unit = unit_at(pattern, &origin);
		if (octets[i] != (uint8_t)(unit >> origin.offset % UNIT * 8))
			break;
	}
	return i;
}

/*
 * Decodes eight octets, and sets *origin to their origin. Return: true; or false if the octets do
 * not belong to the pattern.
 */
static bool unit_origin(const struct pattern *pattern, const uint8_t *octets, struct origin *origin)
{
	uint64_t id = 0;
	int i;

	for (i = UNIT - 1; i >= 0; i--)
		id = id << 8 | octets[i];
	id = pattern_unmix(id) ^ pattern->key;
	origin->kind = id >> KIND_SHIFT;
	origin->number = id >> NUMBER_SHIFT & NUMBER_MAX;
	origin->offset = (id & UINT32_MAX) * UNIT;
	return origin->kind >= ORIGIN_MESSAGE && origin->kind <= ORIGIN_SCRIBBLE &&
	       origin->number < PLAUSIBLE_NUMBER && (id & UINT32_MAX) < PLAUSIBLE_INDEX;
}

bool pattern_find(const struct pattern *pattern, const uint8_t *octets, size_t length, size_t at,
		  struct origin *origin)
{
	size_t start = at < UNIT - 1 ? 0 : at - (UNIT - 1);

	/* Find the unit that contains octet @at. If that unit is incomplete, find the next unit. */
	for (; start < at + UNIT && start + UNIT <= length; start++) {
		if (!unit_origin(pattern, octets + start, origin) || origin->offset + at < start)
			continue;
		origin->offset = origin->offset + at - start; /* @start may be greater than @at */
		if (start <= at ||
		    pattern_match(pattern, *origin, octets + at, start - at) == start - at)
			return true;
	}
	return false;
}

uint64_t pattern_name(const struct pattern *pattern, uint32_t number)
{
	struct origin origin = { ORIGIN_NAME, number, 0 };

	return unit_at(pattern, &origin);
}
