/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The headers of DDP segments, which are ULPDUs of MPA (RFC 5041, 4). */
#ifndef HCA_IWARP_WIRE_DDP_H
#define HCA_IWARP_WIRE_DDP_H

#include <linux/types.h>

#define HCA_DDP_TAGGED_BYTES 14
#define HCA_DDP_UNTAGGED_BYTES 18
#define HCA_DDP_BYTES_MAX HCA_DDP_UNTAGGED_BYTES
#define HCA_DDP_VERSION 1
#define HCA_DDP_FIRST_MSN 1 /* of each queue and direction */

/*
 * A header in host byte order. RsvdULP is what DDP carries for the layer above it: one octet in a
 * tagged segment, five in an untagged one (req P1-022).
 */
struct hca_ddp {
	bool tagged;
	bool last; /* the segment is the last one of its message */
	u8 version;
	u8 ulp; /* the first octet of RsvdULP */
	union {
		struct { /* tagged */
			u32 stag;
			u64 to;
		};
		struct { /* untagged */
			u32 ulp_tail; /* the other four octets of RsvdULP */
			u32 qn;
			u32 msn;
			u32 mo;
		};
	};
};

/**
 * hca_ddp_bytes() - octets of a DDP header
 * @control: its first octet
 *
 * Context: any.
 * Return: HCA_DDP_TAGGED_BYTES or HCA_DDP_UNTAGGED_BYTES.
 */
u32 hca_ddp_bytes(u8 control);

/**
 * hca_ddp_pack() - write a header in wire format
 * @ddp: header; reserved bits of the wire format become 0
 * @buf: HCA_DDP_BYTES_MAX octets to write
 *
 * Context: any.
 * Return: octets of the header.
 */
u32 hca_ddp_pack(const struct hca_ddp *ddp, u8 *buf);

/**
 * hca_ddp_parse() - read a header
 * @ddp: header to fill
 * @buf: octets of the segment
 * @len: number of octets of @buf
 *
 * Neither the version nor reserved bits are checked.
 *
 * Context: any.
 * Return: octets of the header; 0 if @len is less, and @ddp is not changed.
 */
u32 hca_ddp_parse(struct hca_ddp *ddp, const u8 *buf, u32 len);

#endif
