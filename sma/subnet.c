// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The two subnet management classes, LID-routed and directed route, which share all attributes. */
#include <linux/kernel.h>
#include <linux/stddef.h>
#include "sma/class.h"
#include "sma/m_key.h"
#include "sma/notices.h"
#include "wire/smp.h"

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
	{ 0x0019, HCA_ATTR_SWITCH | HCA_ATTR_LINEAR, "LinearForwardingTable",
	  hca_linear_forwarding_table_get, hca_linear_forwarding_table_set },
	{ 0x001a, HCA_ATTR_SWITCH | HCA_ATTR_RANDOM, "RandomForwardingTable",
	  hca_random_forwarding_table_get, hca_random_forwarding_table_set },
	{ 0x001b, HCA_ATTR_SWITCH, "MulticastForwardingTable", hca_multicast_forwarding_table_get,
	  hca_multicast_forwarding_table_set },
	{ 0x0020, HCA_ATTR_MANAGER, "SMInfo" },
	{ 0x0030, 0, "VendorDiag", hca_vendor_diag_get },
	{ 0x0031, HCA_ATTR_NO_MODIFIER, "LedInfo", hca_led_info_get, hca_led_info_set },
};

/*
 * Handles a TrapRepress of a trap that the agent of this port has sent. The M_Key is not checked,
 * because OpenSM returns the M_Key of the trap, which is 0, and because only a receiver of the trap
 * can know its contents. If a manager at this port has sent the trap, the TrapRepress is left to
 * that manager, which finds the trap by its TID.
 */
static bool subnet_consume(const struct hca_mad_request *rq, const struct hca_mad *in)
{
	return rq->method == IB_MGMT_METHOD_TRAP_REPRESS &&
	       in->hdr.attr_id == cpu_to_be16(HCA_ATTRIBUTE_NOTICE) &&
	       hca_notices_repress(rq->home, in->hdr.tid, (const struct hca_notice *)rq->in);
}

/*
 * Checks the M_Key (req C4-252). If the SMP is for another port of a CA than the one where it
 * arrived, its M_Key must be right for both ports (req C4-236).
 */
static bool subnet_permits(const struct hca_mad_request *rq, const struct hca_mad *in)
{
	const struct hca_attribute *attr = rq->attribute;
	const struct hca_smp *smp = (const struct hca_smp *)in;
	struct hca_port *other = NULL;
	bool ok;

	if (rq->m_key_trusted)
		return true;
	if (attr && attr->flags & HCA_ATTR_OTHER_PORT && !hca_node_is_switch(rq->node))
		other = hca_port_info_port(rq);
	ok = hca_m_key_check(rq->home, rq->method, smp->m_key);
	if (other && other != rq->home)
		ok &= hca_m_key_check(other, rq->method, smp->m_key);
	if (!ok)
		hca_m_key_notice(rq->home, rq->slid, smp);
	return ok;
}

#define HCA_SUBNET_CLASS(class)                                                                    \
	{                                                                                          \
		.code = (class),                                                                   \
		.version = 1,                                                                      \
		.data_offset = offsetof(struct hca_smp, data),                                     \
		.data_bytes = HCA_SMP_DATA_BYTES,                                                  \
		.attributes = hca_subnet_attributes,                                               \
		.num_attributes = ARRAY_SIZE(hca_subnet_attributes),                               \
		.consume = subnet_consume,                                                         \
		.permits = subnet_permits,                                                         \
	}

const struct hca_class hca_subnet_class = HCA_SUBNET_CLASS(IB_MGMT_CLASS_SUBN_LID_ROUTED);
const struct hca_class hca_subnet_directed_class =
	HCA_SUBNET_CLASS(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE);
