// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * For libFuzzer: what an iWARP peer sends, without the state of a connection. The first octet says
 * whether the others are a start-up frame, the message of a Terminate, or a stream of FPDUs; of a
 * stream it says also whether there are markers and CRCs, and in how long ranges memory has it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "iwarp/wire/fpdu.h"
#include "iwarp/wire/mpa.h"
#include "iwarp/wire/rdmap.h"
#include "iwarp/wire/terminate.h"

#define RANGES 1024

/* Bits of the first octet. */
#define KIND 3 /* enum kind */
#define REPLY 4 /* a reply is due */
#define MARKERS 4
#define CRC 8
#define RANGE_SHIFT 4 /* octets of each range, but for 0, which stands for all */

enum kind { START, TERMINATE, STREAM };

static void require(bool condition)
{
	if (!condition)
		abort();
}

/* A frame that is accepted is packed and parsed with the same result. */
static void start(const uint8_t *data, size_t size, bool is_reply)
{
	struct hca_mpa_frame frame, again;
	uint8_t packed[HCA_MPA_FRAME_MAX];
	enum hca_mpa_result result = hca_mpa_parse(&frame, data, size, is_reply);

	if (result == HCA_MPA_INCOMPLETE)
		require(frame.bytes > size && frame.bytes <= HCA_MPA_FRAME_MAX);
	if (result != HCA_MPA_OK)
		return;
	require(frame.bytes <= size);
	require(frame.private_data + frame.private_length == data + frame.bytes);
	require(hca_mpa_pack(&frame, packed) == frame.bytes);
	require(hca_mpa_parse(&again, packed, frame.bytes, is_reply) == HCA_MPA_OK);
	require(again.ird == frame.ird && again.ord == frame.ord);
	require(again.rtr_read == frame.rtr_read && again.rejected == frame.rejected);
}

static void terminate(const uint8_t *data, size_t size)
{
	uint8_t packed[HCA_TERMINATE_MAX];
	struct hca_terminate message, again;

	if (!hca_terminate_parse(&message, data, size)) {
		require(size < HCA_TERMINATE_CONTROL_BYTES);
		return;
	}
	require(hca_terminate_parse(&again, packed, hca_terminate_pack(&message, packed)));
	if (!message.swapped && hca_iwarp_error_str(message.error))
		require(again.error == message.error && again.parts == message.parts);
}

/* The ULPDU in memory of its size, as a segment. */
static void segment(const struct hca_fpdu_rx *rx)
{
	uint8_t *ulpdu = malloc(rx->length + 1);
	struct hca_rdmap_segment parsed;
	struct hca_ulpdu place;

	hca_ulpdu_begin(&place, rx);
	require(hca_ulpdu_copy(&place, ulpdu + 1, rx->length) == rx->length);
	require(!hca_ulpdu_next(&place, 1).length);
	if (hca_rdmap_parse(&parsed, ulpdu + 1, rx->length) == HCA_IWARP_OK) {
		require(parsed.header_bytes + parsed.length == rx->length);
		if (parsed.opcode == HCA_RDMAP_TERMINATE)
			terminate(ulpdu + 1 + parsed.header_bytes, parsed.length);
	}
	free(ulpdu);
}

/* Copies octets into exact allocations of @each octets. Returns their number. */
static unsigned int divide(struct hca_octets *range, const uint8_t *data, size_t size, size_t each)
{
	unsigned int ranges = 0;

	for (; size && ranges < RANGES; ranges++) {
		size_t octets = each && each < size ? each : size;
		uint8_t *copy = malloc(octets);

		memcpy(copy, data, octets);
		range[ranges] = (struct hca_octets){ copy, octets };
		data += octets;
		size -= octets;
	}
	return ranges;
}

static void stream(uint8_t how, const uint8_t *data, size_t size)
{
	struct hca_octets range[RANGES];
	unsigned int ranges, i;
	struct hca_fpdu_rx rx;
	uint64_t position = 0;
	uint32_t bytes = 0;
	bool broken;

	for (; size; data += bytes, size -= bytes, position += bytes) {
		ranges = divide(range, data, size, how >> RANGE_SHIFT);
		bytes = hca_fpdu_parse(&rx, range, ranges, position, how & MARKERS);
		broken = bytes > size || hca_fpdu_check(&rx, how & CRC) != HCA_IWARP_OK;
		if (!broken)
			segment(&rx);
		for (i = 0; i < ranges; i++)
			free((void *)range[i].data);
		if (broken)
			break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how;

	if (!size)
		return 0;
	how = *data++;
	size--;
	switch (how & KIND) {
	case START:
		start(data, size, how & REPLY);
		break;
	case TERMINATE:
		terminate(data, size);
		break;
	default:
		stream(how, data, size);
	}
	return 0;
}
