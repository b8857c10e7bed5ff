// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * For libFuzzer: a queue pair behind a finished start-up, in each state that it can have, with
 * requests, Reads included, and what the peer, the ULP and time do to it.
 */
#include "iwarp/wire/rdmap.h"
#include "tests/fuzz/iwarp/segment.h"
#include "tests/fuzz/iwarp/step.h"

#define STREAM_RECVS 2

/* Octet: the state; how many receive requests and Reads there are at the beginning. */
static void stream_prepare(struct fuzz_input *in)
{
	static const u8 states[] = { IB_QPS_SQD, IB_QPS_SQE, IB_QPS_ERR };
	static const u8 write[] = { HCA_RDMAP_WRITE, 0, 0, 0, 0, 0 };
	static const u8 recv[] = { FUZZ_LOCAL, 0, 0, 4, 0 };
	static const u8 read[] = { FUZZ_RW, 0, 100, 7, 0, 2 };
	u8 how = fuzz_octet(in), i;

	if (how & 0x08)
		fuzz_send_segment(&(struct fuzz_input){ write, sizeof(write) });
	for (i = 0; i < STREAM_RECVS; i++)
		if (how & 0x10 << i)
			fuzz_post_recv(&(struct fuzz_input){ recv, sizeof(recv) });
	for (i = 0; i < how >> 6; i++)
		fuzz_post_send(&(struct fuzz_input){ read, sizeof(read) });
	if (how & 0x07 && (how & 0x07) <= ARRAY_SIZE(states))
		fuzz_modify(states[(how & 0x07) - 1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };

	fuzz_begin(&in);
	fuzz_start(&in);
	stream_prepare(&in);
	fuzz_steps(&in);
	fuzz_end();
	return 0;
}
