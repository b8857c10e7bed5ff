/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Generates the contents of messages and memory, and recognizes them. Each unit of eight octets is
 * a bijection, keyed by the seed, of its origin and offset. The origin of any octets can therefore
 * be computed from their values.
 */
#ifndef HCAVERIFY_PATTERN_H
#define HCAVERIFY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum origin_kind {
	ORIGIN_MESSAGE = 1, /* @number is the message */
	ORIGIN_MEMORY, /* initial contents; @number is the end, @offset the position in memory */
	ORIGIN_SCRIBBLE, /* overwrites the source of inline data; @number is the message */
	ORIGIN_NAME, /* values of wr_id */
};

/*
 * Sizes of the parts of a number. @number has 28 bits, @offset 35. The upper bits of a message's
 * number are a group, which is unique to one task.
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

/* Writes @length octets of @origin. */
void pattern_fill(const struct pattern *pattern, struct origin origin, uint8_t *to, size_t length);

/* Returns how many of @length octets match @origin, up to the first mismatch. */
size_t pattern_match(const struct pattern *pattern, struct origin origin, const uint8_t *octets,
		     size_t length);

/*
 * Finds the origin of octet @at of @octets (@length octets) from the octets around it.
 * Return: false if octet @at is not of the pattern, or too few octets around it are.
 */
bool pattern_find(const struct pattern *pattern, const uint8_t *octets, size_t length, size_t at,
		  struct origin *origin);

/* Returns a unique value of 64 bits. */
uint64_t pattern_name(const struct pattern *pattern, uint32_t number);

#endif
