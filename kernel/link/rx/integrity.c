// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Link integrity: the thresholds LocalPhyErrors and OverrunErrors. */
#include "link/rx/integrity.h"
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include "link/port/notice.h"

void hca_integrity_error(struct hca_port *port)
{
	if (port->integrity.phy_errors++ < READ_ONCE(port->info.local_phy_errors))
		return;
	port->integrity.phy_errors = 0;
	hca_count(port, HCA_CTR_LOCAL_LINK_INTEGRITY_ERRORS, 1);
	hca_notice_port(port, HCA_TRAP_LINK_INTEGRITY);
	hca_link_event_raise(port, HCA_LINK_ERROR);
}

void hca_integrity_overrun(struct hca_port *port)
{
	u64 period = div_u64(ktime_get_ns(), HCA_FLOW_PERIOD_MS * NSEC_PER_MSEC);

	if (port->integrity.overruns && period == port->integrity.overrun_period)
		return;
	if (period != port->integrity.overrun_period + 1)
		port->integrity.overruns = 0;
	port->integrity.overrun_period = period;
	if (port->integrity.overruns++ < READ_ONCE(port->info.overrun_errors))
		return;
	port->integrity.overruns = 0;
	hca_count(port, HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS, 1);
	hca_notice_port(port, HCA_TRAP_BUFFER_OVERRUN);
	hca_link_event_raise(port, HCA_LINK_ERROR);
}
