// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The module: it starts its subsystems in order and stops them in reverse order. */
#include <linux/module.h>
#include "control/control.h"
#include "control/interfaces.h"
#include "control/networks.h"
#include "control/rdma_link.h"
#include "control/tap.h"
#include "engine/run.h"
#include "iwarp/tcp/tcp_stream.h"
#include "packet/batch.h"
#include "transport/early_retry.h"
#include "transport/time_wait.h"
#include "transport/watch.h"
#include "verbs/core/qp_events.h"
#include "verbs/mr/pager.h"

static const struct {
	int (*start)(void);
	void (*stop)(void);
} subsystems[] = {
	{ hca_engine_start, hca_engine_stop },
	{ hca_watch_start, hca_watch_stop },
	{ hca_qp_events_start, hca_qp_events_stop },
	{ hca_pagers_start, hca_pagers_stop },
	{ hca_networks_start, hca_networks_stop },
	{ hca_tcp_start, hca_tcp_stop },
	{ hca_interfaces_start, hca_interfaces_stop },
	{ hca_control_start, hca_control_stop },
	{ hca_rdma_link_start, hca_rdma_link_stop },
	{ hca_taps_start, hca_taps_stop },
};

static void main_stop(unsigned int started)
{
	while (started)
		subsystems[--started].stop();
}

static int __init hca_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(subsystems); i++) {
		err = subsystems[i].start();
		if (err) {
			main_stop(i);
			return err;
		}
	}
	return 0;
}

static void __exit hca_exit(void)
{
	main_stop(ARRAY_SIZE(subsystems));
}

module_param_named(batches, hca_batches, bool, 0644);
MODULE_PARM_DESC(batches, "send middle packets of a message as segment batches (default Y)");

module_param_named(early_retries, hca_early_retries, bool, 0644);
MODULE_PARM_DESC(early_retries, "send again what is not acknowledged before the ACK timeout (default Y)");

module_param_named(time_wait, hca_time_wait_ms, uint, 0644);
MODULE_PARM_DESC(time_wait, "milliseconds from a reset to the next connection to the same port, at most (default 250; 0: none)");

module_init(hca_init);
module_exit(hca_exit);

MODULE_AUTHOR("The hca authors");
MODULE_DESCRIPTION("Software InfiniBand host channel adapter");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_VERSION(HCA_VERSION);
