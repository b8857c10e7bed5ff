// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Query verbs of a device and of its ports (req V3-315, V3-316). */
#include <errno.h>
#include <string.h>
#include <time.h>
#include "libhca.h"

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
	union {
		struct ibv_port_attr attr;
		char room[256]; /* the loaded libibverbs may have a larger structure */
	} port;
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
