// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Query verbs of a device and of its ports (req V3-315, V3-316). */
#include <errno.h>
#include <string.h>
#include <time.h>
#include "libhca.h"

/* Port attributes, with room for the larger structure of a newer libibverbs. */
union port_attributes {
	struct ibv_port_attr attr;
	char room[256];
};

/*
 * Read the firmware version as text from sysfs, since the number that query_device returns has
 * no defined format. The text is empty if reading fails.
 */
static void read_firmware_version(struct ibv_context *context, char *text, size_t size)
{
	struct verbs_device *device = HCA_CONTAINER(context->device, struct verbs_device, device);

	if (ibv_read_ibdev_sysfs_file(text, size, device->sysfs, "fw_ver") < 0)
		text[0] = '\0';
}

int hca_query_device(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		     struct ibv_device_attr_ex *attr, size_t attr_size)
{
	int ret = ibv_cmd_query_device_any(context, input, attr, attr_size, NULL, NULL);

	if (!ret)
		read_firmware_version(context, attr->orig_attr.fw_ver,
				      sizeof(attr->orig_attr.fw_ver));
	return ret;
}

int hca_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *attr)
{
	VERBS_COMMAND(struct ib_uverbs_query_port) cmd = {};

	return ibv_cmd_query_port(context, port_num, attr, &cmd, sizeof(cmd));
}

/* Return the number of lanes for an active_width, which has one bit set; 0: the bit is unknown. */
static unsigned int device_lanes(uint8_t width)
{
	static const struct {
		uint8_t width;
		unsigned int lanes;
	} widths[] = { { 1, 1 }, { 2, 4 }, { 4, 8 }, { 8, 12 }, { 16, 2 } };
	size_t i;

	for (i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		if (width == widths[i].width)
			return widths[i].lanes;
	return 0;
}

/* Return the rate of a lane for an active_speed, in units of 100 Mbit/s; 0: the bit is unknown. */
static unsigned int lane_rate(uint8_t speed)
{
	/* SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR */
	static const unsigned int rates[] = { 25, 50, 100, 100, 140, 250, 500, 1000 };
	size_t i;

	for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		if (speed == 1u << i)
			return rates[i];
	return 0;
}

int hca_query_port_speed(struct ibv_context *context, uint32_t port_num, uint64_t *speed)
{
	union port_attributes port = {};
	int ret;

	if (port_num > UINT8_MAX)
		return EINVAL;
	ret = hca_query_port(context, port_num, &port.attr);
	if (!ret)
		*speed = device_lanes(port.attr.active_width) * lane_rate(port.attr.active_speed);
	return ret;
}

int hca_query_rt_values(struct ibv_context *context, struct ibv_values_ex *values)
{
	struct timespec now;

	(void)context;
	if (values->comp_mask & ~IBV_VALUES_MASK_RAW_CLOCK)
		return EINVAL;
	if (!values->comp_mask)
		return 0;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	values->raw_clock = (struct timespec){ .tv_nsec = hca_ns(&now) };
	return 0;
}

int hca_learn_device(struct hca_context *context)
{
	struct ibv_context *ibv = &context->verbs.context;
	struct ibv_device_attr_ex device;
	union port_attributes port;
	unsigned int num;
	int ret;

	ret = ibv_cmd_query_device_any(ibv, NULL, &device, sizeof(device), NULL, NULL);
	if (ret)
		return ret;
	context->num_ports = device.orig_attr.phys_port_cnt;
	context->flush = device.device_cap_flags_ex & VERBS_DEVICE_FLUSH_GLOBAL;
	context->atomic_write = device.device_cap_flags_ex & VERBS_DEVICE_ATOMIC_WRITE;
	for (num = 1; num <= context->num_ports; num++) {
		memset(&port, 0, sizeof(port));
		ret = hca_query_port(ibv, num, &port.attr);
		if (ret)
			return ret;
		context->num_gids[num] = port.attr.gid_tbl_len;
	}
	return 0;
}
