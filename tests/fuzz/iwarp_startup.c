// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * For libFuzzer: MPA's start-up of an RNIC, as the responder or the initiator, with any options and
 * any ULP. The octets of the peer are the input, which also cuts them into pieces.
 */
#include "tests/fuzz/iwarp/step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };

	fuzz_begin(&in);
	if (fuzz_octet(&in) & 1)
		fuzz_connect(&in);
	else
		fuzz_listen();
	fuzz_steps(&in);
	fuzz_end();
	return 0;
}
