// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Addition and removal of RDMA devices, and listening at service IDs on these devices. */
#include "sdp/link/device.h"
#include <linux/cache.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <rdma/ib_cm.h>
#include "sdp/link/ep.h"
#include "sdp/link/link.h"
#include "sdp/link/lock.h"
#include "sdp/protocol/hello.h"

#define RETRY_MOST 64u /* maximum seconds before a service that cannot listen tries again */

/* A TCP port number at which sockets listen. */
struct sdp_service {
	struct list_head ids; /* struct listen_id, one for each device */
	u16 port;
	unsigned int refs;
};

struct listen_id {
	struct list_head node;
	struct sdp_device *device;
	struct ib_cm_id *cm_id;
};

/*
 * devices_lock protects the services and their lists, and serializes addition and removal of
 * devices. It is taken in process context, also under the lock of a listening socket. Handlers of
 * requests do not take it, because destruction of a listening ID waits for them.
 */
static DEFINE_MUTEX(devices_lock);
static DEFINE_XARRAY(services); /* services by port number */
/* Protects the list of devices, and their links. Any context; no lock is taken under it. */
static DEFINE_SPINLOCK(links_lock);
static LIST_HEAD(devices);
static ib_cm_handler device_request __ro_after_init; /* handler of connection requests */

static int listen_on(struct sdp_service *service, struct sdp_device *device)
{
	__be64 service_id = cpu_to_be64(SDP_SERVICE_ID_PREFIX | service->port);
	struct listen_id *id = kzalloc(sizeof(*id), GFP_KERNEL);
	int err;

	if (!id)
		return -ENOMEM;
	id->device = device;
	id->cm_id = ib_create_cm_id(device->ib, device_request, NULL);
	if (IS_ERR(id->cm_id)) {
		err = PTR_ERR(id->cm_id);
		kfree(id);
		return err;
	}
	err = ib_cm_listen(id->cm_id, service_id);
	if (err) {
		ib_destroy_cm_id(id->cm_id);
		kfree(id);
		return err;
	}
	list_add(&id->node, &service->ids);
	return 0;
}

static void listen_end(struct listen_id *id)
{
	list_del(&id->node);
	ib_destroy_cm_id(id->cm_id);
	kfree(id);
}

static void service_free(struct sdp_service *service)
{
	struct listen_id *id, *next;

	list_for_each_entry_safe(id, next, &service->ids, node)
		listen_end(id);
	kfree(service);
}

static struct sdp_service *service_alloc(u16 port)
{
	struct sdp_service *service = kzalloc(sizeof(*service), GFP_KERNEL);
	struct sdp_device *device;
	int err = 0;

	if (!service)
		return ERR_PTR(-ENOMEM);
	service->port = port;
	service->refs = 1;
	INIT_LIST_HEAD(&service->ids);
	list_for_each_entry(device, &devices, node) {
		err = err || !device->iba ? err : listen_on(service, device);
	}
	if (!err)
		err = xa_insert(&services, port, service, GFP_KERNEL);
	if (!err)
		return service;
	service_free(service);
	return ERR_PTR(err);
}

struct sdp_service *sdp_service_get(u16 port)
{
	struct sdp_service *service;

	mutex_lock(&devices_lock);
	service = xa_load(&services, port);
	if (service)
		service->refs++;
	else
		service = service_alloc(port);
	mutex_unlock(&devices_lock);
	return service;
}

void sdp_service_put(struct sdp_service *service)
{
	mutex_lock(&devices_lock);
	if (!--service->refs) {
		xa_erase(&services, service->port);
		service_free(service);
	}
	mutex_unlock(&devices_lock);
}

void sdp_device_put(struct sdp_device *device)
{
	if (refcount_dec_and_test(&device->refs))
		complete(&device->unused);
}

/* The caller holds links_lock. The loop visits the devices of the host. */
static struct sdp_device *sdp_device_find(struct ib_device *ib)
{
	struct sdp_device *device;

	list_for_each_entry(device, &devices, node) {
		if (device->ib == ib) {
			refcount_inc(&device->refs);
			return device;
		}
	}
	return NULL;
}

struct sdp_device *sdp_device_get(struct ib_device *ib)
{
	struct sdp_device *device;

	spin_lock_bh(&links_lock);
	device = sdp_device_find(ib);
	spin_unlock_bh(&links_lock);
	return device;
}

void sdp_device_remove_loop(struct sdp_link *link)
{
	if (link->loops)
		xa_erase_bh(&link->device->loops, link->qpn);
}

int sdp_device_add_link(struct sdp_link *link)
{
	struct sdp_device *device = link->device;
	int err = 0;

	if (link->loops)
		err = xa_insert_bh(&device->loops, link->qpn, link, GFP_KERNEL_ACCOUNT);
	if (err)
		return err;
	spin_lock_bh(&links_lock);
	if (device->removed)
		err = -ENODEV;
	else
		list_add(&link->node, &device->links);
	spin_unlock_bh(&links_lock);
	if (err)
		sdp_device_remove_loop(link);
	return err;
}

void sdp_device_remove_link(struct sdp_link *link)
{
	struct sdp_device *device = link->device;

	spin_lock_bh(&links_lock);
	list_del(&link->node);
	spin_unlock_bh(&links_lock);
	sdp_device_put(device);
}

struct sock *sdp_device_find_loop(struct ib_device *ib, u32 qpn, u32 psn, struct in6_addr *saddr,
				  struct in6_addr *daddr)
{
	struct sdp_device *device = sdp_device_get(ib);
	struct sdp_link *link;
	struct sock *sk = NULL;

	if (!device)
		return NULL;
	xa_lock_bh(&device->loops);
	link = xa_load(&device->loops, qpn);
	if (link && link->psn == psn) {
		*saddr = link->saddr;
		*daddr = link->daddr;
		sk = link->sk;
		sock_hold(sk);
	}
	xa_unlock_bh(&device->loops);
	sdp_device_put(device);
	return sk;
}

bool sdp_device_by_iba(struct ib_device *ib, u32 port)
{
	return rdma_cap_ib_cm(ib, port) &&
	       rdma_port_get_link_layer(ib, port) == IB_LINK_LAYER_INFINIBAND;
}

/* Return whether the RDMA CM supports all ports of a device. */
static bool sdp_device_is_usable(struct ib_device *ib)
{
	unsigned int port;

	rdma_for_each_port(ib, port) {
		if (!rdma_cap_ib_cm(ib, port) && !rdma_cap_iw_cm(ib, port))
			return false;
	}
	return true;
}

/* Set @iba if a device has an InfiniBand port, and @other if it has a RoCE or iWARP port. */
static void sdp_device_note_bindings(struct sdp_device *device)
{
	unsigned int port;

	rdma_for_each_port(device->ib, port) {
		if (sdp_device_by_iba(device->ib, port))
			device->iba = true;
		else
			device->other = true;
	}
}

bool sdp_device_any_other(void)
{
	struct sdp_device *device;
	bool any = false;

	spin_lock_bh(&links_lock);
	list_for_each_entry(device, &devices, node)
		any |= device->other;
	spin_unlock_bh(&links_lock);
	return any;
}

static bool service_listens_on(const struct sdp_service *service, const struct sdp_device *device)
{
	const struct listen_id *id;

	list_for_each_entry(id, &service->ids, node) {
		if (id->device == device)
			return true;
	}
	return false;
}

/*
 * Make all services listen on a device. A service that fails still listens on other devices. @again
 * is true after an earlier call, which has logged its failures. The caller holds devices_lock.
 * The loops visit at most 65,535 services, each with the devices of the host.
 *
 * Return: whether all services listen.
 */
static bool listen_all(struct sdp_device *device, bool again)
{
	struct sdp_service *service;
	unsigned long port;
	bool all = true;
	int err;

	xa_for_each(&services, port, service) {
		if (service_listens_on(service, device))
			continue;
		err = listen_on(service, device);
		all &= !err;
		if (err && !again)
			dev_warn(&device->ib->dev, "SDP does not listen at port %u: error %d\n",
				 service->port, err);
		else if (!err && again)
			dev_info(&device->ib->dev, "SDP listens at port %u\n", service->port);
	}
	return all;
}

static void listen_again(struct work_struct *work);
static DECLARE_DELAYED_WORK(listen_work, listen_again);
static unsigned int retry_seconds; /* protected by devices_lock */

/* A later try may succeed, if memory or a service ID of another consumer has been freed. */
static void listen_later(void)
{
	retry_seconds = clamp(2 * retry_seconds, 1u, RETRY_MOST);
	queue_delayed_work(sdp_wq, &listen_work, retry_seconds * HZ);
}

static void listen_again(struct work_struct *work)
{
	struct sdp_device *device;
	bool all = true;

	mutex_lock(&devices_lock);
	list_for_each_entry(device, &devices, node) {
		if (device->iba)
			all &= listen_all(device, true);
	}
	if (!all)
		listen_later();
	mutex_unlock(&devices_lock);
}

static struct ib_client sdp_client;

static int sdp_add_device(struct ib_device *ib)
{
	struct sdp_device *device;

	if (!sdp_device_is_usable(ib))
		return -EOPNOTSUPP;
	device = kzalloc(sizeof(*device), GFP_KERNEL);
	if (!device)
		return -ENOMEM;
	device->ib = ib;
	sdp_device_note_bindings(device);
	INIT_LIST_HEAD(&device->links);
	INIT_LIST_HEAD(&device->lost);
	xa_init_flags(&device->loops, XA_FLAGS_LOCK_BH);
	refcount_set(&device->refs, 1);
	init_completion(&device->unused);
	ib_set_client_data(ib, &sdp_client, device);
	mutex_lock(&devices_lock);
	spin_lock_bh(&links_lock);
	list_add(&device->node, &devices);
	spin_unlock_bh(&links_lock);
	if (device->iba && !listen_all(device, false)) {
		retry_seconds = 0;
		listen_later();
	}
	mutex_unlock(&devices_lock);
	return 0;
}

/* links_lock is released after each connection, to bound the time for which it is held. */
static void sdp_device_lose_links(struct sdp_device *device)
{
	struct sdp_link *link;

	spin_lock_bh(&links_lock);
	while ((link = list_first_entry_or_null(&device->links, struct sdp_link, node))) {
		list_move(&link->node, &device->lost);
		sdp_link_lose(link);
		spin_unlock_bh(&links_lock);
		cond_resched();
		spin_lock_bh(&links_lock);
	}
	spin_unlock_bh(&links_lock);
}

static void sdp_remove_device(struct ib_device *ib, void *data)
{
	struct sdp_device *device = data;
	struct sdp_service *service;
	struct listen_id *id, *next;
	unsigned long port;

	mutex_lock(&devices_lock);
	spin_lock_bh(&links_lock);
	list_del(&device->node);
	device->removed = true;
	spin_unlock_bh(&links_lock);
	xa_for_each(&services, port, service) {
		list_for_each_entry_safe(id, next, &service->ids, node) {
			if (id->device == device)
				listen_end(id);
		}
	}
	mutex_unlock(&devices_lock);
	sdp_device_lose_links(device);
	sdp_device_put(device);
	wait_for_completion(&device->unused);
	xa_destroy(&device->loops);
	kfree(device);
}

static struct ib_client sdp_client = {
	.name = "hca_sdp",
	.add = sdp_add_device,
	.remove = sdp_remove_device,
};

int sdp_device_register(ib_cm_handler request)
{
	device_request = request;
	return ib_register_client(&sdp_client);
}

void sdp_device_unregister(void)
{
	ib_unregister_client(&sdp_client);
	cancel_delayed_work_sync(&listen_work);
}
