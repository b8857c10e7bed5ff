/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Width and speed of a link in the codes of PortInfo, and the agreement of two ends. */
#ifndef HCA_LINK_STATE_RATE_H
#define HCA_LINK_STATE_RATE_H

#include <linux/types.h>

struct hca_port;
struct hca_port_info;

/* Widths and speeds, as bits of LinkWidth*, LinkSpeed* and LinkSpeedExt*. */
struct hca_link_rate {
	u8 width; /* bits 0 to 4: 1x, 4x, 8x, 12x, 2x */
	u8 speed; /* bits 0 to 2: SDR, DDR, QDR */
	u8 speed_ext; /* bits 0 to 3: FDR, EDR, HDR, NDR */
};

#define HCA_WIDTH_ALL 0x1f
#define HCA_SPEED_ALL 0x07
#define HCA_SPEED_EXT_ALL 0x0f

/**
 * hca_link_agree() - width and speed that training results in
 * @a: width and speed enabled at one end
 * @b: width and speed enabled at the other end
 * @rate: set to the largest common width and the highest common speed, one bit each
 *
 * Context: any.
 * Return: true; false if the ends do not have a common width and a common speed.
 */
bool hca_link_agree(const struct hca_link_rate *a, const struct hca_link_rate *b,
		    struct hca_link_rate *rate);

/**
 * hca_link_rate_supported() - width and speed that a port supports
 * @info: PortInfo of the port, whose lock is held, or a copy
 *
 * Context: any.
 */
struct hca_link_rate hca_link_rate_supported(const struct hca_port_info *info);

/**
 * hca_link_rate_enabled() - width and speed that a port has enabled
 * @info: PortInfo of the port, whose lock is held, or a copy
 *
 * Context: any.
 */
struct hca_link_rate hca_link_rate_enabled(const struct hca_port_info *info);

/**
 * hca_link_rate_active() - active width and speed of a port
 * @info: PortInfo of the port, whose lock is held, or a copy
 *
 * Context: any.
 */
struct hca_link_rate hca_link_rate_active(const struct hca_port_info *info);

/**
 * hca_link_support() - set width and speed that a port supports
 * @port: the port
 * @rate: at least one width and one speed
 *
 * @rate is also enabled, which takes effect at the next training.
 * A change of the enabled width or speed raises a notice (trap 144).
 * Context: any that may use spin_lock_bh(); no lock of a port held.
 */
void hca_link_support(struct hca_port *port, const struct hca_link_rate *rate);

/**
 * hca_link_lanes() - number of lanes of a width
 * @width: LinkWidthActive
 *
 * Context: any.
 * Return: lanes, or 0 for an unknown code.
 */
unsigned int hca_link_lanes(u8 width);

/* Return: data rate of a link in Mb/s, without the bits of its coding; 0: unknown. Context: any. */
u32 hca_link_mbps(const struct hca_link_rate *active);

#endif
