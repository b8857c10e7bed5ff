/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* An RNIC as an ib_device: the interface for kernel/control. */
#ifndef HCA_VERBS_RNIC_RNIC_H
#define HCA_VERBS_RNIC_RNIC_H

#include <linux/if.h>
#include <linux/types.h>
#include "iwarp/fault_install.h"
#include "iwarp/rnic.h"

struct hca_device;
struct net_device;

/* An address of an interface. */
struct hca_rnic_address {
	u16 family; /* AF_INET, AF_INET6; 0: no address */
	u8 octets[16]; /* in network order; an IPv4 address has 4 */
};

/* The values by which an RNIC is known, which user space can change. */
struct hca_rnic_identity {
	__be64 guid; /* node GUID */
	__be64 system_image_guid;
	char description[65]; /* NodeDescription, with an octet 0 behind it */
};

struct hca_rnic_config {
	struct net_device *netdev; /* the interface */
	char interface[IFNAMSIZ]; /* its name; only set by hca_rnic_get_config() */
	struct hca_rnic_address address; /* the only address that is served; family 0: all */
	struct hca_rnic_options options;
	__be64 guid; /* node GUID */
	const char *description; /* NodeDescription */
};

/**
 * hca_rnic_can_use() - return whether an RNIC can use an interface
 * @netdev: the interface
 *
 * Context: any.
 * Return: true for the types of interfaces that carry IP alone.
 */
bool hca_rnic_can_use(const struct net_device *netdev);

/**
 * hca_rnic_device_add() - create an RNIC and register it with the RDMA core
 * @name: name of the ib_device, 1 to IB_DEVICE_NAME_MAX - 1 octets
 * @config: interface and options
 *
 * Context: process, may sleep; the caller does not hold the control mutex.
 * Return: the device, or ERR_PTR: -EINVAL (name), -EEXIST (the name is in use), -ENODEV (the
 * interface is being removed), -EADDRINUSE (another RNIC of the interface serves the same
 * addresses), -ENOMEM, or the error of ib_register_device().
 */
struct hca_device *hca_rnic_device_add(const char *name, const struct hca_rnic_config *config);

/**
 * hca_rnics_watch() - begin to follow the changes of all interfaces
 * @lost: called when the interface of a device was removed, with RTNL held; the device must be
 *        deleted without waiting for the end of the call
 *
 * Context: process.
 * Return: 0, or the error of register_netdevice_notifier().
 */
int hca_rnics_watch(void (*lost)(void));

/**
 * hca_rnics_unwatch() - end what hca_rnics_watch() has begun
 *
 * Context: process, may sleep.
 */
void hca_rnics_unwatch(void);

/**
 * hca_rnic_is_active() - return whether the interface of a device is up and has a carrier
 * @dev: a device of hca_rnic_device_add()
 *
 * Context: any.
 * Return: true if the port is Active.
 */
bool hca_rnic_is_active(const struct hca_device *dev);

/**
 * hca_rnic_is_lost() - return whether the interface of a device was removed
 * @dev: a device of hca_rnic_device_add()
 *
 * Context: any.
 * Return: true if the device is to be deleted.
 */
bool hca_rnic_is_lost(const struct hca_device *dev);

/**
 * hca_rnic_set_system_image_guid() - set the system image GUID of an ib_device
 * @dev: a device of hca_rnic_device_add()
 * @guid: the GUID
 *
 * Context: process.
 */
void hca_rnic_set_system_image_guid(struct hca_device *dev, __be64 guid);

/**
 * hca_rnic_get_config() - return the interface, the address and the options of a device
 * @dev: a device of hca_rnic_device_add()
 * @config: these members are set; the caller puts the reference to the interface, in place of which
 *          there is another one without addresses if it is gone
 *
 * Context: process.
 */
void hca_rnic_get_config(struct hca_device *dev, struct hca_rnic_config *config);

/**
 * hca_rnic_num_connections() - count the queue pairs of a device that have a TCP connection
 * @dev: a device of hca_rnic_device_add()
 *
 * Context: process.
 * Return: their number.
 */
u32 hca_rnic_num_connections(struct hca_device *dev);

/**
 * hca_rnic_device_carrier() - return the RNIC that carries the verbs of a device
 * @dev: a device of hca_rnic_device_add()
 *
 * Context: any.
 * Return: the RNIC, which lives as long as the device.
 */
struct hca_rnic *hca_rnic_device_carrier(struct hca_device *dev);

/**
 * hca_rnic_get_identity() - return the GUIDs and the description of a device
 * @dev: a device of hca_rnic_device_add()
 * @id: filled in
 *
 * Context: process.
 */
void hca_rnic_get_identity(struct hca_device *dev, struct hca_rnic_identity *id);

/**
 * hca_rnic_device_set_faults() - set the faults of what an RNIC sends
 * @dev: a device of hca_rnic_device_add()
 * @qpn: number of the only queue pair with these faults; 0: all queue pairs have them
 * @spec: the faults; see hca_rnic_set_faults() and hca_rnic_set_qp_faults()
 *
 * Context: process, may sleep; the caller serializes calls.
 * Return: 0, -ENOENT, -ENOSPC or -ENOMEM.
 */
int hca_rnic_device_set_faults(struct hca_device *dev, u32 qpn,
			       const struct hca_iwarp_fault_spec *spec);

/**
 * hca_rnic_device_next_fault() - walk the faults of an RNIC
 * @dev: a device of hca_rnic_device_add()
 * @index: 0 in the first call; then as the last call has left it
 * @view: filled in: first with the faults of all queue pairs, then with those of single ones
 *
 * Context: process.
 * Return: false if there are no more.
 */
bool hca_rnic_device_next_fault(struct hca_device *dev, u32 *index,
				struct hca_rnic_fault_view *view);

#endif
