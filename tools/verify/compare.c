// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Compares memory with its model, and describes the difference. */
#include "compare.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tools/lib/append.h"

/*
 * Number of consecutive correct octets that end a difference. Fewer may be correct by coincidence.
 */
#define RIGHT_AGAIN 4
/*
 * Least length of a difference that same_place() attributes to another message. Fewer octets match
 * one of hundreds of messages by chance.
 */
#define SIGNIFICANT 3
/* Number of octets of unknown origin that an error message shows. */
#define SHOWN 8

static struct origin origin_advance(struct origin origin, size_t n)
{
	origin.offset += n;
	return origin;
}

static struct origin expected_at(const struct comparison *memory, size_t offset)
{
	size_t i = memory->num_extents;

	while (i--) {
		const struct extent *extent = &memory->extents[i];

		if (offset - extent->offset < extent->length && offset >= extent->offset)
			return origin_advance(extent->origin, offset - extent->offset);
	}
	return origin_advance(memory->untouched, offset);
}

static size_t first_wrong(const struct comparison *memory, size_t from, size_t end)
{
	enum { STRIDE = 4096 };

	while (from < end) {
		size_t n = end - from < STRIDE ? end - from : STRIDE;

		if (memcmp(memory->expected + from, memory->actual + from, n))
			break;
		from += n;
	}
	while (from < end && memory->expected[from] == memory->actual[from])
		from++;
	return from;
}

/*
 * Returns the number of wrong octets from @from on. Single octets that are correct by coincidence
 * count as wrong.
 */
static size_t wrong_length(const struct comparison *memory, size_t from, size_t end)
{
	size_t i, right = 0;

	for (i = from; i < end && right < RIGHT_AGAIN; i++)
		right = memory->expected[i] == memory->actual[i] ? right + 1 : 0;
	return i - right - from;
}

/* Returns whether all octets of a difference equal the pattern from @origin on. */
static bool all_from(const struct comparison *memory, struct origin origin,
		     const struct difference *difference)
{
	return pattern_match(memory->pattern, origin, memory->actual + difference->offset,
			     difference->length) == difference->length;
}

/*
 * Finds the origin of a difference that is too short for pattern_find(): the message that has these
 * octets at the expected offset. Return: false if there is no such message, or more than one.
 */
static bool same_place(const struct comparison *memory, struct difference *difference)
{
	struct origin other = difference->expected;
	uint32_t seen = 0;
	size_t i;

	if (other.kind != ORIGIN_MESSAGE || difference->length < SIGNIFICANT)
		return false;
	for (i = 0; i < memory->num_extents; i++) {
		other.number = memory->extents[i].origin.number;
		if (memory->extents[i].origin.kind != ORIGIN_MESSAGE ||
		    !all_from(memory, other, difference) ||
		    (difference->is_known && other.number == seen))
			continue;
		if (difference->is_known)
			return difference->is_known = false;
		seen = other.number;
		difference->actual = other;
		difference->is_known = true;
	}
	return difference->is_known;
}

/* Returns how many octets of the difference precede the first octet of a known origin. */
static size_t unknown_length(const struct comparison *memory, const struct difference *difference)
{
	struct origin origin;
	size_t n;

	for (n = 1; n < difference->length; n++)
		if (pattern_find(memory->pattern, memory->actual, memory->length,
				 difference->offset + n, &origin))
			break;
	return n;
}

static void find_origin(const struct comparison *memory, struct difference *difference)
{
	struct origin untouched = origin_advance(memory->untouched, difference->offset);

	difference->is_known = true;
	difference->actual = untouched;
	if (all_from(memory, untouched, difference))
		return;
	if (pattern_find(memory->pattern, memory->actual, memory->length, difference->offset,
			 &difference->actual)) {
		/*
		 * The difference may be longer than the octets of this origin, because other wrong
		 * octets may follow them.
		 */
		difference->length = pattern_match(memory->pattern, difference->actual,
						   memory->actual + difference->offset,
						   difference->length);
		return;
	}
	difference->is_known = false;
	if (same_place(memory, difference))
		return;
	difference->length = unknown_length(memory, difference);
	difference->is_known = all_from(memory, untouched, difference);
	difference->actual = untouched;
}

bool compare(const struct comparison *memory, size_t from, size_t length,
	     struct difference *difference)
{
	size_t end = from + length, known, longest;
	struct origin other;

	difference->offset = first_wrong(memory, from, end);
	if (difference->offset == end)
		return false;
	difference->expected = expected_at(memory, difference->offset);
	/* A difference ends where the expected origins of its octets are not consecutive. */
	longest = 1;
	while (difference->offset + longest < end) {
		other = expected_at(memory, difference->offset + longest);
		if (other.kind != difference->expected.kind ||
		    other.number != difference->expected.number ||
		    other.offset != difference->expected.offset + longest)
			break;
		longest++;
	}
	known = wrong_length(memory, difference->offset, end);
	difference->length = known < longest ? known : longest;
	find_origin(memory, difference);
	return true;
}

/* Writes "message 17, octets 5 to 7"; if @possessive is true, "message 17's octets 5 to 7". */
static void describe_origin(char *text, size_t size, struct origin origin, size_t length,
			    bool possessive)
{
	const uint32_t message = origin.number & ((1u << ORIGIN_GROUP_SHIFT) - 1);
	char what[64], range[64];

	if (length == 1)
		snprintf(range, sizeof(range), "octet %" PRIu64, origin.offset);
	else
		snprintf(range, sizeof(range), "octets %" PRIu64 " to %" PRIu64, origin.offset,
			 origin.offset + length - 1);
	switch (origin.kind) {
	case ORIGIN_MEMORY:
		snprintf(what, sizeof(what), "unused memory");
		break;
	case ORIGIN_SCRIBBLE:
		snprintf(what, sizeof(what), "what message %" PRIu32 " had after it was posted",
			 message);
		break;
	default:
		snprintf(what, sizeof(what), "message %" PRIu32 "%s", message,
			 possessive ? "'s" : "");
		break;
	}
	snprintf(text, size, "%s%s %s", what,
		 possessive && origin.kind == ORIGIN_MESSAGE ? "" : ",", range);
}

static void describe_octets(char *text, size_t size, const uint8_t *octets, size_t length)
{
	size_t i, used = text_append(text, size, 0, "of nowhere:");

	for (i = 0; i < length && i < SHOWN; i++)
		used = text_append(text, size, used, " %02x", octets[i]);
	if (i < length)
		text_append(text, size, used, " ...");
}

static bool is_right(const struct difference *difference)
{
	return difference->is_known && difference->actual.kind == difference->expected.kind &&
	       difference->actual.number == difference->expected.number &&
	       difference->actual.offset == difference->expected.offset;
}

static bool is_untouched(const struct comparison *memory, const struct difference *difference)
{
	return difference->is_known && difference->actual.kind == ORIGIN_MEMORY &&
	       difference->actual.number == memory->untouched.number &&
	       difference->actual.offset == memory->untouched.offset + difference->offset;
}

void difference_describe(const struct comparison *memory, const struct difference *difference,
			 char *text, size_t size)
{
	const uint32_t group = difference->expected.number >> ORIGIN_GROUP_SHIFT;
	const struct origin *actual = &difference->actual;
	char place[160], found[160];
	bool is_old;

	describe_origin(place, sizeof(place), difference->expected, difference->length, false);
	if (is_untouched(memory, difference))
		snprintf(found, sizeof(found), "not written");
	else if (is_right(difference))
		snprintf(found, sizeof(found), "there, and should not have been written");
	else if (difference->is_known)
		describe_origin(found, sizeof(found), *actual, difference->length, true);
	else
		describe_octets(found, sizeof(found), memory->actual + difference->offset,
				difference->length);
	is_old = difference->is_known && actual->kind == ORIGIN_MESSAGE &&
		 difference->expected.kind == ORIGIN_MESSAGE &&
		 actual->number >> ORIGIN_GROUP_SHIFT != group;
	snprintf(text, size, "%s: %s %s%s", place, difference->length == 1 ? "is" : "are", found,
		 is_old ? " of another operation" : "");
}
