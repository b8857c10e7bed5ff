// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory that the peer advertises for RDMA Read. */
#include "sdp/protocol/sink.h"
#include <linux/minmax.h>
#include <linux/string.h>

static void sink_refuse(struct sdp_sink *sink, u32 left)
{
	sink->refused_left[sink->refused++] = left;
}

void sdp_sink_advertised(struct sdp_sink *sink, const struct sdp_advert *advert, u32 payload)
{
	if (advert->len == payload) {
		sink_refuse(sink, 0);
		return;
	}
	if (sink->advert.len || sink->read) {
		sink->next = *advert;
		return;
	}
	sink->advert = *advert;
	sink->advert.len -= payload;
	sink->advert.addr += payload;
}

void sdp_sink_read_begin(struct sdp_sink *sink, u32 octets, struct sdp_advert *part)
{
	*part = sink->advert;
	part->len = min(part->len, octets);
	sink->reading = true;
}

static void sink_refuse_rest(struct sdp_sink *sink)
{
	if (sink->advert.len)
		sink_refuse(sink, sink->advert.len);
	if (sink->next.len)
		sink_refuse(sink, sink->next.len);
	sink->advert.len = 0;
	sink->next.len = 0;
	if (sink->canceled) {
		sink->refused = min(sink->refused, 1u);
		sink->refused_left[0] = 0;
		sink->expected = 0;
	}
	sink->refusing = false;
	sink->canceled = false;
}

void sdp_sink_read_end(struct sdp_sink *sink, u32 octets)
{
	sink->reading = false;
	sink->read += octets;
	sink->advert.len -= octets;
	sink->advert.addr += octets;
	if (sink->refusing)
		sink_refuse_rest(sink);
}

u32 sdp_sink_report(struct sdp_sink *sink)
{
	u32 octets = sink->read;

	sink->read = 0;
	if (!sink->advert.len) {
		sink->advert = sink->next;
		sink->next.len = 0;
	}
	return octets;
}

void sdp_sink_refused(struct sdp_sink *sink)
{
	sink->refused--;
	sink->expected += sink->refused_left[0];
	memmove(sink->refused_left, sink->refused_left + 1,
		sink->refused * sizeof(sink->refused_left[0]));
}

bool sdp_sink_payload(struct sdp_sink *sink, u32 octets)
{
	if (octets <= sink->expected) {
		sink->expected -= octets;
		return true;
	}
	sink->expected = 0;
	return !sdp_sink_is_advertised(sink);
}

void sdp_sink_refuse(struct sdp_sink *sink)
{
	if (sink->reading)
		sink->refusing = true;
	else
		sink_refuse_rest(sink);
}

void sdp_sink_cancel(struct sdp_sink *sink)
{
	sink->canceled = true;
	sdp_sink_refuse(sink);
}
