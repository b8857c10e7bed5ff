// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Segments that the peer of the fuzzers sends (see segment.h). */
#include "tests/fuzz/iwarp/segment.h"
#include <string.h>
#include <linux/kernel.h>
#include "compat.h"
#include "iwarp/wire/ddp.h"
#include "iwarp/wire/fpdu.h"
#include "iwarp/wire/rdmap.h"

#define PAYLOAD_MAX 8000 /* octets, more than an MR has */
#define OLDEST_READ FUZZ_MRS /* an STag: that of the sink of the oldest Read */

/* Bits of the first octet of a segment, behind the opcode. */
#define SEGMENT_MORE 0x10 /* not the last one of its message */
#define SEGMENT_ODD 0x20 /* an octet of enum segment_odd follows */
#define SEGMENT_BAD_CRC 0x40
#define SEGMENT_CUT 0x80 /* an octet follows: the ULPDU has only its first octets */

enum segment_odd {
	ODD_VERSIONS = 0x01, /* of DDP and RDMAP: an octet follows */
	ODD_TAGGED = 0x02,
	ODD_QN = 0x04,
	ODD_MSN = 0x08,
	ODD_MO = 0x10,
	ODD_RESERVED = 0x20,
	ODD_ARRIVAL = 0x40, /* an octet follows: the FPDU arrives in pieces of so many octets */
	ODD_ULPDU_LENGTH = 0x80,
};

/* An FPDU and the faults that it has. */
struct segment {
	u8 ulpdu[HCA_DDP_BYTES_MAX + PAYLOAD_MAX];
	u32 octets;
	struct hca_ddp ddp;
	u8 opcode, odd, versions, arrival;
	u16 length_error;
	bool has_bad_crc;
};

/* An STag, and a TO that may be one of its memory. */
static void segment_pick_memory(struct fuzz_input *in, u32 *stag, u64 *to)
{
	const struct fuzz_request *read = fuzz_oldest_read();
	u8 which = fuzz_octet(in);
	s16 offset = fuzz_number(in, 2);

	if (which == OLDEST_READ && read) {
		*stag = read->length && fuzz.mr[read->mr] ? fuzz.mr[read->mr]->key : 0;
		*to = read->length ? fuzz_address(read->mr, read->offset + fuzz.response) : 0;
	} else if (which < FUZZ_MRS && fuzz.mr[which]) {
		*stag = fuzz.mr[which]->key;
		*to = fuzz_address(which, offset);
	} else {
		*stag = fuzz_number(in, 4);
		*to = fuzz_number(in, 8);
	}
}

/* The payload of a Read Request. */
static u32 segment_read_request(struct fuzz_input *in, u8 *payload)
{
	struct hca_read_request request = { 0 };

	segment_pick_memory(in, &request.source_stag, &request.source_to);
	request.size = fuzz_number(in, 2);
	if (request.size == 0xffff)
		request.size = fuzz_number(in, 4);
	request.sink_stag = 0x77;
	request.sink_to = 0x1000;
	hca_read_request_pack(&request, payload);
	return HCA_READ_REQUEST_BYTES;
}

static u32 segment_fill(struct fuzz_input *in, u8 *payload)
{
	u32 length = fuzz_number(in, 2) % PAYLOAD_MAX;

	memset(payload, 0xc0 + length % 32, length);
	return length;
}

static u32 segment_payload(struct fuzz_input *in, u8 opcode, u8 *payload)
{
	if (opcode == HCA_RDMAP_READ_REQUEST)
		return segment_read_request(in, payload);
	if (opcode == HCA_RDMAP_TERMINATE)
		return fuzz_octets(in, payload, fuzz_octet(in));
	return segment_fill(in, payload);
}

static u32 segment_qn(u8 opcode)
{
	return opcode == HCA_RDMAP_READ_REQUEST ? HCA_QN_READ_REQUEST :
	       opcode == HCA_RDMAP_TERMINATE ? HCA_QN_TERMINATE : HCA_QN_SEND;
}

static void segment_untagged(struct fuzz_input *in, struct segment *s)
{
	u32 qn = segment_qn(s->opcode);
	u64 ignored;

	s->ddp.qn = qn;
	s->ddp.msn = fuzz.msn[qn];
	s->ddp.mo = qn == HCA_QN_SEND ? fuzz.mo : 0;
	s->ddp.ulp_tail = 0;
	if (s->opcode == HCA_RDMAP_SEND_INVALIDATE || s->opcode == HCA_RDMAP_SEND_SE_INVALIDATE)
		segment_pick_memory(in, &s->ddp.ulp_tail, &ignored);
	if (s->odd & ODD_QN)
		s->ddp.qn = fuzz_octet(in);
	if (s->odd & ODD_MSN)
		s->ddp.msn += (s8)fuzz_octet(in);
	if (s->odd & ODD_MO)
		s->ddp.mo += (s32)fuzz_number(in, 4);
}

static void segment_header(struct fuzz_input *in, struct segment *s, u8 how)
{
	bool tagged = s->opcode == HCA_RDMAP_WRITE || s->opcode == HCA_RDMAP_READ_RESPONSE;

	s->ddp = (struct hca_ddp){
		.tagged = tagged ^ !!(s->odd & ODD_TAGGED),
		.last = !(how & SEGMENT_MORE),
		.version = s->odd & ODD_VERSIONS ? s->versions : HCA_DDP_VERSION,
		.ulp = (s->odd & ODD_VERSIONS ? s->versions & 0xc0 : 0x40) | s->opcode |
		       (s->odd & ODD_RESERVED ? 0x30 : 0),
	};
	if (s->ddp.tagged)
		segment_pick_memory(in, &s->ddp.stag, &s->ddp.to);
	else
		segment_untagged(in, s);
}

static void segment_make(struct fuzz_input *in, struct segment *s)
{
	u8 how = fuzz_octet(in);
	u32 header;

	memset(s, 0, sizeof(*s));
	s->opcode = how & 0x0f;
	s->has_bad_crc = how & SEGMENT_BAD_CRC;
	s->odd = how & SEGMENT_ODD ? fuzz_octet(in) : 0;
	if (s->odd & ODD_VERSIONS)
		s->versions = fuzz_octet(in);
	if (s->odd & ODD_ARRIVAL)
		s->arrival = fuzz_octet(in);
	if (s->odd & ODD_ULPDU_LENGTH)
		s->length_error = fuzz_octet(in);
	segment_header(in, s, how);
	header = hca_ddp_pack(&s->ddp, s->ulpdu);
	s->octets = header + segment_payload(in, s->opcode, s->ulpdu + header);
	if (how & SEGMENT_CUT)
		s->octets = min_t(u32, s->octets, fuzz_octet(in));
}

/* The peer counts as if the segment had been received. */
static void segment_count(const struct segment *s)
{
	u32 qn = segment_qn(s->opcode), payload;

	payload = s->octets - min_t(u32, s->octets, s->ddp.tagged ? HCA_DDP_TAGGED_BYTES :
								     HCA_DDP_UNTAGGED_BYTES);
	if (s->opcode == HCA_RDMAP_READ_RESPONSE)
		fuzz.response = s->ddp.last ? 0 : fuzz.response + payload;
	if (s->ddp.tagged)
		return;
	if (qn == HCA_QN_SEND)
		fuzz.mo = s->ddp.last ? 0 : fuzz.mo + payload;
	fuzz.msn[qn] += s->ddp.last;
}

/* An FPDU with a wrong CRC changes nothing, and nothing behind it does. */
static void segment_send(const struct segment *s)
{
	static u8 fpdu[HCA_FPDU_MAX];
	bool crc = fuzz.ep.own.crc || fuzz.ep.peer.crc;
	struct hca_fpdu_tx tx;
	u32 octets;

	hca_fpdu_begin(&tx, fpdu, s->octets, fuzz.position, fuzz.ep.own.markers);
	hca_fpdu_put(&tx, s->ulpdu, s->octets);
	octets = hca_fpdu_end(&tx, crc);
	if (s->has_bad_crc)
		fpdu[octets - 1] ^= 0xff;
	if (s->length_error) {
		u8 *length = fpdu + (fuzz.ep.own.markers && fuzz.position % 512 == 0 ? 4 : 0);

		put_unaligned_be16(s->octets + s->length_error, length);
	}
	if (s->has_bad_crc && crc && !fuzz.is_out_of_step && !s->length_error)
		fuzz.is_frozen = true;
	fuzz.is_out_of_step |= s->length_error;
	fuzz_send(fpdu, octets, s->arrival);
}

void fuzz_send_segment(struct fuzz_input *in)
{
	static struct segment s;

	segment_make(in, &s);
	segment_send(&s);
	segment_count(&s);
}

void fuzz_send_ulpdu(struct fuzz_input *in)
{
	static struct segment s;
	u8 how = fuzz_octet(in);

	memset(&s, 0, sizeof(s));
	s.arrival = fuzz_octet(in);
	s.has_bad_crc = how & 0x80;
	s.octets = fuzz_octets(in, s.ulpdu, how & 0x7f);
	segment_send(&s);
}
