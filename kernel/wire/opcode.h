/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The table of BTH opcodes: the properties of each opcode, and the headers of its packets. */
#ifndef HCA_WIRE_OPCODE_H
#define HCA_WIRE_OPCODE_H

#include <linux/types.h>
#include <rdma/ib_pack.h>
#include "compat.h"

/* Transport services: bits 7 to 5 of the opcode. */
enum hca_transport {
	HCA_TRANSPORT_RC = 0,
	HCA_TRANSPORT_UC = 1,
	HCA_TRANSPORT_RD = 2,
	HCA_TRANSPORT_UD = 3,
	HCA_TRANSPORT_XRC = 5,
	HCA_TRANSPORT_RAW = 8, /* packets without a BTH; not a code of the wire format */
};

/*
 * RESYNC of the reliable datagram service. Bits 4 to 0 of an opcode are the operation and the
 * position of the packet in its message. <rdma/ib_pack.h> defines the other values as
 * IB_OPCODE_SEND_FIRST and so on.
 */
#define IB_OPCODE_RESYNC 0x15

#define HCA_OPCODE(transport, op) ((u8)((HCA_TRANSPORT_##transport) << 5 | (IB_OPCODE_##op)))

/**
 * hca_opcode_transport() - get the transport service of an opcode
 * @opcode: BTH opcode
 *
 * Context: any.
 * Return: enum hca_transport, or a reserved value.
 */
static inline u8 hca_opcode_transport(u8 opcode)
{
	return opcode >> 5;
}

/**
 * hca_opcode_operation() - get the operation of an opcode of any transport service
 * @opcode: BTH opcode
 *
 * Context: any.
 * Return: IB_OPCODE_SEND_FIRST and others; the value may be reserved.
 */
static inline u8 hca_opcode_operation(u8 opcode)
{
	return opcode & 0x1f;
}

enum hca_opcode_flags {
	/* Extended headers of the packet, in the order of the wire format. */
	HCA_HAS_RDETH = 1 << 0,
	HCA_HAS_DETH = 1 << 1,
	HCA_HAS_XRCETH = 1 << 2,
	HCA_HAS_FETH = 1 << 3,
	HCA_HAS_RETH = 1 << 4,
	HCA_HAS_ATOMICETH = 1 << 5,
	HCA_HAS_AETH = 1 << 6,
	HCA_HAS_ATOMICACKETH = 1 << 7,
	HCA_HAS_IMMDT = 1 << 8,
	HCA_HAS_IETH = 1 << 9,
	/* Payload, and position in the message. */
	HCA_HAS_PAYLOAD = 1 << 10,
	HCA_IS_FIRST = 1 << 11, /* First and Only: the packet begins a message */
	HCA_IS_LAST = 1 << 12, /* Last and Only: the packet ends a message */
	/* Operation. */
	HCA_IS_SEND = 1 << 13,
	HCA_IS_WRITE = 1 << 14,
	HCA_IS_READ = 1 << 15,
	HCA_IS_ATOMIC = 1 << 16,
	HCA_IS_FLUSH = 1 << 17,
	HCA_IS_ATOMIC_WRITE = 1 << 18,
	HCA_IS_REQUEST = 1 << 19,
	HCA_IS_RESPONSE = 1 << 20,
	/*
	 * The packet consumes a receive request: SEND First and Only, and RDMA WRITE Last and Only
	 * with Immediate.
	 */
	HCA_CONSUMES_RECV = 1 << 21,
};

/*
 * Operations that occupy a responder resource until they are answered. The answer is a response
 * packet, not an acknowledgment.
 */
#define HCA_OCCUPIES_RESOURCE \
	(HCA_IS_READ | HCA_IS_ATOMIC | HCA_IS_FLUSH | HCA_IS_ATOMIC_WRITE)

struct hca_opcode_info {
	const char *name; /* NULL: the opcode is reserved */
	u32 flags; /* enum hca_opcode_flags */
	u8 header_bytes; /* octets of the BTH and of the extended headers */
};

extern const struct hca_opcode_info hca_opcodes[256];

#endif
