/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Generates sequences of random numbers by splitmix64 (Steele, Lea, Flood 2014). A seed yields the
 * same sequence on all machines. The numbers are not secret.
 */
#ifndef HCA_TOOLS_RNG_H
#define HCA_TOOLS_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
	/* state of the generator, which is initially the seed; any number is a valid seed */
	uint64_t state;
};

/**
 * rng_mix() - mix the bits of a number by a bijection
 * @x: the number to mix
 *
 * Return: a number of 64 bits. Each of its bits depends on all bits of @x.
 */
static inline uint64_t rng_mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/**
 * rng_next() - draw the next number of 64 bits
 * @rng: the sequence
 */
static inline uint64_t rng_next(struct rng *rng)
{
	return rng_mix(rng->state += 0x9e3779b97f4a7c15);
}

/**
 * rng_seed() - begin a sequence
 * @seed: any number, which sequences for several purposes may share
 * @purpose: name of the purpose; sequences with different names are independent of each other
 */
static inline struct rng rng_seed(uint64_t seed, const char *purpose)
{
	struct rng rng = { seed };

	for (; *purpose; purpose++)
		rng.state = rng_next(&rng) ^ (unsigned char)*purpose;
	return rng;
}

/**
 * rng_below() - draw a number from 0 to @n - 1
 * @rng: the sequence
 * @n: the number of possible results, which must not be 0
 */
static inline uint64_t rng_below(struct rng *rng, uint64_t n)
{
	return rng_next(rng) % n;
}

/**
 * rng_between() - draw a number from @low to @high, inclusive
 * @rng: the sequence
 * @low: the smallest result
 * @high: the largest result; @high - @low must be less than 2^64 - 1
 */
static inline uint64_t rng_between(struct rng *rng, uint64_t low, uint64_t high)
{
	return low + rng_below(rng, high - low + 1);
}

/**
 * rng_one_in() - draw a bool that is true with a probability of 1 / @n
 * @rng: the sequence
 * @n: the reciprocal of the probability
 */
static inline bool rng_one_in(struct rng *rng, unsigned int n)
{
	return !rng_below(rng, n);
}

/**
 * rng_shuffle() - write the numbers 0 to @n - 1 in a random order
 * @rng: the sequence
 * @order: array of @n entries, which is filled with the numbers
 * @n: how many numbers are written
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
