// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Steps of the peer, of the ULP and of time (see step.h). */
#include "tests/fuzz/iwarp/step.h"
#include <string.h>
#include <linux/kernel.h>
#include "iwarp/wire/mpa.h"
#include "shim.h"
#include "tests/fuzz/iwarp/segment.h"

#define SECOND 1000000000ull

/* The ULP's wishes; numbers that are too large are refused. */
static struct hca_connect step_wishes(struct fuzz_input *in)
{
	static const u8 private_data[HCA_MPA_PRIVATE_MAX + 8];

	return (struct hca_connect){
		.ird = fuzz_octet(in) % 130, .ord = fuzz_octet(in) % 130,
		.private_length = fuzz_octet(in) * 2 + 4, .private_data = private_data,
	};
}

static void step_octets(struct fuzz_input *in)
{
	u8 octets[255], count = fuzz_octet(in), cut = fuzz_octet(in);
	u32 length = fuzz_octets(in, octets, count);

	fuzz.is_out_of_step = true;
	fuzz_send(octets, length, cut);
}

static void step_fin(struct fuzz_input *in)
{
	fuzz.model->stream.ops->close(&fuzz.model->stream);
}

static void step_reset(struct fuzz_input *in)
{
	fuzz.model->stream.ops->reset(&fuzz.model->stream);
}

static void step_time(struct fuzz_input *in)
{
	shim_advance((fuzz_octet(in) + 1) * (SECOND / 100) * 8);
}

static void step_stall(struct fuzz_input *in)
{
	fuzz.is_stalled = !fuzz.is_stalled;
}

static void step_modify(struct fuzz_input *in)
{
	static const u8 states[] = { IB_QPS_SQD, IB_QPS_SQE, IB_QPS_ERR, IB_QPS_RESET };

	if (!fuzz.is_destroyed)
		fuzz_modify(states[fuzz_octet(in) % ARRAY_SIZE(states)]);
}

/* ORD can be lowered. */
static void step_ord(struct fuzz_input *in)
{
	struct hca_qp_attr attr = { .max_rd_atomic = fuzz_octet(in) };

	if (!fuzz.is_destroyed)
		hca_qp_modify(fuzz.qp, &attr, IB_QP_MAX_QP_RD_ATOMIC);
}

static void step_send(struct fuzz_input *in)
{
	if (!fuzz.is_destroyed)
		fuzz_post_send(in);
}

static void step_recv(struct fuzz_input *in)
{
	if (!fuzz.is_destroyed)
		fuzz_post_recv(in);
}

static int fuzz_accept(const struct hca_connect *wishes)
{
	int ret;

	ret = hca_startup_accept(&fuzz.ep, fuzz.it, wishes);
	fuzz.is_accepted |= !ret;
	return ret;
}

static void step_accept(struct fuzz_input *in)
{
	struct hca_connect wishes = step_wishes(in);

	if (!fuzz.is_destroyed && fuzz.reported[HCA_ENDPOINT_CONNECT_REQUEST])
		fuzz_accept(&wishes);
}

static void step_reject(struct fuzz_input *in)
{
	struct hca_connect wishes = step_wishes(in);

	if (fuzz.reported[HCA_ENDPOINT_CONNECT_REQUEST])
		hca_startup_reject(&fuzz.ep, &wishes);
}

static void step_no_memory(struct fuzz_input *in)
{
	shim_fail_alloc(1 + fuzz_octet(in) % 8);
}

static void step_deregister(struct fuzz_input *in)
{
	fuzz_deregister(fuzz_octet(in) % FUZZ_MRS);
}

static void step_remove_device(struct fuzz_input *in)
{
	hca_rnic_fail(&fuzz.rnic);
	fuzz.is_modified = true;
}

/* An endpoint that has gone is not used any more. */
static void step_destroy(struct fuzz_input *in)
{
	if (fuzz.is_destroyed)
		return;
	hca_qp_destroy(fuzz.qp);
	fuzz.is_destroyed = true;
}

static void (*const steps[])(struct fuzz_input *in) = {
	step_octets, fuzz_send_segment, fuzz_send_ulpdu, step_send, step_recv, step_fin,
	step_reset, step_time, step_stall, step_modify, step_ord, step_accept, step_reject,
	step_no_memory, step_deregister, step_remove_device, step_destroy,
};

void fuzz_steps(struct fuzz_input *in)
{
	while (in->left) {
		steps[fuzz_octet(in) % ARRAY_SIZE(steps)](in);
		fuzz_settle();
	}
}

void fuzz_listen(void)
{
	fuzz.is_begun = true;
	hca_startup_listen(&fuzz.ep);
	fuzz_settle();
}

void fuzz_connect(struct fuzz_input *in)
{
	struct hca_connect wishes = step_wishes(in);

	fuzz.is_initiator = true;
	fuzz.is_begun = !hca_startup_connect(&fuzz.ep, fuzz.it, &wishes);
	fuzz_settle();
}

static void step_frame(struct hca_mpa_frame *frame)
{
	u8 octets[HCA_MPA_FRAME_MAX];

	fuzz_send(octets, hca_mpa_pack(frame, octets), 0);
	fuzz.position = 0;
}

/* Octet: the role, CRC, markers. */
void fuzz_start(struct fuzz_input *in)
{
	const struct hca_connect wishes = { .ird = 4, .ord = 4 };
	u8 how = fuzz_octet(in);
	struct hca_mpa_frame frame = {
		.is_reply = how & 0x01, .crc = how & 0x02, .markers = how & 0x04,
		.revision = HCA_MPA_REVISION_1,
	};

	fuzz.is_begun = true;
	if (how & 0x01) {
		fuzz.rnic.options.revision = 1;
		fuzz.is_initiator = true;
		fuzz_require(!hca_startup_connect(&fuzz.ep, fuzz.it, &wishes));
		fuzz_settle();
		step_frame(&frame);
		fuzz_require(fuzz.reported[HCA_ENDPOINT_CONNECT_REPLY]);
	} else {
		fuzz_listen();
		step_frame(&frame);
		fuzz_require(!fuzz_accept(&wishes));
		fuzz_settle();
	}
}
