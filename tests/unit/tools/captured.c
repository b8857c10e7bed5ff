// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "tests/unit/tools/captured.h"
#include <string.h>
#include "compat.h"
#include "linux/hca_tap.h"
#include "wire/crc.h"
#include "wire/opcode.h"

void captured_make(struct packet *packet, u8 *wire, const struct hca_headers *headers,
		   const u8 *payload, u32 octets)
{
	struct hca_headers h = *headers;
	u32 bytes = hca_headers_bytes(h.lrh.lnh, h.bth.opcode), length;
	bool raw = h.lrh.lnh < IB_LNH_IBA_LOCAL;

	h.bth.padcnt = -octets & 3;
	length = bytes + octets + h.bth.padcnt + (raw ? 0 : HCA_ICRC_BYTES);
	h.lrh.pktlen = length / 4;
	memset(wire, 0, CAPTURED_OCTETS);
	hca_headers_pack(&h, wire);
	if (payload)
		memcpy(wire + bytes, payload, octets);
	if (!raw)
		put_unaligned_le32(hca_icrc(wire, length - HCA_ICRC_BYTES),
				   wire + length - HCA_ICRC_BYTES);
	put_unaligned_le16(hca_vcrc(wire, length), wire + length);
	*packet = (struct packet){
		.length = length + HCA_VCRC_BYTES,
		.captured = length + HCA_VCRC_BYTES,
		.octets = wire,
	};
	packet_decode(packet);
}

void captured_rc(struct captured *captured, u8 operation, u32 psn, u8 syndrome)
{
	u8 opcode = HCA_TRANSPORT_RC << 5 | operation;
	bool is_response = hca_opcodes[opcode].flags & HCA_IS_RESPONSE;
	const struct hca_headers h = {
		.lrh = {
			.slid = is_response ? 2 : 1, .dlid = is_response ? 1 : 2,
			.lnh = IB_LNH_IBA_LOCAL,
		},
		.bth = {
			.opcode = opcode, .pkey = 0xffff, .psn = psn & HCA_PSN_MASK,
			.destqp = is_response ? 17 : 18,
		},
		.reth = { .va = 0x1000, .rkey = 0x203, .length = 1024 },
		.aeth = { .syndrome = syndrome, .msn = 1 },
	};

	captured_make(&captured->packet, captured->wire, &h, NULL, 0);
	captured_at(captured, is_response ? HCA1 : HCA0, HCA_TAP_OUT, 0);
}

void captured_at(struct captured *captured, enum captured_port port, u8 direction, u64 ns)
{
	static const char *const names[] = { [HCA0] = "hca0/1", [HCA1] = "hca1/1" };

	captured->packet.octets = captured->wire;
	captured->packet.interface = port;
	captured->packet.port = names[port];
	captured->packet.direction = direction;
	captured->packet.time_ns = 1700000000000000000ull + ns;
}
