// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The communication management class. The agent implements only ClassPortInfo, and only on ports
 * that have a communication manager (req C4-342). All messages to that manager have the method
 * Send, and the agent passes them on to the manager.
 */
#include <linux/kernel.h>
#include <linux/stddef.h>
#include "link/port/attributes.h"
#include "sma/class.h"

/*
 * Bits of ClassPortInfo.CapabilityMask (req C4-343): the services of Linux's communication manager,
 * and raw queue pairs for IPv6 or EtherType packets (req C4-059).
 */
enum {
	HCA_CM_RELIABLE_CONNECTION = 1 << 9,
	HCA_CM_RAW_DATAGRAM = 1 << 11,
	HCA_CM_UNRELIABLE_CONNECTION = 1 << 12,
	HCA_CM_SIDR = 1 << 13, /* service ID resolution for unreliable datagrams */
};

static u16 communication_class_port_info_get(struct hca_mad_request *rq)
{
	return hca_class_port_info(rq, HCA_CM_RELIABLE_CONNECTION | HCA_CM_RAW_DATAGRAM |
					       HCA_CM_UNRELIABLE_CONNECTION | HCA_CM_SIDR, 0);
}

static const struct hca_attribute hca_communication_attributes[] = {
	{ HCA_ATTRIBUTE_CLASS_PORT_INFO, HCA_ATTR_NO_MODIFIER, "ClassPortInfo",
	  communication_class_port_info_get },
};

static bool communication_exists(const struct hca_port *home)
{
	return READ_ONCE(home->info.capability_mask) & HCA_CAP_CONNECTION_MANAGEMENT;
}

const struct hca_class hca_communication_class = {
	.code = IB_MGMT_CLASS_CM,
	.version = 2,
	.data_offset = sizeof(struct hca_mad_hdr),
	.data_bytes = sizeof_field(struct hca_mad, body),
	.shared = true,
	.attributes = hca_communication_attributes,
	.num_attributes = ARRAY_SIZE(hca_communication_attributes),
	.exists = communication_exists,
};
