/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Attributes that are views of a port's counters (C4-325, C4-336, C4-337). All have the port in
 * octet 1 and what a Set writes, CounterSelect, in octets 2 and 3. A port counts in 64 bits and never
 * back: a Set moves the base that is subtracted, and a view shows its field's maximum for all that is
 * above, until a Set takes it down.
 */
#ifndef HCA_SMA_COUNTERS_H
#define HCA_SMA_COUNTERS_H

#include "sma/attribute.h"

struct hca_counter_field {
	u16 bit; /* of the attribute's data */
	u8 width; /* bits */
	u8 counter; /* enum hca_counter */
	u8 select; /* its bit in CounterSelect, from 16 on in CounterSelect2 */
	u8 more; /* so many more of these, side by side: those of further VLs or SLs */
};

struct hca_counter_view {
	const struct hca_counter_field *field;
	unsigned int count;
	u16 select2_bit; /* CounterSelect2's place */
	u8 select2_width; /* 0: there is none */
	bool by_opcode; /* what is counted has the opcode in octet 0 */
};

extern const struct hca_counter_view hca_port_counters_view;
extern const struct hca_counter_view hca_port_counters_ext_view;
extern const struct hca_counter_view hca_rcv_error_details_view;
extern const struct hca_counter_view hca_xmit_discard_details_view;
extern const struct hca_counter_view hca_op_rcv_counters_view;
extern const struct hca_counter_view hca_flow_ctl_counters_view;
extern const struct hca_counter_view hca_flow_ctl_update_errors_view;
extern const struct hca_counter_view hca_vl_xmit_wait_view;
extern const struct hca_counter_view hca_vl_congestion_view;
extern const struct hca_counter_view hca_xmit_data_sl_view;
extern const struct hca_counter_view hca_rcv_data_sl_view;

/* Of an attribute with a view. */
u16 hca_counters_get(struct hca_mad_request *rq);
u16 hca_counters_set(struct hca_mad_request *rq);

#endif
