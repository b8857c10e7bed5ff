// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The table of the opcodes of RC, UC, RD, UD and XRC (req B4-086 to B4-093, B4-100). */
#include "wire/opcode.h"
#include "wire/headers.h"

/* The length of an extended header in octets if @flags say that the packet has it; otherwise 0. */
#define BYTES_IF(flags, header) ((flags) & HCA_HAS_##header ? HCA_##header##_BYTES : 0)

#define HEADER_BYTES(flags) \
	(HCA_BTH_BYTES + BYTES_IF(flags, RDETH) + BYTES_IF(flags, DETH) + \
	 BYTES_IF(flags, XRCETH) + BYTES_IF(flags, FETH) + BYTES_IF(flags, RETH) + \
	 BYTES_IF(flags, ATOMICETH) + BYTES_IF(flags, AETH) + BYTES_IF(flags, ATOMICACKETH) + \
	 BYTES_IF(flags, IMMDT) + BYTES_IF(flags, IETH))

#define OPCODE(transport, op, text, f) \
	[HCA_OPCODE(transport, op)] = { \
		.name = #transport " " text, \
		.flags = (f), \
		.header_bytes = HEADER_BYTES(f), \
	}

#define FIRST (HCA_IS_FIRST)
#define LAST (HCA_IS_LAST)
#define ONLY (HCA_IS_FIRST | HCA_IS_LAST)

#define IS_SEND (HCA_IS_SEND | HCA_IS_REQUEST | HCA_HAS_PAYLOAD)
#define IS_WRITE (HCA_IS_WRITE | HCA_IS_REQUEST | HCA_HAS_PAYLOAD)
#define IS_READ_REQUEST (HCA_IS_READ | HCA_IS_REQUEST | HCA_HAS_RETH)
#define IS_READ_RESPONSE (HCA_IS_READ | HCA_IS_RESPONSE | HCA_HAS_PAYLOAD)
#define IS_ATOMIC_REQUEST (HCA_IS_ATOMIC | HCA_IS_REQUEST | HCA_HAS_ATOMICETH)
#define IS_ATOMIC_RESPONSE \
	(HCA_IS_ATOMIC | HCA_IS_RESPONSE | HCA_HAS_AETH | HCA_HAS_ATOMICACKETH)

/* A reserved request, which has a BTH and a payload. @number: the operation, in hexadecimal. */
#define UNDEFINED(transport, number) \
	[HCA_TRANSPORT_##transport << 5 | 0x##number] = { \
		.name = #transport " reserved " #number "h", \
		.flags = HCA_IS_REQUEST | HCA_HAS_PAYLOAD | ONLY, \
		.header_bytes = HCA_BTH_BYTES, \
	}

/* @more: headers that every request of the transport service has. */
#define SENDS(transport, more) \
	OPCODE(transport, SEND_FIRST, "SEND First", IS_SEND | FIRST | HCA_CONSUMES_RECV | (more)), \
	OPCODE(transport, SEND_MIDDLE, "SEND Middle", IS_SEND | (more)), \
	OPCODE(transport, SEND_LAST, "SEND Last", IS_SEND | LAST | (more)), \
	OPCODE(transport, SEND_LAST_WITH_IMMEDIATE, "SEND Last with Immediate", \
	       IS_SEND | LAST | HCA_HAS_IMMDT | (more)), \
	SENDS_ONLY(transport, more)

#define SENDS_ONLY(transport, more) \
	OPCODE(transport, SEND_ONLY, "SEND Only", IS_SEND | ONLY | HCA_CONSUMES_RECV | (more)), \
	OPCODE(transport, SEND_ONLY_WITH_IMMEDIATE, "SEND Only with Immediate", \
	       IS_SEND | ONLY | HCA_CONSUMES_RECV | HCA_HAS_IMMDT | (more))

#define SENDS_WITH_INVALIDATE(transport, more) \
	OPCODE(transport, SEND_LAST_WITH_INVALIDATE, "SEND Last with Invalidate", \
	       IS_SEND | LAST | HCA_HAS_IETH | (more)), \
	OPCODE(transport, SEND_ONLY_WITH_INVALIDATE, "SEND Only with Invalidate", \
	       IS_SEND | ONLY | HCA_CONSUMES_RECV | HCA_HAS_IETH | (more))

#define WRITES(transport, more) \
	OPCODE(transport, RDMA_WRITE_FIRST, "RDMA WRITE First", \
	       IS_WRITE | FIRST | HCA_HAS_RETH | (more)), \
	OPCODE(transport, RDMA_WRITE_MIDDLE, "RDMA WRITE Middle", IS_WRITE | (more)), \
	OPCODE(transport, RDMA_WRITE_LAST, "RDMA WRITE Last", IS_WRITE | LAST | (more)), \
	OPCODE(transport, RDMA_WRITE_LAST_WITH_IMMEDIATE, "RDMA WRITE Last with Immediate", \
	       IS_WRITE | LAST | HCA_CONSUMES_RECV | HCA_HAS_IMMDT | (more)), \
	OPCODE(transport, RDMA_WRITE_ONLY, "RDMA WRITE Only", \
	       IS_WRITE | ONLY | HCA_HAS_RETH | (more)), \
	OPCODE(transport, RDMA_WRITE_ONLY_WITH_IMMEDIATE, "RDMA WRITE Only with Immediate", \
	       IS_WRITE | ONLY | HCA_CONSUMES_RECV | HCA_HAS_RETH | HCA_HAS_IMMDT | (more))

#define READS_AND_ATOMICS(transport, more) \
	OPCODE(transport, RDMA_READ_REQUEST, "RDMA READ Request", \
	       IS_READ_REQUEST | ONLY | (more)), \
	OPCODE(transport, COMPARE_SWAP, "CmpSwap", IS_ATOMIC_REQUEST | ONLY | (more)), \
	OPCODE(transport, FETCH_ADD, "FetchAdd", IS_ATOMIC_REQUEST | ONLY | (more))

/* FLUSH and ATOMIC WRITE; an RDMA READ Response Only without a payload answers either of them. */
#define PLACEMENTS(transport, more) \
	OPCODE(transport, FLUSH, "FLUSH", \
	       HCA_IS_FLUSH | HCA_IS_REQUEST | HCA_HAS_FETH | HCA_HAS_RETH | ONLY | (more)), \
	OPCODE(transport, ATOMIC_WRITE, "ATOMIC WRITE", \
	       HCA_IS_ATOMIC_WRITE | HCA_IS_REQUEST | HCA_HAS_RETH | HCA_HAS_PAYLOAD | ONLY | \
	       (more))

/* @more: headers that every response of the transport service has. */
#define RESPONSES(transport, more) \
	OPCODE(transport, RDMA_READ_RESPONSE_FIRST, "RDMA READ Response First", \
	       IS_READ_RESPONSE | FIRST | HCA_HAS_AETH | (more)), \
	OPCODE(transport, RDMA_READ_RESPONSE_MIDDLE, "RDMA READ Response Middle", \
	       IS_READ_RESPONSE | (more)), \
	OPCODE(transport, RDMA_READ_RESPONSE_LAST, "RDMA READ Response Last", \
	       IS_READ_RESPONSE | LAST | HCA_HAS_AETH | (more)), \
	OPCODE(transport, RDMA_READ_RESPONSE_ONLY, "RDMA READ Response Only", \
	       IS_READ_RESPONSE | ONLY | HCA_HAS_AETH | (more)), \
	OPCODE(transport, ACKNOWLEDGE, "Acknowledge", \
	       HCA_IS_RESPONSE | ONLY | HCA_HAS_AETH | (more)), \
	OPCODE(transport, ATOMIC_ACKNOWLEDGE, "Atomic Acknowledge", \
	       IS_ATOMIC_RESPONSE | ONLY | (more))

const struct hca_opcode_info hca_opcodes[256] = {
	SENDS(RC, 0),
	SENDS_WITH_INVALIDATE(RC, 0),
	WRITES(RC, 0),
	READS_AND_ATOMICS(RC, 0),
	PLACEMENTS(RC, 0),
	RESPONSES(RC, 0),
	/* RC answers a reserved request by a NAK, the other services drop it (req B4-091). */
	UNDEFINED(RC, 15), UNDEFINED(RC, 18), UNDEFINED(RC, 19), UNDEFINED(RC, 1a),
	UNDEFINED(RC, 1b), UNDEFINED(RC, 1e), UNDEFINED(RC, 1f),

	SENDS(UC, 0),
	WRITES(UC, 0),

	SENDS(RD, HCA_HAS_RDETH | HCA_HAS_DETH),
	WRITES(RD, HCA_HAS_RDETH | HCA_HAS_DETH),
	READS_AND_ATOMICS(RD, HCA_HAS_RDETH | HCA_HAS_DETH),
	RESPONSES(RD, HCA_HAS_RDETH),
	OPCODE(RD, RESYNC, "RESYNC", HCA_IS_REQUEST | ONLY | HCA_HAS_RDETH | HCA_HAS_DETH),

	SENDS_ONLY(UD, HCA_HAS_DETH),

	SENDS(XRC, HCA_HAS_XRCETH),
	SENDS_WITH_INVALIDATE(XRC, HCA_HAS_XRCETH),
	WRITES(XRC, HCA_HAS_XRCETH),
	READS_AND_ATOMICS(XRC, HCA_HAS_XRCETH),
	PLACEMENTS(XRC, HCA_HAS_XRCETH),
	RESPONSES(XRC, 0),
};
