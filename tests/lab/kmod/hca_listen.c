// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A kernel consumer that listens at a service ID of ib_cm, for the lab: on a device of a certain
 * name, as soon as there is one, and until the module goes. Who wants that service ID meanwhile
 * gets EBUSY. The result is a line "hca_listen: ..." of the kernel's log.
 *
 * insmod hca_listen.ko device=NAME service=ID
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <rdma/ib_cm.h>
#include <rdma/ib_verbs.h>

static char *device = "";
module_param(device, charp, 0444);
MODULE_PARM_DESC(device, "name of the device");

static unsigned long long service;
module_param(service, ullong, 0444);
MODULE_PARM_DESC(service, "service ID");

static struct ib_client listen_client;

static int refuse(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	return 0;
}

static int listen_add(struct ib_device *dev)
{
	struct ib_cm_id *id;
	int err;

	if (strcmp(dev_name(&dev->dev), device))
		return -EOPNOTSUPP;
	id = ib_create_cm_id(dev, refuse, NULL);
	if (IS_ERR(id))
		return PTR_ERR(id);
	err = ib_cm_listen(id, cpu_to_be64(service));
	if (err) {
		pr_info("hca_listen: %s: error %d\n", device, err);
		ib_destroy_cm_id(id);
		return err;
	}
	pr_info("hca_listen: %s: listens\n", device);
	ib_set_client_data(dev, &listen_client, id);
	return 0;
}

static void listen_remove(struct ib_device *dev, void *id)
{
	ib_destroy_cm_id(id);
}

static struct ib_client listen_client = {
	.name = "hca_listen",
	.add = listen_add,
	.remove = listen_remove,
};

static int __init listen_init(void)
{
	return ib_register_client(&listen_client);
}
module_init(listen_init);

static void __exit listen_exit(void)
{
	ib_unregister_client(&listen_client);
}
module_exit(listen_exit);

MODULE_DESCRIPTION("Listener at a service ID, for tests of hca");
MODULE_LICENSE("Dual BSD/GPL");
