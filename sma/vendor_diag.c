// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * VendorDiag: diagnostic data of the node (req C4-248). A software node has no faults to report,
 * and PortInfo.DiagCode says so. The chain of diagnostic records therefore has one element.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "sma/attribute.h"

#define HCA_DIAG_DATA 2 /* octet after NextIndex, which is 0: no further record follows */

u16 hca_vendor_diag_get(struct hca_mad_request *rq)
{
	static const char text[] = "no fault";

	if (rq->modifier)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	memcpy(rq->out + HCA_DIAG_DATA, text, sizeof(text));
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
