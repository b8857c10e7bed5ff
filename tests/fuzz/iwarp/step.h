/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Steps of the fuzzers: the peer, the RNIC's ULP or time does something. */
#ifndef HCA_TESTS_FUZZ_IWARP_STEP_H
#define HCA_TESTS_FUZZ_IWARP_STEP_H

#include "tests/fuzz/iwarp/rnic.h"

/* Make the steps of the input, up to its end. */
void fuzz_steps(struct fuzz_input *in);

/* Listen, or connect, as the ULP. */
void fuzz_listen(void);
void fuzz_connect(struct fuzz_input *in);

/*
 * Start up in one go, so that the queue pair is in Full Operation: a peer that asks for CRCs and
 * for markers as the input says.
 */
void fuzz_start(struct fuzz_input *in);

#endif
