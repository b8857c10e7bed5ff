/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What octets are made of. Eight of them at a time are a bijection, keyed by the seed, of whose
 * they are and of which place: so octets found anywhere can be asked where they come from.
 */
#ifndef HCAVERIFY_PATTERN_H
#define HCAVERIFY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum origin_kind {
	ORIGIN_MESSAGE = 1, /* @number: which */
	ORIGIN_MEMORY, /* before anything is written there; @number: whose, @offset: where */
	ORIGIN_SCRIBBLE, /* over the source of inline data; @number: of which message */
	ORIGIN_NAME, /* names of requests */
};

/*
 * @number has 28 bits, @offset 35. Numbers of messages have the group that they are of, for which
 * nothing else is taken, above them.
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

/* @length octets from @origin on. */
void pattern_fill(const struct pattern *pattern, struct origin origin, uint8_t *to, size_t length);

/* How many of @length octets are what is at @origin and behind it, up to the first that is not. */
size_t pattern_match(const struct pattern *pattern, struct origin origin, const uint8_t *octets,
		     size_t length);

/*
 * Where the octet at @at of the @length @octets comes from, as those around it tell.
 * Return: false if it is of no pattern, or too few of its neighbours are with it.
 */
bool pattern_find(const struct pattern *pattern, const uint8_t *octets, size_t length, size_t at,
		  struct origin *origin);

/* 64 bits that nothing else has. */
uint64_t pattern_name(const struct pattern *pattern, uint32_t number);

#endif
