/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* SDP's state of each RDMA device, and the service IDs at which SDP listens. */
#ifndef HCA_SDP_LINK_DEVICE_H
#define HCA_SDP_LINK_DEVICE_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/xarray.h>
#include <rdma/ib_cm.h>
#include <rdma/ib_verbs.h>

struct in6_addr;
struct sdp_link;
struct sock;

struct sdp_device {
	struct ib_device *ib;
	bool iba; /* the device has an InfiniBand port */
	bool other; /* the device has a RoCE or iWARP port */
	bool removed; /* connections may not use the device any more */
	struct list_head node; /* entry in the list of devices */
	struct list_head links; /* connections, until they have released the device's objects */
	struct list_head lost; /* connections that end because the device is removed */
	struct xarray loops; /* connections to a loopback address, indexed by QPN */
	refcount_t refs; /* references of connections, of path queries, and of sdp_client */
	struct completion unused; /* completed when refs is 0 */
};

/**
 * sdp_device_get() - get a reference to a device
 * @ib: the device
 *
 * Removal of the device waits for sdp_device_put().
 *
 * Context: process.
 * Return: SDP's state of the device with a reference; NULL if the device is being removed, or SDP
 * does not use it.
 */
struct sdp_device *sdp_device_get(struct ib_device *ib);

/**
 * sdp_device_put() - release a reference to a device
 * @device: device that sdp_device_get() has returned
 *
 * Context: any.
 */
void sdp_device_put(struct sdp_device *device);

/**
 * sdp_device_add_link() - add a connection to the list of its device
 * @link: the connection; it has a queue pair, and a reference to the device from sdp_device_get()
 *
 * After this call, removal of the device ends the connection by sdp_link_lose().
 *
 * Context: process; may sleep.
 * Return: 0; -ENODEV: the device is being removed; -ENOMEM.
 */
int sdp_device_add_link(struct sdp_link *link);

/**
 * sdp_device_remove_loop() - hide a connection from sdp_device_find_loop()
 * @link: the connection; its queue pair is not destroyed yet
 *
 * Context: process.
 */
void sdp_device_remove_loop(struct sdp_link *link);

/**
 * sdp_device_remove_link() - remove a connection from the list of its device
 * @link: the connection; its objects of the device are destroyed
 *
 * The call also releases the connection's reference to the device.
 *
 * Context: process.
 */
void sdp_device_remove_link(struct sdp_link *link);

/**
 * sdp_device_find_loop() - get a socket that connects to its own host by a loopback address
 * @ib: the device
 * @qpn: number of the socket's queue pair
 * @psn: PSN of the first packet that the socket expects
 * @saddr: set to the local address
 * @daddr: set to the address of the peer
 *
 * Context: any but hardirq.
 * Return: the socket with a reference; NULL if it does not exist.
 */
struct sock *sdp_device_find_loop(struct ib_device *ib, u32 qpn, u32 psn, struct in6_addr *saddr,
				  struct in6_addr *daddr);

/**
 * sdp_device_by_iba() - whether connections of a port are set up by the binding of IBA annex A4
 * @ib: device
 * @port: port number
 *
 * Context: any.
 */
bool sdp_device_by_iba(struct ib_device *ib, u32 port);

/**
 * sdp_device_any_other() - whether any device has a RoCE or iWARP port
 *
 * Context: any but hardirq.
 */
bool sdp_device_any_other(void);

/**
 * sdp_service_get() - listen at a port on all devices with an InfiniBand port
 * @port: TCP port number in host byte order
 *
 * Context: process; may sleep.
 * Return: the service, shared by all sockets that listen at the port, or an ERR_PTR: -ENOMEM, or
 * an error of ib_cm_listen().
 */
struct sdp_service *sdp_service_get(u16 port);

/**
 * sdp_service_put() - stop listening at a port, unless other sockets listen at it
 * @service: service that sdp_service_get() has returned
 *
 * The call waits until the handlers of connection requests have ended. The caller must not hold a
 * lock that these handlers take.
 *
 * Context: process; may sleep.
 */
void sdp_service_put(struct sdp_service *service);

/**
 * sdp_device_register() - register as client of RDMA devices
 * @request: handler of communication identifiers that listen on InfiniBand ports
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int sdp_device_register(ib_cm_handler request);

/**
 * sdp_device_unregister() - end all connections, and release all devices
 *
 * Context: process; sleeps until all connections are gone.
 */
void sdp_device_unregister(void);

#endif
