/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What an attribute of a management class is to the agent, and the attributes there are. */
#ifndef HCA_SMA_ATTRIBUTE_H
#define HCA_SMA_ATTRIBUTE_H

#include <linux/types.h>
#include "sma/agent.h"

struct hca_class;
struct hca_counter_view;

#define HCA_PERF_DATA_BYTES 192

/* A Get or Set under way. */
struct hca_mad_request {
	struct hca_node *node;
	struct hca_port *home; /* the port managed here: a switch's port 0, an adapter's own */
	u8 arrival; /* number of the port where the MAD came in */
	u16 slid; /* who sent it; 0: the node itself */
	u8 method; /* enum hca_mad_method */
	u32 modifier;
	__be64 m_key;
	bool m_key_trusted;
	const struct hca_class *class;
	const struct hca_attribute *attribute; /* NULL: there is none such */
	const u8 *in; /* attribute as asked for */
	u8 *out; /* attribute as answered; zeroed */
};

/* The functions return enum hca_mad_status. Context: bottom halves disabled; no lock held. */
typedef u16 (*hca_attribute_fn)(struct hca_mad_request *rq);

enum hca_attribute_flags {
	HCA_ATTR_NO_MODIFIER = 1 << 0, /* the modifier is 0 */
	HCA_ATTR_OTHER_PORT = 1 << 1, /* an adapter shows those of its other ports */
	HCA_ATTR_MANAGER = 1 << 2, /* not the agent's, but for the manager behind QP0 */
	HCA_ATTR_DATA_VLS = 1 << 3, /* only where there is more than one data VL */
	HCA_ATTR_SWITCH = 1 << 4, /* only in switches */
	HCA_ATTR_LINEAR = 1 << 5, /* only in those with a linear forwarding table */
	HCA_ATTR_RANDOM = 1 << 6, /* only in those with a random one, that is, the others */
};

/* A Set is answered by what the Get after it reads (C4-196), so no set goes without a get. */
struct hca_attribute {
	u16 id;
	u8 flags; /* enum hca_attribute_flags */
	const char *name;
	hca_attribute_fn get, set;
	const struct hca_counter_view *view; /* of hca_counters_get() and set() */
};

/* The port that a modifier names on a switch; an adapter's is the one where the MAD came in. */
static inline struct hca_port *hca_request_port(const struct hca_mad_request *rq, u32 num)
{
	return rq->node->type == HCA_NODE_SWITCH ? hca_node_port(rq->node, num) : rq->home;
}

u16 hca_notice_get(struct hca_mad_request *rq);
u16 hca_notice_set(struct hca_mad_request *rq);
u16 hca_node_description_get(struct hca_mad_request *rq);
u16 hca_node_info_get(struct hca_mad_request *rq);
u16 hca_switch_info_get(struct hca_mad_request *rq);
u16 hca_switch_info_set(struct hca_mad_request *rq);
u16 hca_guid_info_get(struct hca_mad_request *rq);
u16 hca_guid_info_set(struct hca_mad_request *rq);
/* The port whose PortInfo is asked for; NULL if the modifier names none. */
struct hca_port *hca_port_info_port(const struct hca_mad_request *rq);
u16 hca_port_info_get(struct hca_mad_request *rq);
u16 hca_port_info_set(struct hca_mad_request *rq);
u16 hca_pkey_table_get(struct hca_mad_request *rq);
u16 hca_pkey_table_set(struct hca_mad_request *rq);
u16 hca_sl_to_vl_get(struct hca_mad_request *rq);
u16 hca_sl_to_vl_set(struct hca_mad_request *rq);
u16 hca_vl_arbitration_get(struct hca_mad_request *rq);
u16 hca_vl_arbitration_set(struct hca_mad_request *rq);
u16 hca_linear_forwarding_table_get(struct hca_mad_request *rq);
u16 hca_linear_forwarding_table_set(struct hca_mad_request *rq);
u16 hca_random_forwarding_table_get(struct hca_mad_request *rq);
u16 hca_random_forwarding_table_set(struct hca_mad_request *rq);
u16 hca_multicast_forwarding_table_get(struct hca_mad_request *rq);
u16 hca_multicast_forwarding_table_set(struct hca_mad_request *rq);
u16 hca_vendor_diag_get(struct hca_mad_request *rq);
u16 hca_led_info_get(struct hca_mad_request *rq);
u16 hca_led_info_set(struct hca_mad_request *rq);

/**
 * hca_class_port_info() - answer a Get of ClassPortInfo (C4-218, C4-219)
 * @rq: of which the class is taken
 * @capability_mask: of the class, in bits 8 to 15
 * @capability_mask2: likewise, 27 bits
 *
 * Return: enum hca_mad_status.
 */
u16 hca_class_port_info(struct hca_mad_request *rq, u16 capability_mask, u32 capability_mask2);

u16 hca_port_samples_control_get(struct hca_mad_request *rq);
u16 hca_port_samples_control_set(struct hca_mad_request *rq);
u16 hca_port_samples_result_get(struct hca_mad_request *rq);
u16 hca_port_samples_result_ext_get(struct hca_mad_request *rq);

#endif
