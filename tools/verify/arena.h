/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The memory of one end, all of which is one memory region, and a model of it: the value that each
 * octet should have. What an iteration allocates is separated by guard zones and has no order.
 */
#ifndef HCAVERIFY_ARENA_H
#define HCAVERIFY_ARENA_H

#include "tools/lib/rng.h"
#include "compare.h"

#define MAX_SEGMENTS 32

/* A range of an arena. */
struct segment {
	size_t offset;
	uint32_t length;
};

/* One stream of octets in several segments, like a scatter/gather list. */
struct segments {
	unsigned int n;
	struct segment segment[MAX_SEGMENTS];
};

struct arena {
	const char *name; /* for messages */
	const struct pattern *pattern;
	uint8_t *memory, *expected;
	size_t size;
	size_t used;
	struct origin untouched;
	struct extent *extents;
	size_t num_extents, max_extents;
};

/* Allocates an arena; @number tells the two ends apart. Return: false, with errno set. */
bool arena_open(struct arena *arena, const char *name, const struct pattern *pattern,
		unsigned int number, size_t size);
void arena_close(struct arena *arena);

/* Begins an iteration: nothing is allocated, and all octets have their initial values. */
void arena_begin(struct arena *arena);

/* Allocates one segment. Return: false if there is no room. */
bool arena_alloc(struct arena *arena, struct rng *rng, uint32_t length, size_t align,
		 struct segment *segment);

/*
 * Allocates up to @max segments of @length octets in all; some may be empty.
 * Return: false if there is no room.
 */
bool arena_alloc_segments(struct arena *arena, struct rng *rng, uint32_t length, unsigned int max,
			  struct segments *segments);

/*
 * The functions below act on octets @skip to @skip + @length - 1 of the stream in @segments, whose
 * contents are those of @origin.
 */

/* Writes a source: memory and model. */
void arena_write(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, struct origin origin);
/* The octets must be there from now on; changes the model only. */
void arena_expect(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length, struct origin origin);
/* The octets must not be there: restores the model to what it was before. */
void arena_remove(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length);
/* Records which origin the octets would have, for messages about errors. */
void arena_name(struct arena *arena, const struct segments *segments, uint32_t skip,
		uint32_t length, struct origin origin);
/* Whether memory has the octets. */
bool arena_has(const struct arena *arena, const struct segments *segments, uint32_t skip,
	       uint32_t length, struct origin origin);
/* Each octet may be there or not: the model is set to those that are. */
void arena_allow(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, struct origin origin);

/* Any contents are allowed: the model is set to them. */
void arena_accept(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length);

/* Copy @length octets of the stream from memory or model to @octets, or from @octets. */
void arena_read(const struct arena *arena, const struct segments *segments, uint32_t skip,
		uint32_t length, uint8_t *octets);
void arena_model(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, const uint8_t *octets);

/* Compares memory with the model, and calls wrong() if they differ. */
bool arena_check(const struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length);
/* Compares the whole arena with the model; calls wrong() unless @quiet. */
bool arena_check_all(const struct arena *arena, bool quiet);

/* Returns a range as a list of one segment. */
struct segments one_segment(size_t offset, uint32_t length);

#endif
