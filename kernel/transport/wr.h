/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The send requests of InfiniBand's transports. */
#ifndef HCA_TRANSPORT_WR_H
#define HCA_TRANSPORT_WR_H

#include "qp/wr.h"
#include "wire/opcode.h"

/* struct hca_qp_ops.wr of all queue pairs of a channel adapter. */
extern const struct hca_wr_info hca_iba_wr[HCA_NUM_WR];

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
