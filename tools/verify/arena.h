/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The memory of one end, which is a single memory region, and the expected value of each octet,
 * which is called the model. The segments that an iteration allocates are in random order, with
 * guard zones between them.
 */
#ifndef HCAVERIFY_ARENA_H
#define HCAVERIFY_ARENA_H

#include "compare.h"
#include "tools/lib/rng.h"

#define MAX_SEGMENTS 32

/* A range of octets in an arena. */
struct segment {
	size_t offset;
	uint32_t length;
};

/* A stream of octets in several segments, like a scatter/gather list. */
struct segments {
	unsigned int n;
	struct segment segment[MAX_SEGMENTS];
};

struct arena {
	const char *name; /* name of the end in error messages */
	const struct pattern *pattern;
	uint8_t *memory, *expected;
	size_t size;
	size_t used;
	struct origin untouched;
	struct extent *extents;
	size_t num_extents, max_extents;
};

/*
 * Allocates an arena. @number is 0 for the first end and 1 for the second. Return: false with errno
 * set if there is not enough memory.
 */
bool arena_open(struct arena *arena, const char *name, const struct pattern *pattern,
		unsigned int number, size_t size);
void arena_close(struct arena *arena);

/* Begins an iteration: frees all segments, and resets all octets to their initial values. */
void arena_begin(struct arena *arena);

/* Allocates one segment. Return: true; or false if the arena is full. */
bool arena_alloc(struct arena *arena, struct rng *rng, uint32_t length, size_t align,
		 struct segment *segment);

/*
 * Allocates up to @max segments, with @length octets in total. A segment may be empty.
 * Return: true; or false if the arena is full.
 */
bool arena_alloc_segments(struct arena *arena, struct rng *rng, uint32_t length, unsigned int max,
			  struct segments *segments);

/*
 * The functions below act on octets @skip to @skip + @length - 1 of the stream in @segments.
 * @origin is the position of octet @skip in the pattern (pattern.h).
 */

/* Writes the pattern from @origin on to memory and to the model. */
void arena_write(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, struct origin origin);
/* Changes the model to expect the pattern from @origin on. Memory is not changed. */
void arena_expect(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length, struct origin origin);
/*
 * Changes the model to expect the initial contents of memory, because a message has not arrived.
 */
void arena_remove(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length);
/*
 * Records @origin as the origin of these octets, which error messages show. The model is not
 * changed.
 */
void arena_name(struct arena *arena, const struct segments *segments, uint32_t skip,
		uint32_t length, struct origin origin);
/* Returns whether memory contains the pattern from @origin on. */
bool arena_has(const struct arena *arena, const struct segments *segments, uint32_t skip,
	       uint32_t length, struct origin origin);
/*
 * Changes the model where an octet of memory equals the pattern from @origin on: the model then
 * expects this octet. All other expected values remain.
 */
void arena_allow(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, struct origin origin);

/* Changes the model to expect the present contents of memory. */
void arena_accept(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length);

/*
 * arena_read() copies @length octets of the stream from memory to @octets. arena_model() copies
 * them from @octets to the model.
 */
void arena_read(const struct arena *arena, const struct segments *segments, uint32_t skip,
		uint32_t length, uint8_t *octets);
void arena_model(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, const uint8_t *octets);

/*
 * Compares memory with the model, and calls wrong() if they differ. Return: whether they are equal.
 */
bool arena_check(const struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length);
/*
 * Compares the whole arena with the model. It calls wrong() if they differ, unless @quiet is true.
 * Return: whether they are equal.
 */
bool arena_check_all(const struct arena *arena, bool quiet);

/* Returns a list of one segment. */
struct segments one_segment(size_t offset, uint32_t length);

#endif
