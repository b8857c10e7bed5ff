/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* BTH opcodes: what each means and which headers it brings, as one table. */
#ifndef HCA_WIRE_OPCODE_H
#define HCA_WIRE_OPCODE_H

#include <linux/types.h>
#include <rdma/ib_pack.h>

/* Bits 7:5 of the opcode: the transport. */
enum hca_transport {
	HCA_TRANSPORT_RC = 0,
	HCA_TRANSPORT_UC = 1,
	HCA_TRANSPORT_RD = 2,
	HCA_TRANSPORT_UD = 3,
	HCA_TRANSPORT_XRC = 5,
	HCA_TRANSPORT_RAW = 8, /* none of the wire's: packets without a BTH */
};

/*
 * Bits 4:0 are the operation and the place of the packet in its message: IB_OPCODE_SEND_FIRST and
 * so on of <rdma/ib_pack.h>, which lacks that of reliable datagrams alone.
 */
#define IB_OPCODE_RESYNC 0x15

#define HCA_OPCODE(transport, op) ((u8)((HCA_TRANSPORT_##transport) << 5 | (IB_OPCODE_##op)))

static inline u8 hca_opcode_transport(u8 opcode)
{
	return opcode >> 5;
}

static inline u8 hca_opcode_operation(u8 opcode)
{
	return opcode & 0x1f;
}

enum hca_opcode_flags {
	/* headers, in the order of the wire */
	HCA_HAS_RDETH = 1 << 0,
	HCA_HAS_DETH = 1 << 1,
	HCA_HAS_RETH = 1 << 2,
	HCA_HAS_ATOMICETH = 1 << 3,
	HCA_HAS_AETH = 1 << 4,
	HCA_HAS_ATOMICACKETH = 1 << 5,
	HCA_HAS_IMMDT = 1 << 6,
	HCA_HAS_IETH = 1 << 7,
	/* payload and place */
	HCA_HAS_PAYLOAD = 1 << 8,
	HCA_IS_FIRST = 1 << 9, /* begins a message: First and Only */
	HCA_IS_LAST = 1 << 10, /* ends a message: Last and Only */
	/* kind */
	HCA_IS_SEND = 1 << 11,
	HCA_IS_WRITE = 1 << 12,
	HCA_IS_READ = 1 << 13,
	HCA_IS_ATOMIC = 1 << 14,
	HCA_IS_REQUEST = 1 << 15,
	HCA_IS_RESPONSE = 1 << 16,
	/* takes a receive request at its end: a Send's first, a Write with immediate's last */
	HCA_TAKES_RECV = 1 << 17,
};

struct hca_opcode_info {
	const char *name; /* NULL: reserved */
	u32 flags; /* enum hca_opcode_flags */
	u8 header_bytes; /* BTH and extended headers */
};

extern const struct hca_opcode_info hca_opcodes[256];

#endif
