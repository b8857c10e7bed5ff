/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The opcodes of the packets of send requests. */
#ifndef HCA_TRANSPORT_OPERATION_H
#define HCA_TRANSPORT_OPERATION_H

#include "qp/wr.h"
#include "wire/opcode.h"

enum hca_place {
	HCA_FIRST,
	HCA_MIDDLE,
	HCA_LAST,
	HCA_ONLY,
	HCA_NUM_PLACES,
};

/* IB_OPCODE_* by opcode of the request and enum hca_place; for a Read, that of its request. */
extern const u8 hca_operation[HCA_NUM_WR][HCA_NUM_PLACES];

#endif
