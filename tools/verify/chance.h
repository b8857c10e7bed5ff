/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Random numbers that a seed replays. */
#ifndef HCAVERIFY_CHANCE_H
#define HCAVERIFY_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chance {
	uint64_t state;
};

/* One for each @purpose, so that what one does does not change what another gets. */
struct chance chance_of(uint64_t seed, const char *purpose);

uint64_t chance_next(struct chance *chance);

/* 0 to @n - 1; @n is not 0. */
uint64_t chance_below(struct chance *chance, uint64_t n);

/* @low to @high, both of which can be. */
uint64_t chance_between(struct chance *chance, uint64_t low, uint64_t high);

/* True once in @n times. */
bool chance_once_in(struct chance *chance, unsigned int n);

/*
 * As many octets as a message may have: most often one where something changes, else of any
 * magnitude.
 */
uint32_t chance_length(struct chance *chance, uint32_t min, uint32_t max, uint32_t mtu);

/* The numbers 0 to @n - 1, in any order. */
void chance_order(struct chance *chance, unsigned int *order, unsigned int n);

#endif
