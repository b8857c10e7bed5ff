/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The memory of one end, of which all is registered, and a model of it: what each octet should be.
 * What an iteration takes of it lies between guard zones of no use, in no order.
 */
#ifndef HCAVERIFY_ARENA_H
#define HCAVERIFY_ARENA_H

#include "tools/lib/rng.h"
#include "compare.h"

#define MAX_SEGMENTS 32

/* A part of an arena. */
struct segment {
	size_t offset;
	uint32_t length;
};

/* One stream of octets in several segments, as a scatter/gather list has them. */
struct segments {
	unsigned int n;
	struct segment segment[MAX_SEGMENTS];
};

struct arena {
	const char *name; /* for people */
	const struct pattern *pattern;
	uint8_t *memory, *expected;
	size_t size;
	size_t used;
	struct origin untouched;
	struct extent *extents;
	size_t num_extents, max_extents;
};

/* @number: which of the ends it is of. Return: false, with errno. */
bool arena_open(struct arena *arena, const char *name, const struct pattern *pattern,
		unsigned int number, size_t size);
void arena_close(struct arena *arena);

/* A new iteration: nothing is taken, nothing written. */
void arena_begin(struct arena *arena);

/* Return: false if there is no room. */
bool arena_alloc(struct arena *arena, struct rng *rng, uint32_t length, size_t align,
		 struct segment *segment);

/* The same for @length octets in up to @max segments, some of which may be empty. */
bool arena_alloc_segments(struct arena *arena, struct rng *rng, uint32_t length, unsigned int max,
			  struct segments *segments);

/* All of these: @skip octets into the stream, @length octets from @origin on. */

/* Write them, as a source; memory and model. */
void arena_write(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, struct origin origin);
/* They are to be there from now on; only the model. */
void arena_expect(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length, struct origin origin);
/* They are not to be there: what there was before is. */
void arena_remove(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length);
/* What would be there if anything came. */
void arena_name(struct arena *arena, const struct segments *segments, uint32_t skip,
		uint32_t length, struct origin origin);
/* Are they there, in memory? */
bool arena_has(const struct arena *arena, const struct segments *segments, uint32_t skip,
	       uint32_t length, struct origin origin);
/* Each of them may be there, or not: where it is, the model has it, too. */
void arena_allow(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, struct origin origin);

/* Whatever is there may be: the model has it, too. */
void arena_accept(struct arena *arena, const struct segments *segments, uint32_t skip,
		  uint32_t length);

/* @length octets of the stream, to or from @octets; of memory, or of the model. */
void arena_read(const struct arena *arena, const struct segments *segments, uint32_t skip,
		uint32_t length, uint8_t *octets);
void arena_model(struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length, const uint8_t *octets);

/* Is memory as the model has it? If not, wrong(). */
bool arena_check(const struct arena *arena, const struct segments *segments, uint32_t skip,
		 uint32_t length);
/* All of it; wrong() unless @quiet. */
bool arena_check_all(const struct arena *arena, bool quiet);

/* All of it, as one segment. */
struct segments one_segment(size_t offset, uint32_t length);

#endif
