// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Attributes that devices have with any carrier: sysfs files, and the version of the driver. */
#include "verbs/core/attributes.h"
#include <linux/device.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include "verbs/core/hca_device.h"

#define BOARD_ID "hca-soft"

void hca_node_desc_trim(char *desc)
{
	size_t length = strnlen(desc, IB_DEVICE_NODE_DESC_MAX);

	if (length && desc[length - 1] == '\n')
		desc[length - 1] = 0;
}

void hca_ib_get_dev_fw_str(struct ib_device *ib, char *str)
{
	strscpy(str, THIS_MODULE->version, IB_FW_VERSION_NAME_MAX);
}

/*
 * ibstat shows hca_type as "CA type" and hw_rev as "Hardware version"; ibv_devinfo shows board_id.
 */

static ssize_t hca_type_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "hca\n");
}
static DEVICE_ATTR_RO(hca_type);

static ssize_t hw_rev_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct hca_device *dev = rdma_device_to_drv_device(device, struct hca_device, ib);

	return sysfs_emit(buf, "%x\n", dev->ib.attrs.hw_ver);
}
static DEVICE_ATTR_RO(hw_rev);

static ssize_t board_id_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, BOARD_ID "\n");
}
static DEVICE_ATTR_RO(board_id);

static struct attribute *attributes[] = {
	&dev_attr_hca_type.attr,
	&dev_attr_hw_rev.attr,
	&dev_attr_board_id.attr,
	NULL,
};

const struct attribute_group hca_attribute_group = {
	.attrs = attributes,
};
