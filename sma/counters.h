/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Attributes that show a port's counters (req C4-325, C4-336, C4-337). All of them have PortSelect
 * in octet 1 and CounterSelect, the counters that a Set writes, in octets 2 and 3. A port's
 * counters have 64 bits and only increase: a Set moves the base that a Get subtracts. A field shows
 * its maximum for every larger value until a Set lowers the counter.
 */
#ifndef HCA_SMA_COUNTERS_H
#define HCA_SMA_COUNTERS_H

#include "sma/attribute.h"

struct hca_counter_field {
	u16 bit; /* offset of the field in the attribute data */
	u8 width; /* bits */
	u8 counter; /* enum hca_counter */
	u8 select; /* bit of CounterSelect; from 16 on, of CounterSelect2 */
	u8 more; /* adjacent fields that follow, one for each further VL or SL */
};

struct hca_counter_view {
	const struct hca_counter_field *field;
	unsigned int count;
	u16 select2_bit; /* offset of CounterSelect2 in the attribute data */
	u8 select2_width; /* bits; 0: the attribute has no CounterSelect2 */
	bool by_opcode; /* only packets with the opcode in octet 0 are counted */
};

/* Get and set functions of every attribute with a view. */
u16 hca_counters_get(struct hca_mad_request *rq);
u16 hca_counters_set(struct hca_mad_request *rq);

#endif
