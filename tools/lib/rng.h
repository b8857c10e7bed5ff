/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Generates random numbers that a seed can repeat: splitmix64 (Steele, Lea, Flood 2014). A seed
 * gives one sequence on all machines, which is not secret.
 */
#ifndef HCA_TOOLS_RNG_H
#define HCA_TOOLS_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
	uint64_t state; /* state of the generator, initially the seed, which may be any number */
};

/**
 * rng_mix() - a bijection of 64 bits, in which each bit of the result depends on all bits of @x
 * @x: the number to mix
 */
static inline uint64_t rng_mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/**
 * rng_next() - the next number of the sequence, which has 64 bits
 * @rng: the sequence
 */
static inline uint64_t rng_next(struct rng *rng)
{
	return rng_mix(rng->state += 0x9e3779b97f4a7c15);
}

/**
 * rng_seed() - a sequence of its own for each purpose
 * @seed: the common seed of all purposes
 * @purpose: name of the purpose; its numbers do not depend on those drawn for other purposes
 */
static inline struct rng rng_seed(uint64_t seed, const char *purpose)
{
	struct rng rng = { seed };

	for (; *purpose; purpose++)
		rng.state = rng_next(&rng) ^ (unsigned char)*purpose;
	return rng;
}

/**
 * rng_below() - a number from 0 to @n - 1
 * @rng: the sequence
 * @n: the number of possible results, not 0
 */
static inline uint64_t rng_below(struct rng *rng, uint64_t n)
{
	return rng_next(rng) % n;
}

/**
 * rng_between() - a number from @low to @high, inclusive
 * @rng: the sequence
 * @low: the least result
 * @high: the largest result, less than 2^64 - 1 above @low
 */
static inline uint64_t rng_between(struct rng *rng, uint64_t low, uint64_t high)
{
	return low + rng_below(rng, high - low + 1);
}

/**
 * rng_one_in() - true with a probability of 1 / @n
 * @rng: the sequence
 * @n: the reciprocal of the probability
 */
static inline bool rng_one_in(struct rng *rng, unsigned int n)
{
	return !rng_below(rng, n);
}

/**
 * rng_shuffle() - the numbers 0 to @n - 1 in a random order
 * @rng: the sequence
 * @order: the place for the numbers
 * @n: number of numbers
 */
static inline void rng_shuffle(struct rng *rng, unsigned int *order, unsigned int n)
{
	unsigned int i, j;

	for (i = 0; i < n; i++) {
		j = rng_below(rng, i + 1);
		if (j < i)
			order[i] = order[j];
		order[j] = i;
	}
}

#endif
