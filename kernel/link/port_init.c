// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Initialisation and end of a port. */
#include <linux/string.h>
#include "link/capability.h"
#include "link/port_init.h"
#include "link/rx.h"
#include "link/rx_buffer.h"
#include "link/tx.h"

static const struct hca_port_info hca_port_defaults = {
	.capability_mask = HCA_CAP_SL_MAP | HCA_CAP_LED_INFO | HCA_CAP_SYSTEM_IMAGE_GUID |
			   HCA_CAP_EXTENDED_SPEEDS | HCA_CAP_CLIENT_REREGISTER,
	.state = IB_PORT_DOWN,
	.phys_state = IB_PORT_PHYS_STATE_POLLING,
	.link_down_default = IB_PORT_PHYS_STATE_POLLING,
	.link_width_enabled = 3, /* 1x, 4x */
	.link_width_supported = 3,
	.link_width_active = 2,
	.link_speed_enabled = 7, /* 2.5, 5, 10 Gb/s */
	.link_speed_supported = 7,
	.link_speed_active = 4,
	.link_speed_ext_enabled = 3, /* FDR, EDR */
	.link_speed_ext_supported = 3,
	.link_speed_ext_active = 2,
	.neighbor_mtu = IB_MTU_4096,
	.mtu_cap = IB_MTU_4096,
	.vl_cap = 5, /* VL0 to VL14 */
	.operational_vls = 5,
	.local_phy_errors = 8,
	.overrun_errors = 8,
	.resp_time_value = 16,
};

int hca_port_init(struct hca_port *port, u8 num, const struct hca_port_ops *ops, __be64 guid)
{
	int i, ret;

	ret = hca_counters_init(&port->counters);
	if (ret)
		return ret;
	port->num = num;
	port->ops = ops;
	spin_lock_init(&port->lock);
	spin_lock_init(&port->tx_lock);
	port->info = hca_port_defaults;
	if (ops->relays && num)
		port->info.hoq_life = HCA_LIFE_FOREVER;
	port->info.subnet_prefix = cpu_to_be64(HCA_DEFAULT_GID_PREFIX);
	port->guid[0] = guid;
	port->pkey[0] = 0xffff;
	for (i = 0; i < 16; i++) {
		port->sl2vl[i] = i % HCA_DATA_VLS;
		port->vlarb_low[i][0] = i % HCA_DATA_VLS;
		port->vlarb_low[i][1] = i < HCA_DATA_VLS ? 1 : 0;
	}
	for (i = 0; i < HCA_DATA_VLS; i++)
		hca_vl_queue_init(&port->vl_queue[i]);
	hca_run_init(&port->tx_run, hca_port_tx_run);
	port->arbiter.high_left = 1;
	hca_timing_init(port);
	hca_flow_init(port);
	hca_slow_vl_init(port);
	hca_link_events_init(port, hca_link_run, hca_link_timer_expired);
	INIT_LIST_HEAD(&port->blocked_loopback);
	spin_lock_init(&port->reserve_lock);
	init_llist_head(&port->rx_queue);
	hca_run_init(&port->rx_run, hca_port_run);
	port->loop_limit = HCA_VL_BUFFER_BLOCKS;
	return 0;
}

void hca_port_destroy(struct hca_port *port)
{
	if (!port->counters.cpu)
		return;
	hca_flow_destroy(port);
	hca_slow_vl_destroy(port);
	hca_run_stop(&port->rx_run);
	hca_link_events_stop(port);
	hca_run_stop(&port->tx_run);
	hca_timing_stop(port);
	hca_port_purge(port);
	hca_port_tx_purge(port);
	hca_counters_destroy(&port->counters);
}
