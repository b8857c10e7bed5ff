/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Streams between an SDP peer by verbs and `sdp_suspend serve`, whose octets, but the command that
 * is the first, are those of a pattern.
 */
#ifndef HCA_TESTS_SDP_STREAM_H
#define HCA_TESTS_SDP_STREAM_H

#include "sdp_peer.h"

#define QUIET 300 /* ms without a message, after which no other comes */

static inline uint8_t pattern(size_t at)
{
	return at ^ at >> 8 ^ at >> 16;
}

static inline void fill(uint8_t *data, size_t octets, size_t at)
{
	for (size_t i = 0; i < octets; i++)
		data[i] = pattern(at + i);
}

static inline bool matches(const uint8_t *data, size_t octets, size_t at)
{
	for (size_t i = 0; i < octets; i++)
		if (data[i] != pattern(at + i))
			return false;
	return true;
}

static struct {
	size_t in, out; /* octets of the streams to and from us */
	bool good; /* what came is the pattern */
	uint32_t bufs, acked; /* what the last message says of the other end's buffers */
	uint32_t longest; /* octets of payload of a message that came */
	uint32_t size; /* what the last message says, if it is of a size */
	/* The memory that the other end has advertised, without the octets of SrcAvail itself. */
	uint32_t key;
	uint64_t address;
} stream;

/* Begins a stream on the connection in use. */
static inline void begin_stream(char command_of_it)
{
	command(command_of_it);
	memset(&stream, 0, sizeof(stream));
	stream.out = 1;
	stream.good = true;
	stream.bufs = 4;
}

static inline void begin(char command_of_it)
{
	need(!connect_with(hello), "connect");
	begin_stream(command_of_it);
}

static inline void send_data(uint32_t octets)
{
	fill(c.out + HEADER, octets, stream.out);
	stream.out += octets;
	send_message(DATA, octets);
}

static inline void process(const uint8_t *message)
{
	uint32_t headers = message[0] == SRC_AVAIL ? 32 : HEADER;
	uint32_t octets = message[0] >= SRC_AVAIL ? get32(message + 4) - headers : 0;

	stream.good = stream.good && matches(message + headers, octets, stream.in) &&
		      get32(message + 8) == c.received + 1; /* MSeq */
	stream.in += octets;
	stream.longest = octets > stream.longest ? octets : stream.longest;
	c.received = get32(message + 8);
	stream.bufs = message[2] << 8 | message[3];
	stream.acked = get32(message + 12);
	stream.size = get32(message + HEADER);
	if (message[0] == SRC_AVAIL) {
		stream.key = get32(message + 20);
		stream.address = ((uint64_t)get32(message + 24) << 32 | get32(message + 28)) +
				 octets;
	}
	if (message[0] == RD_COMPL)
		stream.out += stream.size;
}

/*
 * Returns the MID of the next message, or NONE if it is quiet for @patience milliseconds, or ENDED
 * if none can come any more.
 */
#define NONE 0x100
#define ENDED 0x101
static inline int try_message(int patience)
{
	struct ibv_wc wc;

	for (; patience; patience--) {
		uint8_t *message, mid;

		if (ibv_poll_cq(c.id->recv_cq, 1, &wc) != 1) {
			usleep(1000);
			continue;
		}
		if (wc.status != IBV_WC_SUCCESS)
			return ENDED;
		message = (uint8_t *)(uintptr_t)wc.wr_id;
		process(message);
		mid = message[0];
		need(!rdma_post_recv(c.id, message, message, RECV_SIZE, c.mr), "rdma_post_recv");
		return mid;
	}
	return NONE;
}

/* As try_message(), of a connection that goes on. */
static inline int next_message(int patience)
{
	int found = try_message(patience);

	need(found != ENDED, "receive");
	return found;
}

/* Receives until there is a message of a MID, or until it is quiet. Returns whether there was. */
static inline bool gather(uint8_t mid)
{
	int found;

	do {
		found = next_message((mid ? 100 : 1) * QUIET);
	} while (found != NONE && (!mid || found != mid));
	return found != NONE;
}

#endif
