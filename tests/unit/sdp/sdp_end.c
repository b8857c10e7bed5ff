// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* One end of an SDP connection, whose peer sends what a test wants. */
#include "tests/unit/sdp/sdp_end.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

struct sdp_conn conn;
struct sdp_delivery delivery;
struct sdp_message message;

void end_begin(void)
{
	sdp_conn_init(&conn, END_BUFS, END_SIZE, END_ADVERTS, END_BUFS, END_PEER_SIZE,
		      END_ADVERTS);
}

enum sdp_fault end_receive(const struct sdp_message *what, u32 payload)
{
	struct sdp_message received = *what;
	u32 headers = sdp_header_size(what->bsdh.mid);
	u32 size = (headers ? headers : SDP_BSDH_SIZE) + payload;
	u8 *buf = calloc(1, size);
	enum sdp_fault fault;

	received.bsdh.len = size;
	received.bsdh.mseq = conn.credits.received + 1;
	received.bsdh.mseq_ack = conn.credits.sent - what->bsdh.mseq_ack;
	received.bsdh.bufs = END_BUFS;
	sdp_message_pack(&received, buf);
	memset(&delivery, 0xee, sizeof(delivery));
	fault = sdp_conn_receive(&conn, buf, size, &delivery);
	free(buf);
	return fault;
}

enum sdp_fault end_receive_mid(enum sdp_mid mid, u32 payload)
{
	return end_receive(&(struct sdp_message){ .bsdh.mid = mid, .advert.len = 1000 }, payload);
}

enum sdp_fault end_receive_change(enum sdp_mode mode, bool send)
{
	return end_receive(&(struct sdp_message){ .bsdh.mid = SDP_MID_MODE_CHANGE,
						  .change = { mode, send } },
			   0);
}

u32 end_next(bool queued)
{
	bool payload = queued && sdp_conn_is_payload_next(&conn);

	ck_assert(!payload || sdp_conn_payload_max(&conn));
	if (!sdp_conn_next(&conn, queued, &message))
		return END_NOTHING;
	ck_assert(!payload);
	return message.bsdh.mid;
}
