/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Finds an InfiniBand device by its name, for the lab's modules. The core of 7.2 has no function
 * for that, so a client is registered, which the core calls for each device.
 */
#ifndef HCA_LAB_DEVICE_H
#define HCA_LAB_DEVICE_H

#include <linux/string.h>
#include <rdma/ib_verbs.h>

static const char *device_wanted;
static struct ib_device *device_found;

static int device_compare(struct ib_device *dev)
{
	if (!strcmp(dev_name(&dev->dev), device_wanted) && ib_device_try_get(dev))
		device_found = dev;
	return -EOPNOTSUPP; /* the client does not use the device */
}

/* Return: the device with a reference, see ib_device_put(); NULL if none has this name. */
static struct ib_device *device_get(const char *name)
{
	struct ib_client client = { .name = "hca_lab", .add = device_compare };

	device_wanted = name;
	device_found = NULL;
	if (!ib_register_client(&client))
		ib_unregister_client(&client);
	return device_found;
}

#endif
