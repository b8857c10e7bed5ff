/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Draws lengths of messages. */
#ifndef HCAVERIFY_LENGTH_H
#define HCAVERIFY_LENGTH_H

#include "tools/lib/rng.h"

/*
 * Returns a random length from @min to @max octets. Half of the lengths are special ones, such as
 * multiples of @mtu. The other half have any magnitude.
 */
uint32_t length_draw(struct rng *rng, uint32_t min, uint32_t max, uint32_t mtu);

#endif
