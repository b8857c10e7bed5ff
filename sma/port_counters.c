// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * PortCounters and PortCountersExtended: two views of the same counters (C4-325, C4-336). A port
 * counts in 64 bits and never back. A Set moves the base that is subtracted, and the narrow view
 * shows its maximum for all that is above, until a Set takes it down.
 */
#include <linux/kernel.h>
#include "sma/attribute.h"
#include "sma/field.h"

struct hca_counter_field {
	u16 bit; /* of the attribute's data */
	u8 width;
	u8 counter; /* enum hca_counter */
	u8 select; /* its bit in CounterSelect, from 16 on in CounterSelect2 */
};

struct hca_counter_view {
	const struct hca_counter_field *field;
	unsigned int count;
	u16 select2_bit; /* CounterSelect2's place */
	u8 select2_width;
};

static const struct hca_counter_field hca_port_counters[] = {
	{ 32, 16, HCA_CTR_SYMBOL_ERROR, 0 },
	{ 48, 8, HCA_CTR_LINK_ERROR_RECOVERY, 1 },
	{ 56, 8, HCA_CTR_LINK_DOWNED, 2 },
	{ 64, 16, HCA_CTR_RCV_ERRORS, 3 },
	{ 80, 16, HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS, 4 },
	{ 96, 16, HCA_CTR_RCV_SWITCH_RELAY_ERRORS, 5 },
	{ 112, 16, HCA_CTR_XMIT_DISCARDS, 6 },
	{ 128, 8, HCA_CTR_XMIT_CONSTRAINT_ERRORS, 7 },
	{ 136, 8, HCA_CTR_RCV_CONSTRAINT_ERRORS, 8 },
	{ 152, 4, HCA_CTR_LOCAL_LINK_INTEGRITY_ERRORS, 9 },
	{ 156, 4, HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS, 10 },
	{ 176, 16, HCA_CTR_VL15_DROPPED, 11 },
	{ 192, 32, HCA_CTR_XMIT_DATA, 12 },
	{ 224, 32, HCA_CTR_RCV_DATA, 13 },
	{ 256, 32, HCA_CTR_XMIT_PACKETS, 14 },
	{ 288, 32, HCA_CTR_RCV_PACKETS, 15 },
	{ 320, 32, HCA_CTR_XMIT_WAIT, 16 },
};

static const struct hca_counter_field hca_port_counters_ext[] = {
	{ 64, 64, HCA_CTR_XMIT_DATA, 0 },
	{ 128, 64, HCA_CTR_RCV_DATA, 1 },
	{ 192, 64, HCA_CTR_XMIT_PACKETS, 2 },
	{ 256, 64, HCA_CTR_RCV_PACKETS, 3 },
	{ 320, 64, HCA_CTR_UNICAST_XMIT_PACKETS, 4 },
	{ 384, 64, HCA_CTR_UNICAST_RCV_PACKETS, 5 },
	{ 448, 64, HCA_CTR_MULTICAST_XMIT_PACKETS, 6 },
	{ 512, 64, HCA_CTR_MULTICAST_RCV_PACKETS, 7 },
	{ 576, 64, HCA_CTR_SYMBOL_ERROR, 16 },
	{ 640, 64, HCA_CTR_LINK_ERROR_RECOVERY, 17 },
	{ 704, 64, HCA_CTR_LINK_DOWNED, 18 },
	{ 768, 64, HCA_CTR_RCV_ERRORS, 19 },
	{ 832, 64, HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS, 20 },
	{ 896, 64, HCA_CTR_RCV_SWITCH_RELAY_ERRORS, 21 },
	{ 960, 64, HCA_CTR_XMIT_DISCARDS, 22 },
	{ 1024, 64, HCA_CTR_XMIT_CONSTRAINT_ERRORS, 23 },
	{ 1088, 64, HCA_CTR_RCV_CONSTRAINT_ERRORS, 24 },
	{ 1152, 64, HCA_CTR_LOCAL_LINK_INTEGRITY_ERRORS, 25 },
	{ 1216, 64, HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS, 26 },
	{ 1280, 64, HCA_CTR_VL15_DROPPED, 27 },
	{ 1344, 64, HCA_CTR_XMIT_WAIT, 28 },
};

static const struct hca_counter_view hca_port_counters_view = {
	.field = hca_port_counters,
	.count = ARRAY_SIZE(hca_port_counters),
	.select2_bit = 144,
	.select2_width = 8,
};

static const struct hca_counter_view hca_port_counters_ext_view = {
	.field = hca_port_counters_ext,
	.count = ARRAY_SIZE(hca_port_counters_ext),
	.select2_bit = 32,
	.select2_width = 32,
};

#define HCA_PORT_SELECT_OCTET 1
#define HCA_COUNTER_SELECT_BIT 16

#define HCA_ALL_PORTS 0xff

/* Ports, from the first to the last. */
struct hca_port_range {
	struct hca_port *first, *last;
};

/*
 * A switch's agent knows each of its ports, and AllPortSelect; an adapter's but the one where the
 * MAD came in (C4-338).
 */
static bool hca_counters_find_ports(const struct hca_mad_request *rq, struct hca_port_range *ports)
{
	bool is_switch = rq->node->type == HCA_NODE_SWITCH;
	u8 select = rq->in[HCA_PORT_SELECT_OCTET];

	if (is_switch && select == HCA_ALL_PORTS) {
		ports->first = rq->home;
		ports->last = rq->home + rq->node->num_ports;
		return true;
	}
	if (!is_switch && select != rq->arrival)
		return false;
	ports->first = ports->last = hca_node_port(rq->node, select);
	return ports->first;
}

static void hca_counters_add(struct hca_counters *sum, struct hca_port *port,
			     const struct hca_counter_view *view)
{
	const struct hca_counter_field *field = view->field;
	u64 value, *total;

	spin_lock_bh(&port->lock);
	for (; field < view->field + view->count; field++) {
		value = hca_counter_read(port, field->counter) -
			port->counter_base.v[field->counter];
		total = &sum->v[field->counter];
		*total += min(value, U64_MAX - *total);
	}
	spin_unlock_bh(&port->lock);
}

static u16 hca_counters_get(struct hca_mad_request *rq, const struct hca_counter_view *view)
{
	const struct hca_counter_field *field = view->field;
	struct hca_counters sum = {};
	struct hca_port_range ports;

	rq->out[HCA_PORT_SELECT_OCTET] = rq->in[HCA_PORT_SELECT_OCTET];
	if (!hca_counters_find_ports(rq, &ports))
		return HCA_MAD_BAD_VALUE;
	for (; ports.first <= ports.last; ports.first++)
		hca_counters_add(&sum, ports.first, view);
	for (; field < view->field + view->count; field++)
		hca_field_put(rq->out, field->bit, field->width,
			      min(sum.v[field->counter], U64_MAX >> (64 - field->width)));
	return HCA_MAD_OK;
}

static void hca_counters_write(struct hca_port *port, const struct hca_counter_view *view,
			       const u8 *in)
{
	u64 selected = hca_field_get(in, HCA_COUNTER_SELECT_BIT, 16) |
		       hca_field_get(in, view->select2_bit, view->select2_width) << 16;
	const struct hca_counter_field *field = view->field;

	spin_lock_bh(&port->lock);
	for (; field < view->field + view->count; field++)
		if (selected >> field->select & 1)
			port->counter_base.v[field->counter] =
				hca_counter_read(port, field->counter) -
				hca_field_get(in, field->bit, field->width);
	spin_unlock_bh(&port->lock);
}

static u16 hca_counters_set(struct hca_mad_request *rq, const struct hca_counter_view *view)
{
	struct hca_port_range ports;

	if (!hca_counters_find_ports(rq, &ports))
		return HCA_MAD_BAD_VALUE;
	for (; ports.first <= ports.last; ports.first++)
		hca_counters_write(ports.first, view, rq->in);
	return HCA_MAD_OK;
}

u16 hca_port_counters_get(struct hca_mad_request *rq)
{
	return hca_counters_get(rq, &hca_port_counters_view);
}

u16 hca_port_counters_set(struct hca_mad_request *rq)
{
	return hca_counters_set(rq, &hca_port_counters_view);
}

u16 hca_port_counters_ext_get(struct hca_mad_request *rq)
{
	return hca_counters_get(rq, &hca_port_counters_ext_view);
}

u16 hca_port_counters_ext_set(struct hca_mad_request *rq)
{
	return hca_counters_set(rq, &hca_port_counters_ext_view);
}
