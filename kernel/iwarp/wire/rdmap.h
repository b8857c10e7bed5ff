/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The messages of RDMAP as DDP carries them: their opcodes and headers (RFC 5040, 4). */
#ifndef HCA_IWARP_WIRE_RDMAP_H
#define HCA_IWARP_WIRE_RDMAP_H

#include <linux/types.h>
#include "iwarp/wire/ddp.h"
#include "iwarp/wire/error.h"

#define HCA_RDMAP_VERSION 1
#define HCA_READ_REQUEST_BYTES 28

enum hca_rdmap_opcode {
	HCA_RDMAP_WRITE = 0,
	HCA_RDMAP_READ_REQUEST = 1,
	HCA_RDMAP_READ_RESPONSE = 2,
	HCA_RDMAP_SEND = 3,
	HCA_RDMAP_SEND_INVALIDATE = 4,
	HCA_RDMAP_SEND_SE = 5,
	HCA_RDMAP_SEND_SE_INVALIDATE = 6,
	HCA_RDMAP_TERMINATE = 7,
	HCA_RDMAP_OPCODES = 16, /* values of the field; the others are reserved */
};

/* Queue numbers of untagged messages. */
enum hca_rdmap_qn {
	HCA_QN_SEND = 0,
	HCA_QN_READ_REQUEST = 1,
	HCA_QN_TERMINATE = 2,
	HCA_QN_COUNT = 3,
};

/* A kind of message. */
struct hca_rdmap_op {
	const char *name; /* NULL: the opcode is reserved */
	bool tagged;
	bool has_payload; /* octets behind the headers are the ULP's */
	bool invalidates; /* the message names an STag to invalidate */
	bool is_solicited; /* the receiver is to raise a solicited event */
	u8 qn; /* of untagged messages, enum hca_rdmap_qn */
	u8 header_bytes; /* octets of RDMAP's header behind that of DDP, at least */
};

extern const struct hca_rdmap_op hca_rdmap_ops[HCA_RDMAP_OPCODES];

/* The header of a Read Request. */
struct hca_read_request {
	u32 sink_stag;
	u64 sink_to;
	u32 size;
	u32 source_stag;
	u64 source_to;
};

/* A segment, as its headers describe it. */
struct hca_rdmap_segment {
	struct hca_ddp ddp;
	const struct hca_rdmap_op *op;
	u8 opcode;
	u32 header_bytes; /* of the DDP header */
	u32 length; /* octets behind the DDP header */
};

/**
 * hca_rdmap_header() - make the DDP header of a message's first segment
 * @ddp: header to fill; the caller sets @stag and @to of a tagged message, and @msn of others
 * @opcode: the message, not a reserved opcode
 * @invalidate: STag to invalidate; ignored if the message names none
 *
 * Context: any.
 */
void hca_rdmap_header(struct hca_ddp *ddp, u8 opcode, u32 invalidate);

/**
 * hca_rdmap_parse() - read the headers of a segment
 * @segment: filled in
 * @buf: the first octets of the ULPDU: @len, or HCA_DDP_BYTES_MAX if @len is more
 * @len: octets of the whole ULPDU
 *
 * The function checks the length against the headers first, then versions, opcode and queue, and
 * whether a Read Request is too long. The caller compares MSN, MO and the last segment with what
 * its queue expects.
 *
 * Context: any.
 * Return: HCA_IWARP_OK; otherwise the error that ends the stream, and @segment is undefined.
 */
enum hca_iwarp_error hca_rdmap_parse(struct hca_rdmap_segment *segment, const u8 *buf, u32 len);

/**
 * hca_read_request_pack() - write the header of a Read Request in wire format
 * @read: the header
 * @buf: HCA_READ_REQUEST_BYTES octets to write
 *
 * Context: any.
 */
void hca_read_request_pack(const struct hca_read_request *read, u8 *buf);

/**
 * hca_read_request_parse() - read the header of a Read Request
 * @read: header to fill
 * @buf: HCA_READ_REQUEST_BYTES octets
 *
 * Context: any.
 */
void hca_read_request_parse(struct hca_read_request *read, const u8 *buf);

/**
 * hca_read_request_advance() - make a Read Request that of what is left to be read
 * @read: the header
 * @octets: number of octets that were sent in response, at most its size
 *
 * Context: any.
 */
void hca_read_request_advance(struct hca_read_request *read, u32 octets);

#endif
