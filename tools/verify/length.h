/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Draws lengths of messages. */
#ifndef HCAVERIFY_LENGTH_H
#define HCAVERIFY_LENGTH_H

#include "tools/lib/rng.h"

/*
 * Returns a random number of octets from @min to @max. Half of the numbers are special ones, such
 * as a multiple of the @mtu; the others have any magnitude.
 */
uint32_t length_draw(struct rng *rng, uint32_t min, uint32_t max, uint32_t mtu);

#endif
