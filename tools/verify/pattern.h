/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Generates the contents of messages and memory, called the pattern, and recognizes them. A
 * bijection, which depends on the seed, maps the origin and offset of eight octets to their values.
 * The origin of given octets can therefore be computed from their values.
 */
#ifndef HCAVERIFY_PATTERN_H
#define HCAVERIFY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum origin_kind {
	ORIGIN_MESSAGE = 1, /* contents of a message; @number is the message number */
	ORIGIN_MEMORY, /* initial contents; @number is the end, @offset the position in memory */
	/*
	 * octets that overwrite the source of inline data after the request has been posted;
	 * @number is the message number
	 */
	ORIGIN_SCRIBBLE,
	ORIGIN_NAME, /* values of wr_id */
};

/*
 * An origin's @number has 28 bits, and its @offset 35. The bits of a message number from bit
 * ORIGIN_GROUP_SHIFT on are its group, which is unique to one task. There are up to ORIGIN_GROUPS
 * groups.
 */
#define ORIGIN_GROUP_SHIFT 20
#define ORIGIN_GROUPS 128

struct origin {
	enum origin_kind kind;
	uint32_t number;
	uint64_t offset;
};

struct pattern {
	uint64_t key;
};

struct pattern pattern_of(uint64_t seed);

uint8_t pattern_octet(const struct pattern *pattern, struct origin origin);

/* Writes the @length octets of the pattern that begin at @origin. */
void pattern_fill(const struct pattern *pattern, struct origin origin, uint8_t *to, size_t length);

/*
 * Compares @length octets with the pattern from @origin on. Return: the number of octets before the
 * first mismatch.
 */
size_t pattern_match(const struct pattern *pattern, struct origin origin, const uint8_t *octets,
		     size_t length);

/*
 * Finds the origin of octet @at in @octets, an array of @length octets, from the octets around
 * @at. Return: true; or false if octet @at does not belong to the pattern, or if not enough octets
 * around @at do.
 */
bool pattern_find(const struct pattern *pattern, const uint8_t *octets, size_t length, size_t at,
		  struct origin *origin);

/* Returns a 64-bit value that is unique to @number, for use as a wr_id. */
uint64_t pattern_name(const struct pattern *pattern, uint32_t number);

#endif
