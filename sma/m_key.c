// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The management key (C4-252). There is no lease timer: a port whose manager has died keeps its
 * protection until it is made anew.
 */
#include <linux/kernel.h>
#include "sma/agent.h"
#include "sma/m_key.h"

/* M_KeyProtectBits, for who has not got the key. */
static const struct {
	bool read; /* Get is answered */
	bool key_visible; /* and shows the key */
} hca_m_key_protection[] = {
	[0] = { .read = true, .key_visible = true },
	[1] = { .read = true },
	[2] = {},
	[3] = {},
};

static bool hca_m_key_fits(const struct hca_port *port, __be64 m_key)
{
	return !port->info.m_key || port->info.m_key == m_key;
}

bool hca_m_key_check(struct hca_port *port, u8 method, __be64 m_key)
{
	bool ok;

	spin_lock_bh(&port->lock);
	ok = hca_m_key_fits(port, m_key) ||
	     (method == HCA_METHOD_GET &&
	      hca_m_key_protection[port->info.m_key_protect & 3].read);
	if (!ok && port->info.m_key_violations != U16_MAX)
		port->info.m_key_violations++;
	spin_unlock_bh(&port->lock);
	return ok;
}

bool hca_m_key_is_visible(const struct hca_port *port, __be64 m_key)
{
	return hca_m_key_fits(port, m_key) ||
	       hca_m_key_protection[port->info.m_key_protect & 3].key_visible;
}
