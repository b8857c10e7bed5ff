/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The operations (part of the BTH opcode) of the packets of send requests. */
#ifndef HCA_TRANSPORT_OPERATION_H
#define HCA_TRANSPORT_OPERATION_H

#include "qp/wr.h"
#include "wire/opcode.h"

/* The place of a packet in a message. */
enum hca_place {
	HCA_FIRST,
	HCA_MIDDLE,
	HCA_LAST,
	HCA_ONLY,
	HCA_NUM_PLACES,
};

/*
 * The operation (IB_OPCODE_*) of a packet, indexed by the opcode of the send request and by enum
 * hca_place. For a Read, the packet is the Read request packet.
 */
extern const u8 hca_operation[HCA_NUM_WR][HCA_NUM_PLACES];

#endif
