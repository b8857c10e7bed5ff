/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Attributes of management classes, requests for attributes, and the Get and Set functions. */
#ifndef HCA_SMA_ATTRIBUTE_H
#define HCA_SMA_ATTRIBUTE_H

#include <linux/types.h>
#include "fabric/node.h"
#include "wire/mad.h"

struct hca_class;
struct hca_counter_view;

#define HCA_PERF_DATA_BYTES 192

/* A Get or Set that is being processed. */
struct hca_mad_request {
	struct hca_node *node;
	struct hca_port *home; /* managed port: port 0 of a switch, or the arrival port of a CA */
	u8 arrival; /* number of the port where the MAD arrived */
	u16 slid; /* source LID of the MAD; 0: the node itself sent it */
	u8 method; /* IB_MGMT_METHOD_* */
	u32 modifier; /* attribute modifier */
	__be64 m_key;
	bool m_key_trusted;
	const struct hca_class *class;
	const struct hca_attribute *attribute; /* NULL: the class does not have the attribute */
	const u8 *in; /* attribute data of the request */
	u8 *out; /* attribute data of the response, zeroed */
};

/* Return: IB_MGMT_MAD_STATUS_*. Context: bottom halves disabled; no lock held. */
typedef u16 (*hca_attribute_fn)(struct hca_mad_request *rq);

enum hca_attribute_flags {
	HCA_ATTR_NO_MODIFIER = 1 << 0, /* the attribute modifier must be 0 */
	HCA_ATTR_OTHER_PORT = 1 << 1, /* the modifier may select another port of a CA */
	/* the attribute belongs to the subnet manager at QP0, not to the agent */
	HCA_ATTR_MANAGER = 1 << 2,
	/* the attribute exists only if a port has more than one data VL */
	HCA_ATTR_DATA_VLS = 1 << 3,
	HCA_ATTR_SWITCH = 1 << 4, /* the attribute exists only in switches */
	HCA_ATTR_LINEAR = 1 << 5, /* the attribute exists only with a linear forwarding table */
	HCA_ATTR_RANDOM = 1 << 6, /* the attribute exists only with a random forwarding table */
};

/*
 * An attribute of a class. The response to a Set contains the values that a Get would then return
 * (req C4-196). An attribute with a set function therefore has a get function, too.
 */
struct hca_attribute {
	u16 id;
	u8 flags; /* enum hca_attribute_flags */
	const char *name;
	hca_attribute_fn get, set;
	/* Counters for hca_counters_get() and hca_counters_set(); NULL with other functions. */
	const struct hca_counter_view *view;
};

/* Return: port @num of a switch, or NULL; for a CA, the port where the MAD arrived. */
static inline struct hca_port *hca_request_port(const struct hca_mad_request *rq, u32 num)
{
	return rq->node->type == RDMA_NODE_IB_SWITCH ? hca_node_port(rq->node, num) : rq->home;
}

u16 hca_notice_get(struct hca_mad_request *rq);
u16 hca_notice_set(struct hca_mad_request *rq);
u16 hca_node_description_get(struct hca_mad_request *rq);
u16 hca_node_info_get(struct hca_mad_request *rq);
u16 hca_switch_info_get(struct hca_mad_request *rq);
u16 hca_switch_info_set(struct hca_mad_request *rq);
u16 hca_guid_info_get(struct hca_mad_request *rq);
u16 hca_guid_info_set(struct hca_mad_request *rq);
/* Return: the port whose PortInfo the attribute modifier selects; NULL if it does not exist. */
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
 * hca_class_port_info() - fill in the response to a Get of ClassPortInfo (req C4-218, C4-219)
 * @rq: the request; the response contains the version of rq->class
 * @capability_mask: CapabilityMask; bits 8 to 15 are specific to the class
 * @capability_mask2: CapabilityMask2, 27 bits
 *
 * Context: bottom halves disabled.
 * Return: IB_MGMT_MAD_STATUS_SUCCESS.
 */
u16 hca_class_port_info(struct hca_mad_request *rq, u16 capability_mask, u32 capability_mask2);

u16 hca_port_samples_control_get(struct hca_mad_request *rq);
u16 hca_port_samples_control_set(struct hca_mad_request *rq);
u16 hca_port_samples_result_get(struct hca_mad_request *rq);
u16 hca_port_samples_result_ext_get(struct hca_mad_request *rq);

#endif
