/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Internal interface of kernel/verbs/rnic: a device whose carrier is an RNIC. */
#ifndef HCA_VERBS_RNIC_RNIC_DEVICE_H
#define HCA_VERBS_RNIC_RNIC_DEVICE_H

#include <linux/netdevice.h>
#include <linux/socket.h>
#include "iwarp/rnic.h"
#include "verbs/core/kind.h"
#include "verbs/core/verbs.h"
#include "verbs/rnic/rnic.h"

struct hca_rnic_device {
	struct hca_device dev; /* first member */
	struct hca_rnic rnic;
	/*
	 * The interface, or blackhole_netdev in place of one that is gone; the device holds a
	 * reference to it. Changed with the mutex of netdev.c held.
	 */
	struct net_device __rcu *netdev;
	struct hca_rnic_address address; /* the only address that is served; family 0: all */
	__be64 system_image_guid;
	struct list_head node; /* entry of the list of RNICs of netdev.c; guarded by its mutex */
	bool is_active; /* state of the port that was reported last; guarded by the same mutex */
	bool is_registered; /* events can be dispatched; guarded by the same mutex */
	bool is_lost; /* the interface is gone; changed with the same mutex held */
};

static inline struct hca_rnic_device *to_hca_rnic_device(struct ib_device *ib)
{
	return container_of(ib, struct hca_rnic_device, dev.ib);
}

/* netdev.c */

/**
 * hca_rnic_watch() - begin to follow the changes of an RNIC's interface
 * @dev: an RNIC with a reference to its interface
 *
 * Context: process.
 * Return: 0; -ENODEV: the interface is being removed; -EADDRINUSE: another RNIC of the interface
 * serves the same addresses.
 */
int hca_rnic_watch(struct hca_rnic_device *dev);

/**
 * hca_rnic_unwatch() - end what hca_rnic_watch() has begun
 * @dev: the RNIC
 *
 * Context: process.
 */
void hca_rnic_unwatch(struct hca_rnic_device *dev);

/**
 * hca_rnic_announce() - begin to dispatch events, and dispatch a change of state that came before
 * @dev: an RNIC that was registered
 *
 * Context: process.
 */
void hca_rnic_announce(struct hca_rnic_device *dev);

/**
 * hca_rnic_get_net() - get a reference to the network namespace of an RNIC's interface
 * @dev: the RNIC
 *
 * Context: any.
 * Return: the namespace, to be released by put_net(); NULL: it is ending, or the interface is gone.
 */
struct net *hca_rnic_get_net(const struct hca_rnic_device *dev);

/* address.c */

/**
 * hca_rnic_has_address() - return whether an address is one of an RNIC's interface
 * @dev: the RNIC
 * @addr: the address
 *
 * Context: any.
 */
bool hca_rnic_has_address(const struct hca_rnic_device *dev, const struct sockaddr_storage *addr);

/**
 * hca_rnic_may_use() - return whether an RNIC serves connections of a local address
 * @dev: the RNIC
 * @addr: the address
 *
 * Context: any.
 * Return: false if it was created for another address.
 */
bool hca_rnic_may_use(const struct hca_rnic_device *dev, const struct sockaddr_storage *addr);

/* attributes.c */
void hca_rnic_query(struct ib_device *ib, struct ib_device_attr *attr);
int hca_rnic_modify_device(struct ib_device *ib, int mask, struct ib_device_modify *modify);

/* port.c */
int hca_rnic_query_port(struct ib_device *ib, u32 num, struct ib_port_attr *attr);
int hca_rnic_query_gid(struct ib_device *ib, u32 num, int index, union ib_gid *gid);
int hca_rnic_query_pkey(struct ib_device *ib, u32 num, u16 index, u16 *pkey);
int hca_rnic_get_port_immutable(struct ib_device *ib, u32 num, struct ib_port_immutable *immutable);
enum rdma_link_layer hca_rnic_get_link_layer(struct ib_device *ib, u32 num);

/* statistics.c */
struct rdma_hw_stats *hca_rnic_alloc_hw_port_stats(struct ib_device *ib, u32 num);
int hca_rnic_get_hw_stats(struct ib_device *ib, struct rdma_hw_stats *hw, u32 num, int index);

/* qp.c: operations of the kind */
int hca_rnic_attr_from_ib(struct ib_device *ib, const struct ib_qp_attr *from, int mask,
			  struct hca_qp_attr *to);
void hca_rnic_attr_to_ib(const struct hca_qp_attr *from, struct ib_qp_attr *to);
int hca_rnic_wait(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);
void hca_rnic_modified(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);

/* details.c: an operation of the kind */
int hca_rnic_put_details(struct sk_buff *msg, struct hca_qp *qp);

/* view.c: an operation of the kind */
void hca_rnic_view(struct hca_qp *qp, struct hca_resource_view *view);

/* attach.c and terminate.c: the methods of queue pairs that only an RNIC has */
extern const struct uapi_definition hca_rnic_attach_definitions[];
extern const struct uapi_definition hca_rnic_terminate_definitions[];

#endif
