// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A dump of the counters of all ports. Unlike sysfs, it includes the ports of switches and TCAs. */
#include <linux/hca_netlink.h>
#include <linux/kernel.h>
#include <net/genetlink.h>
#include "control/dump.h"
#include "control/handlers.h"
#include "control/registry.h"
#include "link/port/port.h"

static const struct {
	u8 attr;
	u8 counter;
} dumped[] = {
#define DUMPED(name) { HCA_NL_COUNTERS_##name, HCA_CTR_##name }
	DUMPED(XMIT_DATA),
	DUMPED(RCV_DATA),
	DUMPED(XMIT_PACKETS),
	DUMPED(RCV_PACKETS),
	DUMPED(XMIT_WAIT),
	DUMPED(SYMBOL_ERROR),
	DUMPED(LINK_ERROR_RECOVERY),
	DUMPED(LINK_DOWNED),
	DUMPED(RCV_ERRORS),
	DUMPED(RCV_REMOTE_PHYSICAL_ERRORS),
	DUMPED(RCV_SWITCH_RELAY_ERRORS),
	DUMPED(XMIT_DISCARDS),
	DUMPED(XMIT_CONSTRAINT_ERRORS),
	DUMPED(RCV_CONSTRAINT_ERRORS),
	DUMPED(LOCAL_LINK_INTEGRITY_ERRORS),
	DUMPED(EXCESSIVE_BUFFER_OVERRUNS),
	DUMPED(VL15_DROPPED),
#undef DUMPED
};

static int counters_fill(struct sk_buff *skb, struct hca_port *port)
{
	size_t i;
	int err = nla_put_string(skb, HCA_NL_COUNTERS_DEVICE, hca_registry_port_device(port)) ?:
		  nla_put_u32(skb, HCA_NL_COUNTERS_PORT, port->num);

	for (i = 0; !err && i < ARRAY_SIZE(dumped); i++)
		err = nla_put_u64_64bit(skb, dumped[i].attr,
					hca_counter_read_since_reset(port, dumped[i].counter),
					HCA_NL_COUNTERS_PAD);
	return err;
}

static int counters_dump_port(struct sk_buff *skb, struct netlink_callback *cb,
			      struct hca_port *port)
{
	void *header = hca_dump_message(skb, cb, HCA_CMD_COUNTERS_GET);

	if (!header)
		return -EMSGSIZE;
	if (counters_fill(skb, port)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/*
 * Dump the counters of a device's ports, from port cb->args[1] on. Ports that do not exist, such as
 * port 0 of a channel adapter, are skipped.
 */
static int counters_dump_device(struct sk_buff *skb, struct netlink_callback *cb,
				const struct hca_entry *entry)
{
	struct hca_port *port;
	int err = 0;

	while (!err && cb->args[1] <= hca_registry_num_ports(entry)) {
		port = hca_registry_port(entry, cb->args[1]);
		if (port)
			err = counters_dump_port(skb, cb, port);
		if (!err)
			cb->args[1]++;
	}
	return err;
}

int hca_counters_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return hca_dump_devices(skb, cb, counters_dump_device);
}
