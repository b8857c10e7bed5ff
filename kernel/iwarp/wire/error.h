/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The errors that end an iWARP stream, as a Terminate message names them. */
#ifndef HCA_IWARP_WIRE_ERROR_H
#define HCA_IWARP_WIRE_ERROR_H

#include <linux/types.h>

/* The first two octets of a Terminate Control: Layer:4 EType:4 ErrorCode:8. */
#define HCA_IWARP_ERROR(layer, type, code) ((layer) << 12 | (type) << 8 | (code))

/*
 * The values of RDMAP (RFC 5040, figure 9), of DDP (RFC 5041, 8.2) and of MPA (RFC 5044, 8, and RFC
 * 6581, 10).
 */
enum hca_iwarp_error {
	/* RDMAP: local catastrophic error, with any code. */
	HCA_ERR_RDMAP_LOCAL = HCA_IWARP_ERROR(0, 0, 0x00),
	/* RDMAP: remote protection errors. */
	HCA_ERR_RDMAP_STAG = HCA_IWARP_ERROR(0, 1, 0x00),
	HCA_ERR_RDMAP_BOUNDS = HCA_IWARP_ERROR(0, 1, 0x01),
	HCA_ERR_RDMAP_ACCESS = HCA_IWARP_ERROR(0, 1, 0x02),
	HCA_ERR_RDMAP_STREAM_OF_STAG = HCA_IWARP_ERROR(0, 1, 0x03),
	HCA_ERR_RDMAP_WRAP = HCA_IWARP_ERROR(0, 1, 0x04),
	HCA_ERR_RDMAP_MAY_NOT_INVALIDATE = HCA_IWARP_ERROR(0, 1, 0x09),
	HCA_ERR_RDMAP_PROTECTION = HCA_IWARP_ERROR(0, 1, 0xff),
	/* RDMAP: remote operation errors. */
	HCA_ERR_RDMAP_VERSION = HCA_IWARP_ERROR(0, 2, 0x05),
	HCA_ERR_RDMAP_OPCODE = HCA_IWARP_ERROR(0, 2, 0x06),
	HCA_ERR_RDMAP_STREAM = HCA_IWARP_ERROR(0, 2, 0x07),
	HCA_ERR_RDMAP_GLOBAL = HCA_IWARP_ERROR(0, 2, 0x08),
	HCA_ERR_RDMAP_CANNOT_INVALIDATE = HCA_IWARP_ERROR(0, 2, 0x09),
	HCA_ERR_RDMAP_OPERATION = HCA_IWARP_ERROR(0, 2, 0xff),
	/* DDP: local catastrophic error. */
	HCA_ERR_DDP_LOCAL = HCA_IWARP_ERROR(1, 0, 0x00),
	/* DDP: errors of tagged segments. */
	HCA_ERR_DDP_STAG = HCA_IWARP_ERROR(1, 1, 0x00),
	HCA_ERR_DDP_BOUNDS = HCA_IWARP_ERROR(1, 1, 0x01),
	HCA_ERR_DDP_STREAM_OF_STAG = HCA_IWARP_ERROR(1, 1, 0x02),
	HCA_ERR_DDP_WRAP = HCA_IWARP_ERROR(1, 1, 0x03),
	HCA_ERR_DDP_TAGGED_VERSION = HCA_IWARP_ERROR(1, 1, 0x04),
	/* DDP: errors of untagged segments. */
	HCA_ERR_DDP_QN = HCA_IWARP_ERROR(1, 2, 0x01),
	HCA_ERR_DDP_NO_BUFFER = HCA_IWARP_ERROR(1, 2, 0x02),
	HCA_ERR_DDP_MSN = HCA_IWARP_ERROR(1, 2, 0x03),
	HCA_ERR_DDP_MO = HCA_IWARP_ERROR(1, 2, 0x04),
	HCA_ERR_DDP_TOO_LONG = HCA_IWARP_ERROR(1, 2, 0x05),
	HCA_ERR_DDP_UNTAGGED_VERSION = HCA_IWARP_ERROR(1, 2, 0x06),
	/* DDP: errors of the layer below it, with any code. */
	HCA_ERR_DDP_BELOW = HCA_IWARP_ERROR(1, 3, 0x00),
	/* MPA. */
	HCA_ERR_MPA_LOST = HCA_IWARP_ERROR(2, 0, 0x01),
	HCA_ERR_MPA_CRC = HCA_IWARP_ERROR(2, 0, 0x02),
	HCA_ERR_MPA_MARKER = HCA_IWARP_ERROR(2, 0, 0x03),
	HCA_ERR_MPA_FRAME = HCA_IWARP_ERROR(2, 0, 0x04),
	HCA_ERR_MPA_LOCAL = HCA_IWARP_ERROR(2, 0, 0x05),
	HCA_ERR_MPA_IRD = HCA_IWARP_ERROR(2, 0, 0x06),
	HCA_ERR_MPA_RTR = HCA_IWARP_ERROR(2, 0, 0x07),
	/* Not an error, and not a value of the wire. */
	HCA_IWARP_OK = 0x10000,
};

/* Header Control bits: what a Terminate message contains beside the error. */
enum hca_terminate_part {
	HCA_TERMINATE_M = 0x80, /* the DDP Segment Length */
	HCA_TERMINATE_D = 0x40, /* the DDP header of the segment with the error */
	HCA_TERMINATE_R = 0x20, /* its RDMAP header, that of a Read Request */
};

/**
 * hca_iwarp_error_str() - name of an error
 * @error: layer, type and code, any 16 bits
 *
 * Context: any.
 * Return: layer and meaning; NULL if the registries of RFC 6580 have no such error.
 */
const char *hca_iwarp_error_str(u16 error);

/**
 * hca_iwarp_error_parts() - what a Terminate message with an error is to contain
 * @error: layer, type and code, any 16 bits
 *
 * Context: any.
 * Return: bits of enum hca_terminate_part. HCA_TERMINATE_R is meant for Read Requests only.
 */
u8 hca_iwarp_error_parts(u16 error);

#endif
