// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The table of the errors that end an iWARP stream. */
#include "iwarp/wire/error.h"
#include <linux/kernel.h>

#define ANY_CODE 0xff00 /* mask of errors whose code has no meaning */

#define MD (HCA_TERMINATE_M | HCA_TERMINATE_D)
#define MDR (MD | HCA_TERMINATE_R)

/* Errors with a mask have any code. @parts: RFC 5040, figure 10 (req P1-085 to P1-089). */
static const struct {
	u16 error;
	u16 mask; /* bits of an error that are compared; 0: all */
	u8 parts; /* enum hca_terminate_part */
	const char *name;
} errors[] = {
	{ HCA_ERR_RDMAP_LOCAL, ANY_CODE, 0, "RDMAP: local catastrophic error" },
	{ HCA_ERR_RDMAP_STAG, 0, MDR, "RDMAP: invalid STag" },
	{ HCA_ERR_RDMAP_BOUNDS, 0, MDR, "RDMAP: base or bounds violation" },
	{ HCA_ERR_RDMAP_ACCESS, 0, MDR, "RDMAP: access rights violation" },
	{ HCA_ERR_RDMAP_STREAM_OF_STAG, 0, MDR, "RDMAP: STag not associated with stream" },
	{ HCA_ERR_RDMAP_WRAP, 0, MDR, "RDMAP: TO wrap" },
	{ HCA_ERR_RDMAP_MAY_NOT_INVALIDATE, 0, MD, "RDMAP: STag may not be invalidated" },
	{ HCA_ERR_RDMAP_PROTECTION, 0, MDR, "RDMAP: remote protection error" },
	{ HCA_ERR_RDMAP_VERSION, 0, MD, "RDMAP: invalid version" },
	{ HCA_ERR_RDMAP_OPCODE, 0, MD, "RDMAP: unexpected opcode" },
	{ HCA_ERR_RDMAP_STREAM, 0, MD, "RDMAP: catastrophic error of the stream" },
	{ HCA_ERR_RDMAP_GLOBAL, 0, MD, "RDMAP: catastrophic error of all streams" },
	{ HCA_ERR_RDMAP_CANNOT_INVALIDATE, 0, MD, "RDMAP: STag cannot be invalidated" },
	{ HCA_ERR_RDMAP_OPERATION, 0, MD, "RDMAP: remote operation error" },
	{ HCA_ERR_DDP_LOCAL, 0, 0, "DDP: local catastrophic error" },
	{ HCA_ERR_DDP_STAG, 0, MD, "DDP: invalid STag" },
	{ HCA_ERR_DDP_BOUNDS, 0, MD, "DDP: base or bounds violation" },
	{ HCA_ERR_DDP_STREAM_OF_STAG, 0, MD, "DDP: STag not associated with stream" },
	{ HCA_ERR_DDP_WRAP, 0, MD, "DDP: TO wrap" },
	{ HCA_ERR_DDP_TAGGED_VERSION, 0, MD, "DDP: invalid version of a tagged segment" },
	{ HCA_ERR_DDP_QN, 0, MD, "DDP: invalid QN" },
	{ HCA_ERR_DDP_NO_BUFFER, 0, MD, "DDP: no buffer for MSN" },
	{ HCA_ERR_DDP_MSN, 0, MD, "DDP: MSN out of range" },
	{ HCA_ERR_DDP_MO, 0, MD, "DDP: invalid MO" },
	{ HCA_ERR_DDP_TOO_LONG, 0, MD, "DDP: message too long for the buffer" },
	{ HCA_ERR_DDP_UNTAGGED_VERSION, 0, MD, "DDP: invalid version of an untagged segment" },
	{ HCA_ERR_DDP_BELOW, ANY_CODE, 0, "DDP: error of the layer below" },
	{ HCA_ERR_MPA_LOST, 0, 0, "MPA: TCP connection lost" },
	{ HCA_ERR_MPA_CRC, 0, 0, "MPA: CRC error" },
	{ HCA_ERR_MPA_MARKER, 0, 0, "MPA: marker and ULPDU length disagree" },
	{ HCA_ERR_MPA_FRAME, 0, 0, "MPA: invalid request or reply frame" },
	{ HCA_ERR_MPA_LOCAL, 0, 0, "MPA: local catastrophic error" },
	{ HCA_ERR_MPA_IRD, 0, 0, "MPA: insufficient IRD" },
	{ HCA_ERR_MPA_RTR, 0, 0, "MPA: no matching RTR option" },
};

/* Return: the row of an error; ARRAY_SIZE(errors) if there is none. */
static unsigned int error_row(u16 error)
{
	unsigned int row;

	for (row = 0; row < ARRAY_SIZE(errors); row++)
		if ((error & (errors[row].mask ?: 0xffff)) == errors[row].error)
			break;
	return row;
}

const char *hca_iwarp_error_str(u16 error)
{
	unsigned int row = error_row(error);

	return row < ARRAY_SIZE(errors) ? errors[row].name : NULL;
}

u8 hca_iwarp_error_parts(u16 error)
{
	unsigned int row = error_row(error);

	return row < ARRAY_SIZE(errors) ? errors[row].parts : 0;
}
