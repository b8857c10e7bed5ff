/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Attributes that show a port's counters (req C4-325, C4-336, C4-337). All of them have PortSelect
 * in octet 1. CounterSelect in octets 2 and 3 selects the counters that a Set writes. A port's
 * counters have 64 bits and only increase. A Set of a counter does not change it, but changes a
 * base, which a Get subtracts from the counter. If the difference exceeds the maximum of the field,
 * the field shows its maximum.
 */
#ifndef HCA_SMA_COUNTERS_H
#define HCA_SMA_COUNTERS_H

#include "sma/attribute.h"

/*
 * A field of an attribute that shows a counter; or several adjacent fields, each of which shows the
 * counter of one VL or SL.
 */
struct hca_counter_field {
	u16 bit; /* offset of the field in the attribute data, bits */
	u8 width; /* number of bits */
	u8 counter; /* enum hca_counter */
	u8 select; /* the field's bit: 0-15 of CounterSelect, or 16 + a bit of CounterSelect2 */
	u8 more; /* number of adjacent fields that follow, one for each further VL or SL */
};

struct hca_counter_view {
	const struct hca_counter_field *field;
	unsigned int count;
	u16 select2_bit; /* offset of CounterSelect2 in the attribute data, bits */
	u8 select2_width; /* number of bits of CounterSelect2; 0: the attribute has none */
	bool by_opcode; /* only packets with the opcode in octet 0 are counted */
};

/* The Get and Set functions of each attribute with a view (struct hca_attribute). */
u16 hca_counters_get(struct hca_mad_request *rq);
u16 hca_counters_set(struct hca_mad_request *rq);

#endif
