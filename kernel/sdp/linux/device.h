/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What SDP has of each InfiniBand device, and the service IDs that it listens at. */
#ifndef HCA_SDP_LINUX_DEVICE_H
#define HCA_SDP_LINUX_DEVICE_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>

struct in6_addr;
struct sdp_link;
struct sock;

struct sdp_device {
	struct ib_device *ib;
	bool iba; /* a port is of InfiniBand */
	bool other; /* a port is not */
	bool removed; /* no connection is to use it any more */
	struct list_head node; /* in the list of devices */
	struct list_head links; /* connections, until nothing of the device is theirs */
	struct list_head lost; /* those that end because the device is removed */
	struct xarray loops; /* of a host's with itself by a loopback address: by queue pair */
	refcount_t refs; /* connections, queries of paths, and the client itself */
	struct completion unused;
};

/**
 * sdp_device_get() - keep a device from being removed
 * @ib: the device
 *
 * Its removal waits for sdp_device_put().
 *
 * Context: process.
 * Return: SDP's part of the device with a reference; NULL if it is being removed, or is none that
 * SDP uses.
 */
struct sdp_device *sdp_device_get(struct ib_device *ib);

/**
 * sdp_device_put() - let a device be removed
 * @device: what sdp_device_get() has returned
 *
 * Context: any.
 */
void sdp_device_put(struct sdp_device *device);

/**
 * sdp_device_add_link() - note that a connection uses a device
 * @link: the connection, which has a reference to the device by sdp_device_get(), and a queue pair
 *
 * The connection can be lost from now on.
 *
 * Context: process; may sleep.
 * Return: 0; -ENODEV: the device is being removed; -ENOMEM.
 */
int sdp_device_add_link(struct sdp_link *link);

/**
 * sdp_device_remove_loop() - find a connection no longer by sdp_device_find_loop()
 * @link: the connection, whose queue pair still has its number
 *
 * Context: process.
 */
void sdp_device_remove_loop(struct sdp_link *link);

/**
 * sdp_device_remove_link() - note that a connection no longer uses a device
 * @link: the connection, without objects of the device; the reference goes, too
 *
 * Context: process.
 */
void sdp_device_remove_link(struct sdp_link *link);

/**
 * sdp_device_find_loop() - get the socket that connects with its own host by a loopback address
 * @ib: the device
 * @qpn: number of its queue pair
 * @psn: that it wants the peer to begin with
 * @saddr: local address to fill
 * @daddr: address that it connects to, to fill
 *
 * Context: any but hardirq.
 * Return: the socket with a reference; NULL if there is none.
 */
struct sock *sdp_device_find_loop(struct ib_device *ib, u32 qpn, u32 psn, struct in6_addr *saddr,
				  struct in6_addr *daddr);

/**
 * sdp_device_any_other() - whether there is a device with a port that is not of InfiniBand
 *
 * Context: any but hardirq.
 */
bool sdp_device_any_other(void);

/**
 * sdp_service_get() - listen at a port on all devices of InfiniBand
 * @port: TCP port number in host byte order
 *
 * Context: process; may sleep.
 * Return: the service, shared by all sockets that listen at the port, or an ERR_PTR: -ENOMEM, or
 * what ib_cm_listen() returns.
 */
struct sdp_service *sdp_service_get(u16 port);

/**
 * sdp_service_put() - stop listening at a port, unless others do
 * @service: what sdp_service_get() has returned
 *
 * Waits for requests that are being processed; these must not need a lock that the caller holds.
 *
 * Context: process; may sleep.
 */
void sdp_service_put(struct sdp_service *service);

/**
 * sdp_device_register() - begin to know devices
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int sdp_device_register(void);

/**
 * sdp_device_unregister() - end all connections, and forget the devices
 *
 * Context: process; sleeps until all connections are gone.
 */
void sdp_device_unregister(void);

#endif
