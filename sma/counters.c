// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Get and Set of the attributes that show a port's counters. */
#include "sma/counters.h"
#include <linux/kernel.h>
#include <linux/slab.h>
#include "wire/field.h"

#define HCA_OPCODE_OCTET 0
#define HCA_PORT_SELECT_OCTET 1
#define HCA_COUNTER_SELECT_BIT 16

#define HCA_ALL_PORTS 0xff

/* Adjacent ports of a node; both ends are included. */
struct hca_port_range {
	struct hca_port *first, *last;
};

/*
 * Finds the ports that PortSelect selects. In a switch, it selects any one port or, by FFh, all
 * ports. In a CA, it can only select the port where the MAD arrived (req C4-338).
 */
static bool counters_find_ports(const struct hca_mad_request *rq, struct hca_port_range *ports)
{
	bool is_switch = rq->node->type == RDMA_NODE_IB_SWITCH;
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

/* An iterator over all counters of a struct hca_counter_view. */
struct hca_counter_place {
	const struct hca_counter_field *field;
	unsigned int index; /* index of the field's counter, 0 to field->more */
};

#define hca_view_for_each(place, view) \
	for ((place) = (struct hca_counter_place){ (view)->field }; \
	     (place).field < (view)->field + (view)->count; counter_place_next(&(place)))

static void counter_place_next(struct hca_counter_place *place)
{
	if (place->index++ == place->field->more)
		*place = (struct hca_counter_place){ place->field + 1 };
}

static unsigned int counter_place_bit(const struct hca_counter_place *place)
{
	return place->field->bit + place->index * place->field->width;
}

static enum hca_counter counter_place_id(const struct hca_counter_place *place)
{
	return place->field->counter + place->index;
}

/* Returns the sum of @counter over @ports, at most U64_MAX. */
static u64 counters_sum(const struct hca_port_range *ports, enum hca_counter counter)
{
	struct hca_port *port;
	u64 value, sum = 0;

	for (port = ports->first; port <= ports->last; port++) {
		value = hca_counter_read_since_reset(port, counter);
		sum += min(value, U64_MAX - sum);
	}
	return sum;
}

/* Allocates port->counters.base, if necessary, for a Set. Returns false if there is no memory. */
static bool counters_alloc_base(struct hca_port *port)
{
	u64 *base;

	if (READ_ONCE(port->counters.base))
		return true;
	base = kcalloc(HCA_NUM_COUNTERS, sizeof(*base), GFP_ATOMIC | __GFP_NOWARN);
	spin_lock_bh(&port->lock);
	if (!port->counters.base)
		swap(port->counters.base, base);
	spin_unlock_bh(&port->lock);
	kfree(base);
	return port->counters.base;
}

static void counters_write(struct hca_port *port, const struct hca_counter_view *view,
			   u64 selected, const u8 *in)
{
	struct hca_counter_place place;
	enum hca_counter counter;

	spin_lock_bh(&port->lock);
	hca_view_for_each(place, view) {
		counter = counter_place_id(&place);
		if (selected >> (place.field->select + place.index) & 1)
			port->counters.base[counter] =
				hca_counter_read(port, counter) -
				hca_field_get(in, counter_place_bit(&place), place.field->width);
	}
	spin_unlock_bh(&port->lock);
}

/*
 * Makes the counters of @view count packets with @opcode. Unless they do so already, they are set
 * to 0.
 */
static u16 counters_watch(const struct hca_port_range *ports,
			  const struct hca_counter_view *view, u8 opcode)
{
	static const u8 zeros[HCA_PERF_DATA_BYTES];
	struct hca_port *port;

	for (port = ports->first; port <= ports->last; port++) {
		if (READ_ONCE(port->counters.watched_opcode) == opcode + 1)
			continue;
		if (!counters_alloc_base(port))
			return IB_MGMT_MAD_STATUS_BUSY;
		counters_write(port, view, U64_MAX, zeros);
		WRITE_ONCE(port->counters.watched_opcode, opcode + 1);
	}
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_counters_get(struct hca_mad_request *rq)
{
	const struct hca_counter_view *view = rq->attribute->view;
	struct hca_counter_place place;
	struct hca_port_range ports;
	u16 status = IB_MGMT_MAD_STATUS_SUCCESS;

	rq->out[HCA_PORT_SELECT_OCTET] = rq->in[HCA_PORT_SELECT_OCTET];
	if (!counters_find_ports(rq, &ports))
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	if (view->by_opcode) {
		rq->out[HCA_OPCODE_OCTET] = rq->in[HCA_OPCODE_OCTET];
		status = counters_watch(&ports, view, rq->in[HCA_OPCODE_OCTET]);
	}
	hca_view_for_each(place, view)
		hca_field_put(rq->out, counter_place_bit(&place), place.field->width,
			      min(counters_sum(&ports, counter_place_id(&place)),
				  U64_MAX >> (64 - place.field->width)));
	return status;
}

u16 hca_counters_set(struct hca_mad_request *rq)
{
	const struct hca_counter_view *view = rq->attribute->view;
	u64 selected = hca_field_get(rq->in, HCA_COUNTER_SELECT_BIT, 16);
	struct hca_port_range ports;

	if (view->select2_width)
		selected |= hca_field_get(rq->in, view->select2_bit, view->select2_width) << 16;
	if (!counters_find_ports(rq, &ports))
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	for (; ports.first <= ports.last; ports.first++) {
		if (!counters_alloc_base(ports.first))
			return IB_MGMT_MAD_STATUS_BUSY;
		counters_write(ports.first, view, selected, rq->in);
	}
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
