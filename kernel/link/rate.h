/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Lanes of a link, and the speed of each, in PortInfo's codes: what two ends agree on. */
#ifndef HCA_LINK_RATE_H
#define HCA_LINK_RATE_H

#include <linux/types.h>

struct hca_port;
struct hca_port_info;

/* A bit each, as in LinkWidth*, LinkSpeed* and LinkSpeedExt*. */
struct hca_link_rate {
	u8 width; /* 1x, 4x, 8x, 12x, 2x */
	u8 speed; /* SDR, DDR, QDR */
	u8 speed_ext; /* FDR, EDR, HDR, NDR */
};

#define HCA_WIDTH_ALL 0x1f
#define HCA_SPEED_ALL 0x07
#define HCA_SPEED_EXT_ALL 0x0f

/**
 * hca_link_agree() - what a link trains to
 * @a: what one end has enabled
 * @b: what the other end has
 * @rate: set to the most lanes and the highest speed of what both have, a bit each
 *
 * Return: false: they have nothing in common.
 */
bool hca_link_agree(const struct hca_link_rate *a, const struct hca_link_rate *b,
		    struct hca_link_rate *rate);

/* PortInfo's three sets; the port's lock is held, or the info a copy. */
struct hca_link_rate hca_link_rate_supported(const struct hca_port_info *info);
struct hca_link_rate hca_link_rate_enabled(const struct hca_port_info *info);
struct hca_link_rate hca_link_rate_active(const struct hca_port_info *info);

/**
 * hca_link_support() - what a port is built for
 * @port: the port; all of it is enabled as well, which counts when the link trains next
 * @rate: something of each of width and speed
 *
 * The node's manager is told of what is enabled now and was not, or no longer (trap 144).
 * Context: as hca_notice_raise().
 */
void hca_link_support(struct hca_port *port, const struct hca_link_rate *rate);

/* Lanes of a LinkWidthActive; 0: it is no such code. */
unsigned int hca_link_lanes(u8 width);

/* Data that a link at work carries, Mb/s, its coding left out; 0: none. */
u32 hca_link_mbps(const struct hca_link_rate *active);

#endif
