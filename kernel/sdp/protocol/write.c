// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory that the peer advertises for RDMA Write. */
#include "sdp/protocol/write.h"
#include <linux/string.h>

bool sdp_write_is_stale(struct sdp_write *write, const struct sdp_advert *advert)
{
	if (advert->non_discards == write->non_discards)
		return false;
	write->non_discards--;
	return true;
}

void sdp_write_ignore(struct sdp_write *write, const struct sdp_advert *advert)
{
	if (advert->non_discards == write->non_discards_left)
		return;
	write->non_discards_left--;
	write->non_discards--;
}

void sdp_write_mode_left(struct sdp_write *write)
{
	write->count = 0;
	write->non_discards_left = write->non_discards;
}

void sdp_write_advertised(struct sdp_write *write, const struct sdp_advert *advert)
{
	write->adverts[write->count++] = *advert;
}

static void write_remove_oldest(struct sdp_write *write)
{
	write->count--;
	memmove(write->adverts, write->adverts + 1, write->count * sizeof(write->adverts[0]));
}

void sdp_write_payload(struct sdp_write *write)
{
	if (write->count)
		write_remove_oldest(write);
	else
		write->non_discards++;
}

void sdp_write_done(struct sdp_write *write, u32 octets)
{
	write->written_rkey = write->adverts[0].rkey;
	write_remove_oldest(write);
	write->written = octets;
	write->written_due = true;
}

/*
 * SinkCancelAck is due if an advertisement is left. Otherwise each advertisement was used by an
 * RDMA Write, or discarded by payload, before SinkAvailCancel arrived.
 */
void sdp_write_cancel(struct sdp_write *write)
{
	write->cancel_ack |= write->count;
	write->count = 0;
}
