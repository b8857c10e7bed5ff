// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Conversion of DDP headers to and from their wire format. */
#include "iwarp/wire/ddp.h"
#include "compat.h"

/* The first octet, T:1 L:1 reserved:4 DV:2. */
#define CONTROL_TAGGED 0x80
#define CONTROL_LAST 0x40
#define CONTROL_VERSION 0x03

u32 hca_ddp_bytes(u8 control)
{
	return control & CONTROL_TAGGED ? HCA_DDP_TAGGED_BYTES : HCA_DDP_UNTAGGED_BYTES;
}

u32 hca_ddp_pack(const struct hca_ddp *ddp, u8 *buf)
{
	buf[0] = (ddp->tagged ? CONTROL_TAGGED : 0) | (ddp->last ? CONTROL_LAST : 0) |
		 (ddp->version & CONTROL_VERSION);
	buf[1] = ddp->ulp;
	if (ddp->tagged) {
		put_unaligned_be32(ddp->stag, buf + 2);
		put_unaligned_be64(ddp->to, buf + 6);
	} else {
		put_unaligned_be32(ddp->ulp_tail, buf + 2);
		put_unaligned_be32(ddp->qn, buf + 6);
		put_unaligned_be32(ddp->msn, buf + 10);
		put_unaligned_be32(ddp->mo, buf + 14);
	}
	return hca_ddp_bytes(buf[0]);
}

u32 hca_ddp_parse(struct hca_ddp *ddp, const u8 *buf, u32 len)
{
	if (!len || len < hca_ddp_bytes(buf[0]))
		return 0;
	ddp->tagged = buf[0] & CONTROL_TAGGED;
	ddp->last = buf[0] & CONTROL_LAST;
	ddp->version = buf[0] & CONTROL_VERSION;
	ddp->ulp = buf[1];
	if (ddp->tagged) {
		ddp->stag = get_unaligned_be32(buf + 2);
		ddp->to = get_unaligned_be64(buf + 6);
	} else {
		ddp->ulp_tail = get_unaligned_be32(buf + 2);
		ddp->qn = get_unaligned_be32(buf + 6);
		ddp->msn = get_unaligned_be32(buf + 10);
		ddp->mo = get_unaligned_be32(buf + 14);
	}
	return hca_ddp_bytes(buf[0]);
}
