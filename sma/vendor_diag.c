// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * VendorDiag: what is wrong with the node (C4-248). Nothing can be, with what is but software, and
 * PortInfo.DiagCode says so. So the chain has one link.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "sma/attribute.h"

#define HCA_DIAG_DATA 2 /* behind NextIndex, which is 0: there is no further */

u16 hca_vendor_diag_get(struct hca_mad_request *rq)
{
	static const char text[] = "no fault";

	if (rq->modifier)
		return HCA_MAD_BAD_VALUE;
	memcpy(rq->out + HCA_DIAG_DATA, text, sizeof(text));
	return HCA_MAD_OK;
}
