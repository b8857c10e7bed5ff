// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Dissects and checks the octets of the TCP connections of RNICs. */
#include "fpdu.h"
#include <string.h>
#include "iwarp/wire/fpdu.h"
#include "packet.h"

/*
 * An FPDU all of whose octets are there. Octets beyond @captured were not captured, are 0, and are
 * not shown.
 */
struct whole {
	struct hca_octets range;
	struct hca_fpdu_rx rx;
	struct hca_ulpdu at;
	u32 captured;
};

/* Copies the next octets of the ULPDU. Return: the number of those that were captured. */
static u32 whole_copy(struct whole *whole, u8 *to, u32 octets)
{
	struct hca_octets part;
	u32 done = 0, end;

	while (done < octets) {
		part = hca_ulpdu_next(&whole->at, octets - done);
		end = part.data - whole->range.data + part.length;
		if (!part.length || end > whole->captured)
			break;
		memcpy(to + done, part.data, part.length);
		done += part.length;
	}
	return done;
}

static void decode_message(struct fpdu *fpdu, struct whole *whole)
{
	u8 octets[HCA_TERMINATE_MAX];
	u32 count;

	if (fpdu->ddp.tagged)
		return;
	if (fpdu->opcode == HCA_RDMAP_READ_REQUEST) {
		count = whole_copy(whole, octets, HCA_READ_REQUEST_BYTES);
		fpdu->has_read = count == HCA_READ_REQUEST_BYTES;
		if (fpdu->has_read)
			hca_read_request_parse(&fpdu->read, octets);
	} else if (fpdu->opcode == HCA_RDMAP_TERMINATE) {
		count = fpdu->payload < sizeof(octets) ? fpdu->payload : sizeof(octets);
		count = whole_copy(whole, octets, count);
		fpdu->has_terminate = hca_terminate_parse(&fpdu->terminate, octets, count);
	}
}

static void decode_headers(struct fpdu *fpdu, struct whole *whole)
{
	u32 length = whole->rx.length, bytes;
	u8 head[HCA_DDP_BYTES_MAX];
	struct hca_rdmap_segment segment;
	enum hca_iwarp_error error;

	hca_ulpdu_begin(&whole->at, &whole->rx);
	if (whole_copy(whole, head, 1) != 1)
		return;
	bytes = hca_ddp_bytes(head[0]);
	if (length < bytes || whole_copy(whole, head + 1, bytes - 1) != bytes - 1)
		return;
	hca_ddp_parse(&fpdu->ddp, head, bytes);
	fpdu->has_header = true;
	fpdu->opcode = fpdu->ddp.ulp & (HCA_RDMAP_OPCODES - 1);
	fpdu->payload = length - bytes;
	error = hca_rdmap_parse(&segment, head, length);
	if (error != HCA_IWARP_OK)
		fpdu->fault = hca_iwarp_error_str(error);
	decode_message(fpdu, whole);
}

static enum fpdu_state state_of(const struct packet *packet, const struct whole *whole)
{
	bool crc = packet->stream.flags & HCA_TAP_CRC;

	if (packet->captured < packet->length)
		return FPDU_CUT;
	switch (hca_fpdu_check(&whole->rx, crc)) {
	case HCA_IWARP_OK:
		return crc ? FPDU_GOOD : FPDU_UNCHECKED;
	case HCA_ERR_MPA_CRC:
		return FPDU_WRONG_CRC;
	default:
		return FPDU_WRONG_MARKER;
	}
}

static void decode_fpdu(struct packet *packet)
{
	static u8 octets[HCA_FPDU_MAX];
	struct whole whole = { .range = { octets, sizeof(octets) } };
	u64 position = packet->stream.offset - packet->stream.start;
	u32 needed;

	whole.captured = packet->captured < sizeof(octets) ? packet->captured : sizeof(octets);
	memcpy(octets, packet->octets, whole.captured);
	memset(octets + whole.captured, 0, sizeof(octets) - whole.captured);
	needed = hca_fpdu_parse(&whole.rx, &whole.range, 1, position,
				packet->stream.flags & HCA_TAP_MARKERS);
	packet->fpdu.state = FPDU_WRONG_MARKER;
	if (needed != packet->length || whole.rx.bytes != packet->length) {
		if (packet->captured < packet->length)
			packet->fpdu.state = FPDU_CUT;
		return;
	}
	packet->fpdu.state = state_of(packet, &whole);
	decode_headers(&packet->fpdu, &whole);
}

static void decode_startup(struct packet *packet)
{
	struct hca_mpa_frame *frame = &packet->fpdu.frame;
	u8 octets[HCA_MPA_FRAME_MAX] = { 0 };
	u32 count = packet->captured < sizeof(octets) ? packet->captured : sizeof(octets);
	bool is_reply;

	memcpy(octets, packet->octets, count);
	if (count < HCA_MPA_HEADER_BYTES)
		return;
	/* The ninth octet of a key and the next one tell a reply from a request. */
	for (is_reply = false; ; is_reply = true) {
		packet->fpdu.has_frame = hca_mpa_parse(frame, octets, sizeof(octets), is_reply) ==
					 HCA_MPA_OK;
		if (packet->fpdu.has_frame || is_reply)
			break;
	}
	if (frame->bytes != packet->length)
		packet->fpdu.has_frame = false;
}

void fpdu_decode(struct packet *packet)
{
	packet->fpdu = (struct fpdu){ .state = FPDU_CUT };
	if (packet->stream.flags & HCA_TAP_STARTUP)
		decode_startup(packet);
	else
		decode_fpdu(packet);
}

const char *fpdu_fault(const struct packet *packet, bool *cut)
{
	*cut = packet->captured < packet->length;
	if (*cut)
		return NULL;
	if (packet->stream.flags & HCA_TAP_STARTUP)
		return packet->fpdu.has_frame ? NULL : "not a start-up frame";
	switch (packet->fpdu.state) {
	case FPDU_WRONG_CRC:
		return "CRC wrong";
	case FPDU_WRONG_MARKER:
		return "marker or length wrong";
	default:
		return packet->fpdu.has_header ? packet->fpdu.fault : "too short for its header";
	}
}

const char *fpdu_name(const struct packet *packet)
{
	const struct fpdu *fpdu = &packet->fpdu;

	if (packet->stream.flags & HCA_TAP_STARTUP) {
		if (!fpdu->has_frame)
			return "MPA frame";
		return !fpdu->frame.is_reply ? "MPA request" :
		       fpdu->frame.rejected ? "MPA rejection" : "MPA reply";
	}
	if (!fpdu->has_header)
		return "not understood";
	return hca_rdmap_ops[fpdu->opcode].name ?: "reserved opcode";
}

const char *fpdu_crc_text(const struct packet *packet)
{
	static const char *const texts[] = {
		[FPDU_GOOD] = "good", [FPDU_UNCHECKED] = "unused", [FPDU_CUT] = "cut",
		[FPDU_WRONG_CRC] = "wrong", [FPDU_WRONG_MARKER] = "unknown",
	};

	return texts[packet->fpdu.state];
}
