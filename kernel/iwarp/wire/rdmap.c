// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The table of RDMAP's messages, and the conversion of their headers. */
#include "iwarp/wire/rdmap.h"
#include "compat.h"

/* The octet that DDP carries for RDMAP, RV:2 reserved:2 Opcode:4. */
#define CONTROL_VERSION_SHIFT 6
#define CONTROL_OPCODE 0x0f

#define TERMINATE_CONTROL_BYTES 4

/* RFC 5040, figures 4 and 5 (req P1-033 to P1-041). */
const struct hca_rdmap_op hca_rdmap_ops[HCA_RDMAP_OPCODES] = {
	[HCA_RDMAP_WRITE] = {
		.name = "RDMA Write", .tagged = true, .has_payload = true,
	},
	[HCA_RDMAP_READ_REQUEST] = {
		.name = "RDMA Read Request", .qn = HCA_QN_READ_REQUEST,
		.header_bytes = HCA_READ_REQUEST_BYTES,
	},
	[HCA_RDMAP_READ_RESPONSE] = {
		.name = "RDMA Read Response", .tagged = true, .has_payload = true,
	},
	[HCA_RDMAP_SEND] = {
		.name = "Send", .qn = HCA_QN_SEND, .has_payload = true,
	},
	[HCA_RDMAP_SEND_INVALIDATE] = {
		.name = "Send with Invalidate", .qn = HCA_QN_SEND, .has_payload = true,
		.invalidates = true,
	},
	[HCA_RDMAP_SEND_SE] = {
		.name = "Send with SE", .qn = HCA_QN_SEND, .has_payload = true,
		.is_solicited = true,
	},
	[HCA_RDMAP_SEND_SE_INVALIDATE] = {
		.name = "Send with SE and Invalidate", .qn = HCA_QN_SEND, .has_payload = true,
		.invalidates = true, .is_solicited = true,
	},
	[HCA_RDMAP_TERMINATE] = {
		.name = "Terminate", .qn = HCA_QN_TERMINATE,
		.header_bytes = TERMINATE_CONTROL_BYTES,
	},
};

void hca_rdmap_header(struct hca_ddp *ddp, u8 opcode, u32 invalidate)
{
	const struct hca_rdmap_op *op = &hca_rdmap_ops[opcode];

	*ddp = (struct hca_ddp){
		.tagged = op->tagged,
		.last = true,
		.version = HCA_DDP_VERSION,
		.ulp = HCA_RDMAP_VERSION << CONTROL_VERSION_SHIFT | opcode,
	};
	if (op->tagged)
		return;
	ddp->ulp_tail = op->invalidates ? invalidate : 0;
	ddp->qn = op->qn;
	ddp->msn = HCA_DDP_FIRST_MSN;
}

/* Return: the error of a segment whose message does not belong to its buffer model or queue. */
static enum hca_iwarp_error place_error(const struct hca_ddp *ddp, const struct hca_rdmap_op *op)
{
	if (!op->name || op->tagged != ddp->tagged)
		return HCA_ERR_RDMAP_OPCODE;
	if (op->tagged || ddp->qn == op->qn)
		return HCA_IWARP_OK;
	return ddp->qn < HCA_QN_COUNT ? HCA_ERR_RDMAP_OPCODE : HCA_ERR_DDP_QN;
}

/*
 * Return whether a segment is too short for the headers of its message, so that it is hardly the
 * content of an FPDU. A message of the other buffer model is another error.
 */
static bool is_too_short(const struct hca_rdmap_segment *segment)
{
	return segment->op->tagged == segment->ddp.tagged &&
	       segment->length < segment->op->header_bytes;
}

/*
 * Whether a segment is longer than the untagged buffer, of the headers alone, that RDMAP has for it
 * (RFC 5041, 7.1). The end of a Terminate message may be anything, since its receiver makes of it
 * what it can.
 */
static bool is_too_long(const struct hca_rdmap_segment *segment)
{
	return !segment->op->has_payload && segment->opcode != HCA_RDMAP_TERMINATE &&
	       segment->length > segment->op->header_bytes;
}

enum hca_iwarp_error hca_rdmap_parse(struct hca_rdmap_segment *segment, const u8 *buf, u32 len)
{
	struct hca_ddp *ddp = &segment->ddp;
	enum hca_iwarp_error error;

	segment->header_bytes = hca_ddp_parse(ddp, buf, len);
	if (!segment->header_bytes)
		return HCA_ERR_MPA_MARKER;
	segment->opcode = ddp->ulp & CONTROL_OPCODE;
	segment->op = &hca_rdmap_ops[segment->opcode];
	segment->length = len - segment->header_bytes;
	if (is_too_short(segment))
		return HCA_ERR_MPA_MARKER;
	if (ddp->version != HCA_DDP_VERSION)
		return ddp->tagged ? HCA_ERR_DDP_TAGGED_VERSION : HCA_ERR_DDP_UNTAGGED_VERSION;
	if (ddp->ulp >> CONTROL_VERSION_SHIFT != HCA_RDMAP_VERSION)
		return HCA_ERR_RDMAP_VERSION;
	error = place_error(ddp, segment->op);
	if (error != HCA_IWARP_OK)
		return error;
	return is_too_long(segment) ? HCA_ERR_DDP_TOO_LONG : HCA_IWARP_OK;
}

void hca_read_request_pack(const struct hca_read_request *read, u8 *buf)
{
	put_unaligned_be32(read->sink_stag, buf);
	put_unaligned_be64(read->sink_to, buf + 4);
	put_unaligned_be32(read->size, buf + 12);
	put_unaligned_be32(read->source_stag, buf + 16);
	put_unaligned_be64(read->source_to, buf + 20);
}

void hca_read_request_parse(struct hca_read_request *read, const u8 *buf)
{
	read->sink_stag = get_unaligned_be32(buf);
	read->sink_to = get_unaligned_be64(buf + 4);
	read->size = get_unaligned_be32(buf + 12);
	read->source_stag = get_unaligned_be32(buf + 16);
	read->source_to = get_unaligned_be64(buf + 20);
}

void hca_read_request_advance(struct hca_read_request *read, u32 octets)
{
	read->sink_to += octets;
	read->source_to += octets;
	read->size -= octets;
}
