// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* GUIDInfo: a port's GUIDs. The attribute modifier selects a block of eight (req C4-234). */
#include <linux/spinlock.h>
#include <linux/string.h>
#include "sma/attribute.h"

#define HCA_GUID_BLOCK 8

u16 hca_guid_info_get(struct hca_mad_request *rq)
{
	struct hca_port *port = rq->home;

	if (rq->modifier >= HCA_GUIDS / HCA_GUID_BLOCK)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	memcpy(rq->out, &port->guid[rq->modifier * HCA_GUID_BLOCK],
	       HCA_GUID_BLOCK * sizeof(__be64));
	spin_unlock_bh(&port->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_guid_info_set(struct hca_mad_request *rq)
{
	/* GUID 0 is the port's own and is read-only (IBA 14.2.5.5). */
	u32 first = rq->modifier ? 0 : 1;
	struct hca_port *port = rq->home;
	bool changed = false;
	__be64 guid;
	u32 i;

	if (rq->modifier >= HCA_GUIDS / HCA_GUID_BLOCK)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	for (i = first; i < HCA_GUID_BLOCK; i++) {
		__be64 *entry = &port->guid[rq->modifier * HCA_GUID_BLOCK + i];

		memcpy(&guid, rq->in + i * sizeof(guid), sizeof(guid));
		changed |= guid != *entry;
		*entry = guid;
	}
	spin_unlock_bh(&port->lock);
	if (changed)
		hca_port_event(port, HCA_EVENT_GID_CHANGE);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
