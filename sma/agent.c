// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The agents: the classes, attributes and methods there are, and how a MAD finds its way. */
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "sma/agent.h"
#include "sma/attribute.h"
#include "sma/counters.h"
#include "sma/m_key.h"
#include "sma/notices.h"
#include "sma/smp.h"

static const struct hca_attribute hca_subnet_attributes[] = {
	{ HCA_ATTRIBUTE_NOTICE, HCA_ATTR_NO_MODIFIER, "Notice", hca_notice_get, hca_notice_set },
	{ 0x0010, HCA_ATTR_NO_MODIFIER, "NodeDescription", hca_node_description_get },
	{ 0x0011, HCA_ATTR_NO_MODIFIER, "NodeInfo", hca_node_info_get },
	{ 0x0012, HCA_ATTR_SWITCH | HCA_ATTR_NO_MODIFIER, "SwitchInfo", hca_switch_info_get,
	  hca_switch_info_set },
	{ 0x0014, 0, "GUIDInfo", hca_guid_info_get, hca_guid_info_set },
	{ 0x0015, HCA_ATTR_OTHER_PORT, "PortInfo", hca_port_info_get, hca_port_info_set },
	{ 0x0016, 0, "P_KeyTable", hca_pkey_table_get, hca_pkey_table_set },
	{ 0x0017, HCA_ATTR_DATA_VLS, "SLtoVLMappingTable", hca_sl_to_vl_get, hca_sl_to_vl_set },
	{ 0x0018, HCA_ATTR_DATA_VLS, "VLArbitrationTable", hca_vl_arbitration_get,
	  hca_vl_arbitration_set },
	{ 0x0019, HCA_ATTR_SWITCH, "LinearForwardingTable", hca_linear_forwarding_table_get,
	  hca_linear_forwarding_table_set },
	{ 0x001b, HCA_ATTR_SWITCH, "MulticastForwardingTable", hca_multicast_forwarding_table_get,
	  hca_multicast_forwarding_table_set },
	{ 0x0020, HCA_ATTR_MANAGER, "SMInfo" },
};

#define HCA_COUNTERS(id, flags, name, view) \
	{ id, HCA_ATTR_NO_MODIFIER | (flags), name, hca_counters_get, hca_counters_set, \
	  &hca_##view##_view }

static const struct hca_attribute hca_perf_attributes[] = {
	{ 0x0001, HCA_ATTR_NO_MODIFIER, "ClassPortInfo", hca_perf_class_port_info_get },
	{ 0x0010, HCA_ATTR_NO_MODIFIER, "PortSamplesControl", hca_port_samples_control_get,
	  hca_port_samples_control_set },
	{ 0x0011, HCA_ATTR_NO_MODIFIER, "PortSamplesResult", hca_port_samples_result_get },
	HCA_COUNTERS(0x0012, 0, "PortCounters", port_counters),
	HCA_COUNTERS(0x0015, 0, "PortRcvErrorDetails", rcv_error_details),
	HCA_COUNTERS(0x0016, 0, "PortXmitDiscardDetails", xmit_discard_details),
	HCA_COUNTERS(0x0017, 0, "PortOpRcvCounters", op_rcv_counters),
	HCA_COUNTERS(0x0018, 0, "PortFlowCtlCounters", flow_ctl_counters),
	HCA_COUNTERS(0x001b, 0, "PortVLXmitFlowCtlUpdateErrors", flow_ctl_update_errors),
	HCA_COUNTERS(0x001c, 0, "PortVLXmitWaitCounters", vl_xmit_wait),
	HCA_COUNTERS(0x001d, 0, "PortCountersExtended", port_counters_ext),
	{ 0x001e, HCA_ATTR_NO_MODIFIER, "PortSamplesResultExtended",
	  hca_port_samples_result_ext_get },
	HCA_COUNTERS(0x0030, HCA_ATTR_SWITCH, "SwPortVLCongestion", vl_congestion),
	HCA_COUNTERS(0x0036, 0, "PortXmitDataSL", xmit_data_sl),
	HCA_COUNTERS(0x0037, 0, "PortRcvDataSL", rcv_data_sl),
};

/* Both lay their data at octet 64 of the MAD. */
#define HCA_DATA_OFFSET (64 - sizeof(struct hca_mad_hdr))

static const struct hca_class {
	u8 code; /* enum hca_mad_class */
	u8 version;
	bool m_key; /* its SMPs carry one */
	u8 data_bytes;
	const struct hca_attribute *attributes;
	unsigned int num_attributes;
} hca_classes[] = {
	{ HCA_CLASS_SUBN_LID, 1, true, HCA_SMP_DATA_BYTES, hca_subnet_attributes,
	  ARRAY_SIZE(hca_subnet_attributes) },
	{ HCA_CLASS_SUBN_DIRECTED, 1, true, HCA_SMP_DATA_BYTES, hca_subnet_attributes,
	  ARRAY_SIZE(hca_subnet_attributes) },
	{ HCA_CLASS_PERF, 1, false, HCA_PERF_DATA_BYTES, hca_perf_attributes, ARRAY_SIZE(hca_perf_attributes) },
};

#define HCA_BASE_VERSION 1
#define HCA_METHOD_RESPONSE 0x80

/* Methods of requests; any other is refused. */
static const struct hca_method {
	u8 code; /* enum hca_mad_method */
	u8 response; /* method of the answer; 0: there is none, it is passed on */
} hca_methods[] = {
	{ HCA_METHOD_GET, HCA_METHOD_GET_RESP },
	{ HCA_METHOD_SET, HCA_METHOD_GET_RESP },
	{ HCA_METHOD_SEND },
	{ HCA_METHOD_TRAP },
	{ HCA_METHOD_REPORT },
	{ HCA_METHOD_TRAP_REPRESS }, /* of a trap that QP0 has sent */
};

static const struct hca_class *hca_find_class(u8 code)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hca_classes); i++)
		if (hca_classes[i].code == code)
			return &hca_classes[i];
	return NULL;
}

static const struct hca_method *hca_find_method(u8 code)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hca_methods); i++)
		if (hca_methods[i].code == code)
			return &hca_methods[i];
	return NULL;
}

/* A switch has the tables of VLs as soon as one of its ports does. */
static bool hca_has_data_vls(const struct hca_mad_request *rq)
{
	const struct hca_port *port = rq->home, *last = port;

	if (rq->node->type == HCA_NODE_SWITCH)
		last += rq->node->num_ports;
	for (; port <= last; port++)
		if (READ_ONCE(port->info.vl_cap) > 1)
			return true;
	return false;
}

static bool hca_attribute_exists(const struct hca_attribute *attr, const struct hca_mad_request *rq)
{
	if (attr->flags & HCA_ATTR_SWITCH && rq->node->type != HCA_NODE_SWITCH)
		return false;
	if (attr->flags & HCA_ATTR_DATA_VLS && !hca_has_data_vls(rq))
		return false;
	return true;
}

static const struct hca_attribute *hca_find_attribute(const struct hca_class *class, u16 id,
						      const struct hca_mad_request *rq)
{
	const struct hca_attribute *attr = class->attributes;

	for (; attr < class->attributes + class->num_attributes; attr++)
		if (attr->id == id)
			return hca_attribute_exists(attr, rq) ? attr : NULL;
	return NULL;
}

/* An adapter's other port has a key of its own, which must fit too (C4-236). */
static bool hca_request_has_key(const struct hca_mad_request *rq, const struct hca_attribute *attr,
				const struct hca_smp *smp)
{
	struct hca_port *other = NULL;
	bool ok;

	if (rq->m_key_trusted)
		return true;
	if (attr && attr->flags & HCA_ATTR_OTHER_PORT && rq->node->type != HCA_NODE_SWITCH)
		other = hca_port_info_port(rq);
	ok = hca_m_key_check(rq->home, rq->method, rq->m_key);
	if (other && other != rq->home)
		ok &= hca_m_key_check(other, rq->method, rq->m_key);
	if (!ok)
		hca_m_key_notice(rq->home, rq->slid, smp);
	return ok;
}

/*
 * Whether it stops a trap of our own. It needs no key: OpenSM gives back the trap's, which is 0,
 * and who knows the trap has seen it. Those of managers' traps are managers' to match, by the TID.
 */
static bool hca_request_represses(const struct hca_mad_request *rq, const struct hca_mad *in)
{
	return rq->method == HCA_METHOD_TRAP_REPRESS &&
	       in->hdr.attr_id == cpu_to_be16(HCA_ATTRIBUTE_NOTICE) &&
	       hca_notices_repress(rq->home, in->hdr.tid, (const struct hca_notice *)rq->in);
}

/* Carry out a Get or Set. */
static u16 hca_request_carry_out(struct hca_mad_request *rq, const struct hca_class *class,
				 const struct hca_attribute *attr)
{
	u16 status = HCA_MAD_OK, got;

	if (!attr || (rq->method == HCA_METHOD_SET && !attr->set))
		return HCA_MAD_BAD_METHOD_ATTR;
	rq->attribute = attr;
	memset(rq->out, 0, class->data_bytes);
	if (attr->flags & HCA_ATTR_NO_MODIFIER && rq->modifier)
		return HCA_MAD_BAD_VALUE;
	if (rq->method == HCA_METHOD_SET)
		status = attr->set(rq);
	got = attr->get(rq);
	return status ?: got;
}

static enum hca_agent_result hca_agent_answer(const struct hca_class *class,
					      struct hca_mad_request *rq, const struct hca_mad *in,
					      struct hca_mad *out)
{
	const struct hca_attribute *attr =
		hca_find_attribute(class, be16_to_cpu(in->hdr.attr_id), rq);
	const struct hca_method *method = hca_find_method(in->hdr.method);
	bool version_ok = in->hdr.base_version == HCA_BASE_VERSION &&
			  in->hdr.class_version == class->version;
	u16 status;

	if (version_ok && class->m_key && hca_request_represses(rq, in))
		return HCA_AGENT_CONSUMED;
	if (method && (!method->response || (attr && attr->flags & HCA_ATTR_MANAGER)))
		return HCA_AGENT_PASS;
	if (method && version_ok && class->m_key &&
	    !hca_request_has_key(rq, attr, (const struct hca_smp *)in))
		return HCA_AGENT_CONSUMED;

	*out = *in;
	if (!version_ok)
		status = HCA_MAD_BAD_VERSION;
	else if (!method)
		status = HCA_MAD_BAD_METHOD;
	else
		status = hca_request_carry_out(rq, class, attr);
	if (in->hdr.mgmt_class == HCA_CLASS_SUBN_DIRECTED)
		status |= HCA_SMP_DIRECTION;
	out->hdr.method = method ? method->response : in->hdr.method | HCA_METHOD_RESPONSE;
	out->hdr.status = cpu_to_be16(status);
	return HCA_AGENT_REPLY;
}

enum hca_agent_result hca_agent_process(struct hca_node *node, u8 port, u16 slid,
					const struct hca_mad *in, struct hca_mad *out,
					bool m_key_trusted)
{
	const struct hca_class *class = hca_find_class(in->hdr.mgmt_class);
	const struct hca_smp *smp = (const struct hca_smp *)in;
	struct hca_mad_request rq = {
		.node = node,
		.home = hca_node_port(node, node->type == HCA_NODE_SWITCH ? 0 : port),
		.arrival = port,
		.slid = slid,
		.method = in->hdr.method,
		.modifier = be32_to_cpu(in->hdr.attr_mod),
		.m_key = smp->m_key,
		.m_key_trusted = m_key_trusted,
		.in = in->body + HCA_DATA_OFFSET,
		.out = out->body + HCA_DATA_OFFSET,
	};
	enum hca_agent_result result;

	if (!class || !rq.home || in->hdr.method & HCA_METHOD_RESPONSE ||
	    hca_smp_is_returning(smp))
		return HCA_AGENT_PASS;
	local_bh_disable();
	result = hca_agent_answer(class, &rq, in, out);
	local_bh_enable();
	return result;
}
