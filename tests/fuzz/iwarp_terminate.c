// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * For libFuzzer: Terminate messages. Any octets arrive as one, while requests of each kind are at
 * work; and one is made, and sent, for any error of any segment.
 */
#include <string.h>
#include <linux/bottom_half.h>
#include "iwarp/terminate.h"
#include "iwarp/wire/rdmap.h"
#include "tests/fuzz/iwarp/segment.h"
#include "tests/fuzz/iwarp/step.h"

static const u16 errors[] = {
	HCA_ERR_RDMAP_LOCAL, HCA_ERR_RDMAP_STAG, HCA_ERR_RDMAP_BOUNDS, HCA_ERR_RDMAP_ACCESS,
	HCA_ERR_RDMAP_STREAM_OF_STAG, HCA_ERR_RDMAP_WRAP, HCA_ERR_RDMAP_MAY_NOT_INVALIDATE,
	HCA_ERR_RDMAP_PROTECTION, HCA_ERR_RDMAP_VERSION, HCA_ERR_RDMAP_OPCODE,
	HCA_ERR_RDMAP_STREAM, HCA_ERR_RDMAP_GLOBAL, HCA_ERR_RDMAP_CANNOT_INVALIDATE,
	HCA_ERR_RDMAP_OPERATION, HCA_ERR_DDP_LOCAL, HCA_ERR_DDP_STAG, HCA_ERR_DDP_BOUNDS,
	HCA_ERR_DDP_STREAM_OF_STAG, HCA_ERR_DDP_WRAP, HCA_ERR_DDP_TAGGED_VERSION,
	HCA_ERR_DDP_QN, HCA_ERR_DDP_NO_BUFFER, HCA_ERR_DDP_MSN, HCA_ERR_DDP_MO,
	HCA_ERR_DDP_TOO_LONG, HCA_ERR_DDP_UNTAGGED_VERSION, HCA_ERR_DDP_BELOW,
	HCA_ERR_MPA_LOST, HCA_ERR_MPA_CRC, HCA_ERR_MPA_MARKER, HCA_ERR_MPA_FRAME,
	HCA_ERR_MPA_LOCAL, HCA_ERR_MPA_IRD, HCA_ERR_MPA_RTR,
};

/* Bits of the octet behind those of the start-up: requests that are at work. */
#define WORK_READS 0x01
#define WORK_SENDS 0x02
#define WORK_WRITES 0x04
#define IS_MADE 0x08 /* a message is made; otherwise one arrives */

static void terminate_work(u8 how)
{
	/* MR, offset, length, opcode. */
	static const u8 work[][6] = {
		{ FUZZ_RW, 0, 100, 0, 50, 2 }, { FUZZ_RW, 0, 200, 0, 60, 0 },
		{ FUZZ_RW, 1, 0, 0, 70, 1 },
	};
	int i, j;

	for (j = 0; j < 2; j++)
		for (i = 0; i < 3; i++)
			if (how & 1 << i)
				fuzz_post_send(&(struct fuzz_input){ work[i], sizeof(work[i]) });
}

/* The message that was made is the one that is sent; the first octets are its DDP header. */
static void terminate_make(struct fuzz_input *in)
{
	u16 error = errors[fuzz_octet(in) % ARRAY_SIZE(errors)];
	struct hca_rx_segment segment = { .length = fuzz_number(in, 2) };
	struct hca_terminate made, again;
	u8 packed[HCA_TERMINATE_MAX];
	u32 octets;

	segment.head_octets = min_t(u32, segment.length,
				    fuzz_octets(in, segment.head, sizeof(segment.head)));
	spin_lock_bh(&fuzz.qp->common.send_lock);
	hca_terminate_raise(fuzz.it, error, &segment, false);
	made = fuzz.it->terminate;
	hca_qp_kick(fuzz.qp);
	spin_unlock(&fuzz.qp->common.send_lock);
	hca_engine_run();
	local_bh_enable();
	octets = hca_terminate_pack(&made, packed);
	fuzz_require(octets <= sizeof(packed) && hca_terminate_parse(&again, packed, octets));
	fuzz_require(again.error == error && !again.swapped && again.parts == made.parts);
	fuzz_require(!memcmp(again.ddp, made.ddp, made.ddp_bytes));
	fuzz_settle();
}

/* The octets that are left arrive. */
static void terminate_arrive(struct fuzz_input *in)
{
	u8 segment[256] = { HCA_RDMAP_TERMINATE };

	segment[1] = min_t(size_t, in->left, 255);
	fuzz_send_segment(&(struct fuzz_input){ segment, 2 + fuzz_octets(in, segment + 2, 254) });
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const u8 write[] = { HCA_RDMAP_WRITE, 0, 0, 0, 0, 0 };
	struct fuzz_input in = { data, size };
	u8 how;

	fuzz_begin(&in);
	fuzz_start(&in);
	how = fuzz_octet(&in);
	fuzz_send_segment(&(struct fuzz_input){ write, sizeof(write) });
	terminate_work(how);
	if (how & IS_MADE && fuzz.qp->common.state == IB_QPS_RTS)
		terminate_make(&in);
	else
		terminate_arrive(&in);
	fuzz_end();
	return 0;
}
