/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The input of a fuzzer, from which numbers and octets are read; behind its end, all are 0. */
#ifndef HCA_TESTS_FUZZ_IWARP_INPUT_H
#define HCA_TESTS_FUZZ_IWARP_INPUT_H

#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>

struct fuzz_input {
	const u8 *data;
	size_t left;
};

static inline u8 fuzz_octet(struct fuzz_input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->data++;
}

/* A number of @count octets, the most significant one first. */
static inline u64 fuzz_number(struct fuzz_input *in, int count)
{
	u64 number = 0;

	while (count--)
		number = number << 8 | fuzz_octet(in);
	return number;
}

/* Copy at most @max octets. Returns their number. */
static inline u32 fuzz_octets(struct fuzz_input *in, u8 *octets, u32 max)
{
	u32 count = min_t(size_t, in->left, max);

	memcpy(octets, in->data, count);
	in->data += count;
	in->left -= count;
	return count;
}

#endif
