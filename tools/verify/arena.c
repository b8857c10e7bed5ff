// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The memory of one end, and the model of its contents. */
#include "arena.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "outcome.h"

#define PAGE 4096
/*
 * Largest size of a guard zone in octets. A guard zone lies before each segment and after the last
 * one.
 */
#define MAX_GUARD 64

bool arena_open(struct arena *arena, const char *name, const struct pattern *pattern,
		unsigned int number, size_t size)
{
	size = (size + PAGE - 1) / PAGE * PAGE;
	*arena = (struct arena){
		.name = name,
		.pattern = pattern,
		.memory = aligned_alloc(PAGE, size),
		.expected = malloc(size),
		.size = size,
		.untouched = { ORIGIN_MEMORY, number, 0 },
	};
	if (!arena->memory || !arena->expected)
		return false;
	pattern_fill(pattern, arena->untouched, arena->memory, size);
	memcpy(arena->expected, arena->memory, size);
	return true;
}

void arena_close(struct arena *arena)
{
	free(arena->memory);
	free(arena->expected);
	free(arena->extents);
	*arena = (struct arena){};
}

void arena_begin(struct arena *arena)
{
	/*
	 * The whole memory is written again, because a failed iteration may have changed any octet.
	 */
	pattern_fill(arena->pattern, arena->untouched, arena->expected, arena->used);
	memcpy(arena->memory, arena->expected, arena->size);
	arena->used = 0;
	arena->num_extents = 0;
}

bool arena_alloc(struct arena *arena, struct rng *rng, uint32_t length, size_t align,
		 struct segment *segment)
{
	size_t offset = arena->used + rng_between(rng, 1, MAX_GUARD);

	offset = (offset + align - 1) / align * align;
	if (offset > arena->size || arena->size - offset < (size_t)length + MAX_GUARD)
		return false;
	*segment = (struct segment){ offset, length };
	arena->used = offset + length;
	return true;
}

/* Draws a number of segments. The maximum is drawn more often than other numbers. */
static unsigned int how_many(struct rng *rng, uint32_t length, unsigned int max)
{
	if (!length)
		return rng_below(rng, 2);
	if (rng_one_in(rng, 4))
		return max;
	return rng_between(rng, 1, rng_one_in(rng, 2) && max > 4 ? 4 : max);
}

static int arena_ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

bool arena_alloc_segments(struct arena *arena, struct rng *rng, uint32_t length, unsigned int max,
			  struct segments *segments)
{
	unsigned int i, order[MAX_SEGMENTS];
	uint32_t cuts[MAX_SEGMENTS + 1] = {};

	segments->n = how_many(rng, length, max > MAX_SEGMENTS ? MAX_SEGMENTS : max);
	if (!segments->n)
		return true;
	for (i = 1; i < segments->n; i++)
		cuts[i] = rng_below(rng, (uint64_t)length + 1);
	cuts[segments->n] = length;
	qsort(cuts, segments->n, sizeof(cuts[0]), arena_ascending);
	rng_shuffle(rng, order, segments->n);
	for (i = 0; i < segments->n; i++)
		if (!arena_alloc(arena, rng, cuts[order[i] + 1] - cuts[order[i]], 1,
				 &segments->segment[order[i]]))
			return false;
	return true;
}

/* An iterator over the parts of segments that cover a range of a stream. */
struct walk {
	const struct segments *segments;
	unsigned int next;
	uint32_t skip, left;
	size_t offset, length; /* offset and length of the current part */
	uint32_t done; /* octets of the range before the current part */
};

static struct walk walk_of(const struct segments *segments, uint32_t skip, uint32_t length)
{
	return (struct walk){ .segments = segments, .skip = skip, .left = length };
}

static bool walk_on(struct walk *walk)
{
	const struct segment *segment;

	walk->done += walk->length;
	walk->length = 0;
	while (walk->left && walk->next < walk->segments->n) {
		segment = &walk->segments->segment[walk->next++];
		if (walk->skip >= segment->length) {
			walk->skip -= segment->length;
			continue;
		}
		walk->offset = segment->offset + walk->skip;
		walk->length = segment->length - walk->skip;
		if (walk->length > walk->left)
			walk->length = walk->left;
		walk->skip = 0;
		walk->left -= walk->length;
		return true;
	}
	return false;
}

static struct origin origin_in(const struct walk *walk, struct origin origin)
{
	origin.offset += walk->done;
	return origin;
}

static void arena_note(struct arena *arena, const struct walk *walk, struct origin origin)
{
	struct extent *more;

	if (arena->num_extents == arena->max_extents) {
		arena->max_extents = arena->max_extents ? 2 * arena->max_extents : 256;
		more = realloc(arena->extents, arena->max_extents * sizeof(*more));
		if (!more)
			abort();
		arena->extents = more;
	}
	arena->extents[arena->num_extents++] =
		(struct extent){ walk->offset, walk->length, origin_in(walk, origin) };
}

void arena_name(struct arena *arena, const struct segments *segments, uint32_t skip,
		uint32_t length, struct origin origin)
{
	struct walk walk = walk_of(segments, skip, length);

	while (walk_on(&walk))
		arena_note(arena, &walk, origin);
}

void arena_expect(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length, struct origin origin)
{
	struct walk walk = walk_of(segments, skip, length);

	while (walk_on(&walk)) {
		arena_note(arena, &walk, origin);
		pattern_fill(arena->pattern, origin_in(&walk, origin),
			     arena->expected + walk.offset, walk.length);
	}
}

void arena_remove(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length)
{
	struct walk walk = walk_of(segments, skip, length);
	struct origin origin;

	while (walk_on(&walk)) {
		origin = arena->untouched;
		origin.offset += walk.offset;
		pattern_fill(arena->pattern, origin, arena->expected + walk.offset, walk.length);
	}
}

void arena_write(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, struct origin origin)
{
	struct walk walk = walk_of(segments, skip, length);

	arena_expect(arena, segments, skip, length, origin);
	while (walk_on(&walk))
		memcpy(arena->memory + walk.offset, arena->expected + walk.offset, walk.length);
}

bool arena_has(const struct arena *arena, const struct segments *segments, uint32_t skip,
	       uint32_t length, struct origin origin)
{
	struct walk walk = walk_of(segments, skip, length);

	while (walk_on(&walk))
		if (pattern_match(arena->pattern, origin_in(&walk, origin),
				  arena->memory + walk.offset, walk.length) != walk.length)
			return false;
	return true;
}

void arena_allow(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, struct origin origin)
{
	struct walk walk = walk_of(segments, skip, length);
	size_t i, offset;

	while (walk_on(&walk)) {
		for (i = 0; i < walk.length; i++) {
			struct origin here = origin_in(&walk, origin);

			here.offset += i;
			offset = walk.offset + i;
			if (arena->memory[offset] != arena->expected[offset] &&
			    arena->memory[offset] == pattern_octet(arena->pattern, here))
				arena->expected[offset] = arena->memory[offset];
		}
	}
}

void arena_accept(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length)
{
	struct walk walk = walk_of(segments, skip, length);

	while (walk_on(&walk))
		memcpy(arena->expected + walk.offset, arena->memory + walk.offset, walk.length);
}

void arena_read(const struct arena *arena, const struct segments *segments, uint32_t skip,
		uint32_t length, uint8_t *octets)
{
	struct walk walk = walk_of(segments, skip, length);

	while (walk_on(&walk))
		memcpy(octets + walk.done, arena->memory + walk.offset, walk.length);
}

void arena_model(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, const uint8_t *octets)
{
	struct walk walk = walk_of(segments, skip, length);

	while (walk_on(&walk))
		memcpy(arena->expected + walk.offset, octets + walk.done, walk.length);
}

static bool arena_check_range(const struct arena *arena, size_t offset, size_t length, bool quiet)
{
	const struct comparison memory = {
		.pattern = arena->pattern,
		.expected = arena->expected,
		.actual = arena->memory,
		.length = arena->size,
		.untouched = arena->untouched,
		.extents = arena->extents,
		.num_extents = arena->num_extents,
	};
	struct difference difference;
	char text[400];

	if (!compare(&memory, offset, length, &difference))
		return true;
	if (quiet)
		return false;
	difference_describe(&memory, &difference, text, sizeof(text));
	return wrong("%s: %s", arena->name, text);
}

bool arena_check(const struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length)
{
	struct walk walk = walk_of(segments, skip, length);

	while (walk_on(&walk))
		if (!arena_check_range(arena, walk.offset, walk.length, false))
			return false;
	return true;
}

bool arena_check_all(const struct arena *arena, bool quiet)
{
	return arena_check_range(arena, 0, arena->size, quiet);
}

struct segments one_segment(size_t offset, uint32_t length)
{
	return (struct segments){ .n = 1, .segment = { { offset, length } } };
}
