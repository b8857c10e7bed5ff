// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory that this end advertises for the peer to write into. */
#include "sdp/protocol/room.h"

void sdp_room_begin(struct sdp_room *room, u32 octets)
{
	room->len = octets;
	room->written = 0;
}

bool sdp_room_end(struct sdp_room *room)
{
	bool advertised = room->len;

	room->len = 0;
	/* The peer ignores a SinkAvailCancel that crosses its answer. */
	room->cancel = false;
	room->canceled = false;
	return advertised;
}

bool sdp_room_close(struct sdp_room *room)
{
	room->ack_follows |= room->canceled;
	return sdp_room_end(room);
}

bool sdp_room_payload(struct sdp_room *room)
{
	room->ack_follows = false;
	if (sdp_room_end(room))
		return true;
	room->non_discards++;
	return false;
}

enum sdp_fault sdp_room_written(struct sdp_room *room, u32 octets, u32 mseq_ack)
{
	if (!room->len)
		return SDP_FAULT_STATE;
	if (octets > room->len)
		return SDP_FAULT_FIELD;
	room->ack_follows = octets < room->len && room->canceled &&
			    (s32)(mseq_ack - room->cancel_mseq) >= 0;
	sdp_room_end(room);
	room->written = octets;
	return SDP_OK;
}

enum sdp_fault sdp_room_cancel_ack(struct sdp_room *room, bool *released)
{
	if (!room->canceled && !room->ack_follows)
		return SDP_FAULT_STATE;
	room->ack_follows = false;
	*released = sdp_room_end(room);
	return SDP_OK;
}

void sdp_room_canceled(struct sdp_room *room, u32 mseq)
{
	room->canceled = true;
	room->cancel_mseq = mseq;
}

void sdp_room_cancel(struct sdp_room *room)
{
	room->cancel = room->len;
}
