// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory that this end advertises for RDMA Read. */
#include "sdp/protocol/source.h"

void sdp_source_begin(struct sdp_source *source, u32 octets)
{
	*source = (struct sdp_source){ .left = octets };
}

enum sdp_fault sdp_source_read(struct sdp_source *source, u32 octets)
{
	if (!source->left)
		return SDP_FAULT_STATE;
	if (octets > source->left)
		return SDP_FAULT_FIELD;
	source->left -= octets;
	/* The peer ignores a SrcAvailCancel that crosses the last RdmaRdCompl. */
	if (!source->left)
		source->cancel = false;
	return SDP_OK;
}

enum sdp_fault sdp_source_refused(struct sdp_source *source)
{
	if (!source->left)
		return SDP_FAULT_STATE;
	*source = (struct sdp_source){ .refused = source->left };
	return SDP_OK;
}

bool sdp_source_override(struct sdp_source *source)
{
	if (!source->left)
		return false;
	*source = (struct sdp_source){ .refused = source->left, .overridden = true };
	return true;
}

void sdp_source_cancel(struct sdp_source *source)
{
	source->cancel = source->left;
}
