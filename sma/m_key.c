// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The management key, M_Key (req C4-252), and its lease. If a manager dies without releasing the
 * M_Key of a port, the lease allows a new manager to manage the port. The lease begins with the
 * first violation, and ends with the next SMP that has the right key. If no such SMP arrives within
 * M_KeyLeasePeriod, the lease expires, and the M_Key does not protect the port any more. A timer is
 * not needed, because the check of a later SMP finds that the lease has expired.
 */
#include "sma/m_key.h"
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include "link/port/notice.h"
#include "sma/agent.h"
#include "sma/agent_port.h"
#include "wire/smp.h"

/* The rights of an SMP without the right key, by M_KeyProtectBits. */
static const struct {
	bool read; /* a Get is answered */
	bool key_visible; /* a Get of PortInfo returns the M_Key */
} hca_m_key_protection[] = {
	[0] = { .read = true, .key_visible = true },
	[1] = { .read = true },
	[2] = {},
	[3] = {},
};

static bool m_key_fits(const struct hca_port *port, __be64 m_key)
{
	return !port->info.m_key || port->info.m_key == m_key;
}

static void m_key_lapse(struct hca_port *port)
{
	if (!port->agent->m_key_lease_end || ktime_get_ns() < port->agent->m_key_lease_end)
		return;
	port->agent->m_key_lease_end = 0;
	port->info.m_key_protect = 0;
}

static void m_key_violated(struct hca_port *port)
{
	u64 period = port->info.m_key_lease_period * (u64)NSEC_PER_SEC;

	if (port->info.m_key_violations != U16_MAX)
		port->info.m_key_violations++;
	if (period && !port->agent->m_key_lease_end)
		port->agent->m_key_lease_end = ktime_get_ns() + period;
}

bool hca_m_key_check(struct hca_port *port, u8 method, __be64 m_key)
{
	bool ok;

	spin_lock_bh(&port->lock);
	m_key_lapse(port);
	ok = m_key_fits(port, m_key);
	if (ok)
		port->agent->m_key_lease_end = 0;
	else if (method == IB_MGMT_METHOD_GET)
		ok = hca_m_key_protection[port->info.m_key_protect & 3].read;
	if (!ok)
		m_key_violated(port);
	spin_unlock_bh(&port->lock);
	return ok;
}

bool hca_m_key_is_visible(const struct hca_port *port, __be64 m_key)
{
	return m_key_fits(port, m_key) ||
	       hca_m_key_protection[port->info.m_key_protect & 3].key_visible;
}

#define HCA_NOTICE_HOPS 30
#define HCA_NOTICE_DIRECTED 0x80
#define HCA_NOTICE_TRUNCATED 0x40

void hca_m_key_notice(struct hca_port *port, u16 slid, const struct hca_smp *smp)
{
	struct {
		__be16 reserved;
		__be16 lid;
		__be16 dr_slid;
		u8 method;
		u8 reserved2;
		__be16 attr_id;
		__be32 attr_mod;
		__be64 m_key;
		u8 reserved3;
		u8 route; /* bit 7: directed route; bit 6: truncated; bits 5 to 0: hops */
		u8 return_path[HCA_NOTICE_HOPS];
	} __packed details = {
		.lid = cpu_to_be16(slid),
		.method = smp->method,
		.attr_id = smp->attr_id,
		.attr_mod = smp->attr_mod,
		.m_key = smp->m_key,
	};
	u8 hops;

	if (hca_smp_is_directed(smp)) {
		hops = min_t(u8, smp->hop_cnt, HCA_NOTICE_HOPS);
		details.dr_slid = smp->dr_slid;
		details.route = HCA_NOTICE_DIRECTED | hops |
				(hops < smp->hop_cnt ? HCA_NOTICE_TRUNCATED : 0);
		memcpy(details.return_path, smp->return_path + 1, hops);
	}
	hca_notice_raise(port, HCA_TRAP_M_KEY, &details, sizeof(details));
}
