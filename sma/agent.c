// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Processing of received MADs, by management class, method and attribute. */
#include "sma/agent.h"
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "fabric/switch.h"
#include "link/port/attributes.h"
#include "sma/agent_port.h"
#include "sma/class.h"
#include "sma/notices.h"
#include "wire/field.h"
#include "wire/smp.h"

static const struct hca_class *const hca_classes[] = {
	&hca_subnet_class,
	&hca_subnet_directed_class,
	&hca_performance_class,
	&hca_communication_class,
};

#define HCA_METHOD_RESPONSE 0x80

/*
 * The known methods of requests. A request with any other method is answered with the status
 * IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD.
 */
static const struct hca_method {
	u8 code; /* IB_MGMT_METHOD_* */
	/* Method of the response; 0: the agent does not respond, and returns HCA_AGENT_PASS. */
	u8 response;
} hca_methods[] = {
	{ IB_MGMT_METHOD_GET, IB_MGMT_METHOD_GET_RESP },
	{ IB_MGMT_METHOD_SET, IB_MGMT_METHOD_GET_RESP },
	{ IB_MGMT_METHOD_SEND },
	{ IB_MGMT_METHOD_TRAP },
	{ IB_MGMT_METHOD_REPORT },
	{ IB_MGMT_METHOD_TRAP_REPRESS }, /* passed on, unless the agent has sent the trap */
};

static const struct hca_class *agent_find_class(const struct hca_port *home, u8 code)
{
	const struct hca_class *class;
	int i;

	for (i = 0; i < ARRAY_SIZE(hca_classes); i++) {
		class = hca_classes[i];
		if (class->code == code)
			return !class->exists || class->exists(home) ? class : NULL;
	}
	return NULL;
}

static const struct hca_method *agent_find_method(u8 code)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hca_methods); i++)
		if (hca_methods[i].code == code)
			return &hca_methods[i];
	return NULL;
}

/* Returns whether the port of a CA, or any port of a switch, has more than one data VL. */
static bool agent_has_data_vls(const struct hca_mad_request *rq)
{
	const struct hca_port *port = rq->home, *last = port;

	if (hca_node_is_switch(rq->node))
		last += rq->node->num_ports;
	for (; port <= last; port++)
		if (READ_ONCE(port->info.vl_cap) > 1)
			return true;
	return false;
}

static bool attribute_exists(const struct hca_attribute *attr, const struct hca_mad_request *rq)
{
	if (attr->flags & HCA_ATTR_SWITCH && !hca_node_is_switch(rq->node))
		return false;
	if (attr->flags & HCA_ATTR_LINEAR && hca_node_switch(rq->node)->rft)
		return false;
	if (attr->flags & HCA_ATTR_RANDOM && !hca_node_switch(rq->node)->rft)
		return false;
	if (attr->flags & HCA_ATTR_DATA_VLS && !agent_has_data_vls(rq))
		return false;
	return true;
}

static const struct hca_attribute *agent_find_attribute(const struct hca_class *class, u16 id,
							const struct hca_mad_request *rq)
{
	const struct hca_attribute *attr = class->attributes;

	for (; attr < class->attributes + class->num_attributes; attr++)
		if (attr->id == id)
			return attribute_exists(attr, rq) ? attr : NULL;
	return NULL;
}

/* Executes a Get or Set. Returns IB_MGMT_MAD_STATUS_*. */
static u16 request_execute(struct hca_mad_request *rq)
{
	const struct hca_attribute *attr = rq->attribute;
	u16 status = IB_MGMT_MAD_STATUS_SUCCESS, got;

	if (!attr || !(rq->method == IB_MGMT_METHOD_SET ? attr->set : attr->get))
		return IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB;
	memset(rq->out, 0, rq->class->data_bytes);
	if (attr->flags & HCA_ATTR_NO_MODIFIER && rq->modifier)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	if (rq->method == IB_MGMT_METHOD_SET)
		status = attr->set(rq);
	got = attr->get(rq);
	return status ?: got;
}

/*
 * Returns whether the kernel's MAD layer serves the port. The MAD layer passes requests of any
 * class to its clients, and itself responds to requests of classes without a client.
 */
static bool port_has_clients(const struct hca_port *home)
{
	return home->ops->manager;
}

/* Returns whether a subnet manager at this port must process the request (req C4-247). */
static bool request_is_for_manager(const struct hca_mad_request *rq)
{
	return rq->attribute && rq->attribute->flags & HCA_ATTR_MANAGER &&
	       port_has_clients(rq->home) &&
	       READ_ONCE(rq->home->info.capability_mask) & HCA_CAP_SM;
}

/* Completes the response @out by its method and status; all other fields are set already. */
static enum hca_agent_result agent_reply(const struct hca_mad *in, struct hca_mad *out,
					 const struct hca_method *method, u16 status)
{
	if (in->hdr.mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		status |= HCA_SMP_DIRECTION;
	out->hdr.method = method ? method->response : in->hdr.method | HCA_METHOD_RESPONSE;
	out->hdr.status = cpu_to_be16(status);
	return HCA_AGENT_REPLY;
}

enum hca_agent_result hca_class_answer(const struct hca_class *class, struct hca_mad_request *rq,
				       const struct hca_mad *in, struct hca_mad *out)
{
	const struct hca_method *method = agent_find_method(in->hdr.method);
	bool version_ok = in->hdr.base_version == HCA_BASE_VERSION &&
			  in->hdr.class_version == class->version;

	rq->class = class;
	rq->attribute = agent_find_attribute(class, be16_to_cpu(in->hdr.attr_id), rq);
	rq->in = (const u8 *)in + class->data_offset;
	rq->out = (u8 *)out + class->data_offset;
	if (version_ok && class->consume && class->consume(rq, in))
		return HCA_AGENT_CONSUMED;
	if ((method && !method->response) || (class->shared && !rq->attribute))
		return HCA_AGENT_PASS;

	*out = *in;
	if (!version_ok)
		return agent_reply(in, out, method, IB_MGMT_MAD_STATUS_BAD_VERSION);
	if (!method)
		return agent_reply(in, out, method, IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD);
	if (request_is_for_manager(rq))
		return HCA_AGENT_PASS;
	if (class->permits && !class->permits(rq, in))
		return HCA_AGENT_CONSUMED;
	return agent_reply(in, out, method, request_execute(rq));
}

/*
 * Responds to a request of a class that the port does not have, unless the MAD layer serves the
 * port (req B4-024, C4-215).
 */
static enum hca_agent_result agent_reply_unknown_class(const struct hca_port *home,
						       const struct hca_mad *in,
						       struct hca_mad *out)
{
	const struct hca_method *method = agent_find_method(in->hdr.method);

	if (port_has_clients(home) || !method || !method->response)
		return HCA_AGENT_PASS;
	*out = *in;
	return agent_reply(in, out, method, IB_MGMT_MAD_STATUS_BAD_VERSION);
}

static enum hca_agent_result agent_process(struct hca_node *node, u8 port, u16 slid,
					   const struct hca_mad *in, struct hca_mad *out,
					   bool m_key_trusted)
{
	const struct hca_smp *smp = (const struct hca_smp *)in;
	struct hca_mad_request rq = {
		.node = node,
		.home = hca_node_port(node, hca_node_is_switch(node) ? 0 : port),
		.arrival = port,
		.slid = slid,
		.method = in->hdr.method,
		.modifier = be32_to_cpu(in->hdr.attr_mod),
		.m_key = smp->m_key,
		.m_key_trusted = m_key_trusted,
	};
	const struct hca_class *class;
	enum hca_agent_result result;

	if (!rq.home || in->hdr.method & HCA_METHOD_RESPONSE || hca_smp_is_returning(smp))
		return HCA_AGENT_PASS;
	class = agent_find_class(rq.home, in->hdr.mgmt_class);
	if (!class)
		return agent_reply_unknown_class(rq.home, in, out);
	local_bh_disable();
	result = hca_class_answer(class, &rq, in, out);
	local_bh_enable();
	return result;
}

/*
 * The first fields of ClassPortInfo, for general services classes. The fields after them are for
 * redirection and traps. They are 0, and ClassPortInfo cannot be set (req C4-221), because agents
 * of these classes neither redirect clients nor send traps.
 */
struct hca_class_port_info {
	u8 base_version;
	u8 class_version;
	u16 capability_mask;
	u32 capability_mask2;
	u8 resp_time_value;
};

#define FIELD(name, octet, bit, bits)                                                              \
	HCA_FIELD(struct hca_class_port_info, name, octet, bit, bits)

static const struct hca_field hca_class_port_info_fields[] = {
	FIELD(base_version, 0, 0, 8),
	FIELD(class_version, 1, 0, 8),
	FIELD(capability_mask, 2, 0, 16),
	FIELD(capability_mask2, 4, 0, 27),
	FIELD(resp_time_value, 7, 3, 5),
};

u16 hca_class_port_info(struct hca_mad_request *rq, u16 capability_mask, u32 capability_mask2)
{
	struct hca_class_port_info info = {
		.base_version = HCA_BASE_VERSION,
		.class_version = rq->class->version,
		.capability_mask = capability_mask,
		.capability_mask2 = capability_mask2,
		.resp_time_value = READ_ONCE(rq->home->info.resp_time_value),
	};

	hca_fields_pack(hca_class_port_info_fields, ARRAY_SIZE(hca_class_port_info_fields), &info,
			rq->out);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

const struct hca_agent_ops hca_agent = {
	.process = agent_process,
	.notice = hca_notices_accept,
	.port_init = hca_agent_port_new,
	.port_stop = hca_agent_port_stop,
	.port_free = hca_agent_port_free,
};
