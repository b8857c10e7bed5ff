// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Width and speed of a link in the codes of PortInfo, and the agreement of two ends. */
#include "link/state/rate.h"
#include <linux/bitops.h>
#include <linux/kernel.h>
#include "link/port/notice.h"
#include "link/port/port.h"

/* The widths in ascending order of their lanes, which is not the order of their bits. */
static const struct {
	u8 bit, lanes;
} hca_widths[] = { { 1, 1 }, { 16, 2 }, { 2, 4 }, { 4, 8 }, { 8, 12 } };

/* Data rate of one lane in Mb/s for SDR, DDR and QDR, whose coding is 8b/10b. */
static const u32 hca_speeds[] = { 2000, 4000, 8000 };
/* Data rate of one lane in Mb/s for FDR and EDR (64b/66b), HDR and NDR (514b/544b). */
static const u32 hca_speeds_ext[] = { 13636, 25000, 50000, 100000 };

static u8 rate_widest_of(u8 widths)
{
	u8 widest = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(hca_widths); i++)
		if (widths & hca_widths[i].bit)
			widest = hca_widths[i].bit;
	return widest;
}

static u8 rate_highest(u8 bits)
{
	return bits ? 1 << (fls(bits) - 1) : 0;
}

bool hca_link_agree(const struct hca_link_rate *a, const struct hca_link_rate *b,
		    struct hca_link_rate *rate)
{
	rate->width = rate_widest_of(a->width & b->width);
	rate->speed = rate_highest(a->speed & b->speed);
	rate->speed_ext = rate_highest(a->speed_ext & b->speed_ext);
	if (rate->speed_ext)
		/* A port with an extended speed also reports the highest LinkSpeedActive. */
		rate->speed = rate_highest(HCA_SPEED_ALL);
	return rate->width && rate->speed;
}

struct hca_link_rate hca_link_rate_supported(const struct hca_port_info *info)
{
	return (struct hca_link_rate){ info->link_width_supported, info->link_speed_supported,
				       info->link_speed_ext_supported };
}

struct hca_link_rate hca_link_rate_enabled(const struct hca_port_info *info)
{
	return (struct hca_link_rate){ info->link_width_enabled, info->link_speed_enabled,
				       info->link_speed_ext_enabled };
}

struct hca_link_rate hca_link_rate_active(const struct hca_port_info *info)
{
	return (struct hca_link_rate){ info->link_width_active, info->link_speed_active,
				       info->link_speed_ext_active };
}

/* Return: bits of enum hca_local_change for the Enabled fields that differ. */
static u16 link_rate_changes(const struct hca_link_rate *was, const struct hca_link_rate *is)
{
	return (was->width != is->width ? HCA_LINK_WIDTH_ENABLED_CHANGED : 0) |
	       (was->speed != is->speed || was->speed_ext != is->speed_ext ?
			HCA_LINK_SPEED_ENABLED_CHANGED :
			0);
}

void hca_link_support(struct hca_port *port, const struct hca_link_rate *rate)
{
	struct hca_port_info *info = &port->info;
	struct hca_link_rate was;
	u16 changes;

	spin_lock_bh(&port->lock);
	was = hca_link_rate_enabled(info);
	info->link_width_supported = rate->width;
	info->link_width_enabled = rate->width;
	info->link_speed_supported = rate->speed;
	info->link_speed_enabled = rate->speed;
	info->link_speed_ext_supported = rate->speed_ext;
	info->link_speed_ext_enabled = rate->speed_ext;
	spin_unlock_bh(&port->lock);
	changes = link_rate_changes(&was, rate);
	if (changes)
		hca_notice_local_change(hca_port_home(port), changes);
}

unsigned int hca_link_lanes(u8 width)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hca_widths); i++)
		if (width == hca_widths[i].bit)
			return hca_widths[i].lanes;
	return 0;
}

u32 hca_link_mbps(const struct hca_link_rate *active)
{
	u32 lanes = hca_link_lanes(active->width);

	if (active->speed_ext & HCA_SPEED_EXT_ALL)
		return lanes * hca_speeds_ext[fls(active->speed_ext & HCA_SPEED_EXT_ALL) - 1];
	if (active->speed & HCA_SPEED_ALL)
		return lanes * hca_speeds[fls(active->speed & HCA_SPEED_ALL) - 1];
	return 0;
}
