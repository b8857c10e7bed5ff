// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * For libFuzzer: DDP segments with right CRCs, whose headers are those of the input. Receive
 * requests and Reads are posted, so that each message finds what it needs.
 */
#include "tests/fuzz/iwarp/segment.h"
#include "tests/fuzz/iwarp/step.h"

/* An octet in front of each segment: the ULP posts something before. */
#define POST_RECV 0x01
#define POST_SEND 0x02

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };

	fuzz_begin(&in);
	fuzz_start(&in);
	while (in.left) {
		u8 how = fuzz_octet(&in);

		if (how & POST_RECV)
			fuzz_post_recv(&in);
		if (how & POST_SEND)
			fuzz_post_send(&in);
		fuzz_send_segment(&in);
		fuzz_settle();
	}
	fuzz_end();
	return 0;
}
