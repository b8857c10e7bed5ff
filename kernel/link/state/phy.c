// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queries about the phy between a port and a remote port, and enabling of the phy. */
#include "link/state/phy.h"
#include <linux/rcupdate.h>
#include "link/port/port.h"

struct hca_phy *hca_phy_to_remote(const struct hca_port *port)
{
	struct hca_phy *phy = rcu_dereference_check(port->phy, rcu_read_lock_bh_held());

	if (phy && phy->below)
		phy = phy->below;
	return phy && phy->remote ? phy : NULL;
}

bool hca_phy_is_remote(const struct hca_port *port)
{
	return hca_phy_to_remote(port);
}

bool hca_phy_is_up(const struct hca_port *port)
{
	const struct hca_phy *phy = hca_phy_to_remote(port);

	return phy && READ_ONCE(phy->up);
}

void hca_phy_enable(struct hca_port *port, bool enabled)
{
	struct hca_phy *phy = hca_phy_to_remote(port);

	if (phy && phy->will)
		phy->will(phy, enabled);
}
