/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Lengths of messages. */
#ifndef HCAVERIFY_LENGTH_H
#define HCAVERIFY_LENGTH_H

#include "tools/lib/rng.h"

/*
 * A random number of octets from @min to @max: most often one at which something changes, such as
 * a multiple of the @mtu, else one of any magnitude.
 */
uint32_t length_draw(struct rng *rng, uint32_t min, uint32_t max, uint32_t mtu);

#endif
