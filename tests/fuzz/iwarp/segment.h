/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Segments that the peer of the fuzzers sends: right ones, but for what the input changes. */
#ifndef HCA_TESTS_FUZZ_IWARP_SEGMENT_H
#define HCA_TESTS_FUZZ_IWARP_SEGMENT_H

#include "tests/fuzz/iwarp/rnic.h"

/* Send one segment as an FPDU. */
void fuzz_send_segment(struct fuzz_input *in);

/* Send octets of the input as the ULPDU of an FPDU. */
void fuzz_send_ulpdu(struct fuzz_input *in);

#endif
