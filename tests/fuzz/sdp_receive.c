// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * For libFuzzer: an SDP connection whose peer sends what the input says. Each step has an octet
 * that says what this end does, one that says how long the message is, and the message; or its
 * first octet selects the message, whose numbers are set right, so that many of them are legal.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "sdp/protocol/conn.h"
#include "sdp/protocol/hello.h"
#include "sdp/protocol/suspend.h"

#define BUFS 16
#define RIGHT 1 /* of the first octet: sequence, credits and length are what they should be */
#define ACTION 1 /* three bits from here on: what this end does afterwards */
#define MEMORY 0x80 /* there is some for other buffers */

static struct sdp_conn conn;

static void require(bool condition)
{
	if (!condition)
		abort();
}

static const uint8_t mids[] = {
	SDP_MID_DATA, SDP_MID_SRC_AVAIL, SDP_MID_SINK_AVAIL, SDP_MID_DISCONN, SDP_MID_ABORT_CONN,
	SDP_MID_SEND_SM, SDP_MID_RDMA_WR_COMPL, SDP_MID_RDMA_RD_COMPL, SDP_MID_MODE_CHANGE,
	SDP_MID_SRC_AVAIL_CANCEL, SDP_MID_SINK_AVAIL_CANCEL, SDP_MID_SINK_CANCEL_ACK,
	SDP_MID_CH_RCV_BUF, SDP_MID_CH_RCV_BUF_ACK, SDP_MID_SUSP_COMM, SDP_MID_SUSP_COMM_ACK,
};

static void put32(uint8_t *to, uint32_t value)
{
	int i;

	for (i = 0; i < 4; i++)
		to[i] = value >> (24 - 8 * i);
}

/* Makes a message of @octets of input, the first of which selects it. Returns its size. */
static uint32_t make_right(uint8_t *message, const uint8_t *data, uint32_t octets)
{
	struct sdp_bsdh bsdh = { .mid = mids[octets ? data[0] % sizeof(mids) : 0] };
	bool may_have_payload = bsdh.mid >= SDP_MID_SINK_AVAIL;
	uint32_t headers = sdp_header_size(bsdh.mid), rest = octets ? octets - 1 : 0;

	if (!may_have_payload && rest > headers - SDP_BSDH_SIZE)
		rest = headers - SDP_BSDH_SIZE;
	memset(message, 0, headers);
	memcpy(message + SDP_BSDH_SIZE, data + 1, rest);
	/* Numbers of octets are small. */
	if (bsdh.mid != SDP_MID_MODE_CHANGE && headers > SDP_BSDH_SIZE)
		memset(message + SDP_BSDH_SIZE, 0, 2);
	if (bsdh.mid == SDP_MID_SINK_AVAIL && rest < 20)
		put32(message + 32, conn.write.non_discards);
	bsdh.len = SDP_BSDH_SIZE + rest > headers ? SDP_BSDH_SIZE + rest : headers;
	bsdh.bufs = BUFS;
	bsdh.mseq = conn.credits.received + 1;
	bsdh.mseq_ack = conn.credits.sent;
	if (rest && bsdh.mid != SDP_MID_DATA)
		bsdh.flags = data[rest] & SDP_FLAG_REQ_PIPE;
	sdp_bsdh_pack(&bsdh, message);
	return bsdh.len;
}

static void advertise(void)
{
	const struct sdp_advert advert = { .len = 100000, .rkey = 1, .addr = 4096 };
	struct sdp_message message;
	u32 payload;

	if (sdp_conn_may_advertise(&conn, &payload))
		sdp_conn_advertise(&conn, &advert, payload ? 1 : 0, &message);
}

static void read_some(void)
{
	struct sdp_advert part;

	if (conn.sink.reading) {
		sdp_conn_read_end(&conn, conn.sink.advert.len > 10 ? 10 : conn.sink.advert.len);
	} else if (sdp_sink_is_readable(&conn.sink)) {
		sdp_sink_read_begin(&conn.sink, 10, &part);
		require(part.len && part.len <= 10);
	}
}

static void make_room(void)
{
	struct sdp_message message;

	if (sdp_conn_may_make_room(&conn))
		sdp_conn_make_room(&conn, &(struct sdp_advert){ .len = 5000, .rkey = 2 }, 0,
				   &message);
}

static void write_some(void)
{
	const struct sdp_advert *advert = sdp_conn_may_write(&conn);

	if (!advert)
		return;
	require(advert->len);
	sdp_conn_wrote(&conn, advert->len);
}

static void cancel(void)
{
	sdp_source_cancel(&conn.source);
	sdp_room_cancel(&conn.room);
	sdp_sink_refuse(&conn.sink);
}

static void send_data(void)
{
	struct sdp_bsdh bsdh;

	require(conn.peer_size >= SDP_SIZE_MIN);
	if (!sdp_conn_payload_max(&conn) || sdp_urgent_queue(&conn.urgent, 1, false))
		return;
	sdp_conn_data(&conn, 1, false, &bsdh);
}

static void close_it(void)
{
	conn.end.disconn = !conn.source.left;
}

static void ask(void)
{
	sdp_resize_ask(&conn.resize, conn.peer_size, conn.credits.sent % 2 ? 37 : 100000);
}

static void (*const actions[])(void) = {
	advertise, read_some, make_room, write_some, cancel, send_data, close_it, ask,
};

/* The messages that this end has to send come to an end without the peer's help. */
static void push(void)
{
	struct sdp_message message;
	int i;

	for (i = 0; sdp_conn_next(&conn, false, &message); i++)
		require(i < 2 * BUFS && sdp_header_size(message.bsdh.mid));
}

/* Returns false if the connection is over. */
static bool receive(uint8_t how, const uint8_t *data, uint32_t size)
{
	static const struct sdp_delivery nothing;
	uint8_t right[SDP_HEADER_MAX + 256], *message;
	struct sdp_delivery delivery;
	enum sdp_fault fault;

	if (how & RIGHT) {
		size = make_right(right, data, size);
		data = right;
	}
	message = malloc(size ? size : 1); /* of this size, so that no octet more is read */
	memcpy(message, data, size);
	fault = sdp_conn_receive(&conn, message, size, &delivery);
	free(message);
	if (fault) {
		require(!memcmp(&delivery, &nothing, sizeof(nothing)));
		return false;
	}
	require(delivery.offset + delivery.payload == size);
	require(delivery.resize <= SDP_RESIZE_MOST && conn.size <= SDP_RESIZE_MOST);
	if (delivery.resize && how & MEMORY)
		sdp_conn_resized(&conn, delivery.resize);
	require(!delivery.released || !conn.room.len);
	require(conn.write.count <= SDP_ADVERTS);
	require(sdp_sink_outstanding(&conn.sink) <= SDP_ADVERTS);
	sdp_conn_posted(&conn, 1);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sdp_conn_init(&conn, BUFS, 65536, SDP_ADVERTS, BUFS, 65536, SDP_ADVERTS);
	while (size >= 2) {
		uint8_t how = data[0], action = how >> ACTION & 7;
		size_t octets = data[1] < size - 2 ? data[1] : size - 2;

		if (!receive(how, data + 2, octets))
			break;
		actions[action]();
		push();
		data += 2 + octets;
		size -= 2 + octets;
	}
	return 0;
}
