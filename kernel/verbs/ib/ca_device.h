/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Internal interface of kernel/verbs/ib: a device whose carrier is a channel adapter, and the
 * objects and operations that only such a device has.
 */
#ifndef HCA_VERBS_IB_CA_DEVICE_H
#define HCA_VERBS_IB_CA_DEVICE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include "transport/ca.h"
#include "verbs/core/kind.h"
#include "verbs/core/verbs.h"

struct hca_eec;
struct hca_rd_eec;

struct hca_ca_device {
	struct hca_device dev; /* first member */
	struct hca_ca ca;
	struct mutex domains_lock;
	struct list_head domains; /* shared domains: struct hca_domain */
};

/* Identity of a file. A later file has another one if the file system has generations. */
struct hca_file_id {
	dev_t device; /* device as stat() reports it; btrfs has one for each subvolume */
	u64 inode;
	u32 generation; /* generation of the inode */
	unsigned long magic; /* type of the file system; FUSE files may have forged inode numbers */
};

/* A reliable datagram domain. The address of this structure identifies the domain. */
struct hca_domain {
	struct list_head node; /* entry of hca_ca_device.domains; empty: the domain is not shared */
	struct hca_file_id id; /* identity of the file that names a shared domain */
	unsigned int handles; /* number of struct hca_rdd; protected by domains_lock */
};

/* Handle of a domain in a context. */
struct hca_rdd {
	struct hca_domain *domain;
	/* references of the handle itself, and of each queue pair and EE context created with it */
	refcount_t users;
};

struct hca_ib_xrcd {
	struct ib_xrcd ib;
	struct hca_user *user; /* user that has created the domain */
};

static inline struct hca_ca_device *to_hca_ca_device(struct ib_device *ib)
{
	return container_of(ib, struct hca_ca_device, dev.ib);
}

static inline struct hca_ca_device *hca_port_device(const struct hca_port *port)
{
	return container_of(port->node, struct hca_ca_device, ca.node);
}

static inline struct hca_port *hca_device_port(struct ib_device *ib, u32 num)
{
	return hca_node_port(&to_hca_ca_device(ib)->ca.node, num);
}

/* rdd.c */
extern const struct uapi_definition hca_rdd_definitions[];
void hca_domains_init(struct hca_ca_device *dev);
struct hca_rdd *hca_rdd_find(struct hca_ib_context *context, u32 handle);
void hca_rdd_get(struct hca_rdd *rdd);
void hca_rdd_put(struct hca_rdd *rdd);

/* events.c: asynchronous events of EE contexts */
extern const struct uapi_definition hca_events_definitions[];
struct hca_events;
struct hca_event_source {
	struct hca_events *to; /* events file; NULL: events are discarded */
	struct list_head pending; /* entry of hca_events.sources while an event is pending */
	u32 types; /* pending events: bit n is value n of enum ib_event_type */
	u32 eecn;
};
void hca_event_source_init(struct hca_event_source *source, struct ib_uobject *events);
void hca_event_source_notify(struct hca_event_source *source, enum ib_event_type type);
void hca_event_source_destroy(struct hca_event_source *source);

/* eec.c */
struct hca_ib_eec {
	struct hca_tracked tracked;
	struct hca_rd_eec *rd_eec;
	struct hca_rdd *rdd;
	struct hca_event_source source;
};
extern const struct uapi_definition hca_eec_definitions[];
void hca_ib_eec_event(struct hca_rd_eec *rd_eec, enum hca_qp_event event);

/* driver_qp.c: QP types that the RDMA core does not have */
int hca_driver_qp_init(struct hca_ib_qp *qp, struct ib_udata *udata, struct hca_qp_init *init);

/* attributes.c */
void hca_ca_query(struct ib_device *ib, struct ib_device_attr *attr);
int hca_ib_modify_device(struct ib_device *ib, int mask, struct ib_device_modify *modify);

/* statistics.c */
struct rdma_hw_stats *hca_ib_alloc_hw_port_stats(struct ib_device *ib, u32 num);
int hca_ib_get_hw_stats(struct ib_device *ib, struct rdma_hw_stats *hw, u32 num, int index);
struct rdma_hw_stats *hca_ib_counter_alloc_stats(struct rdma_counter *counter);
void hca_ca_report_counters(const struct hca_qp_counters *losses, struct rdma_hw_stats *hw);

/* port.c */
extern const struct hca_port_ops hca_device_port_ops;
int hca_ib_query_port(struct ib_device *ib, u32 num, struct ib_port_attr *attr);
int hca_ib_modify_port(struct ib_device *ib, u32 num, int mask, struct ib_port_modify *modify);
int hca_ib_query_gid(struct ib_device *ib, u32 num, int index, union ib_gid *gid);
int hca_ib_query_pkey(struct ib_device *ib, u32 num, u16 index, u16 *pkey);
int hca_ib_get_port_immutable(struct ib_device *ib, u32 num, struct ib_port_immutable *immutable);
enum rdma_link_layer hca_ib_get_link_layer(struct ib_device *ib, u32 num);

/* mad.c */
int hca_ib_process_mad(struct ib_device *ib, int flags, u32 port_num, const struct ib_wc *in_wc,
		       const struct ib_grh *in_grh, const struct ib_mad *in, struct ib_mad *out,
		       size_t *out_size, u16 *out_pkey_index);

/* xrcd.c */
int hca_ib_alloc_xrcd(struct ib_xrcd *xrcd, struct ib_udata *udata);
int hca_ib_dealloc_xrcd(struct ib_xrcd *xrcd, struct ib_udata *udata);

/* ah.c */
int hca_av_from_ah_attr(struct ib_device *ib, const struct rdma_ah_attr *attr, struct hca_av *av);
void hca_av_to_ah_attr(const struct hca_av *av, struct rdma_ah_attr *attr);
int hca_ib_create_ah(struct ib_ah *ah, struct rdma_ah_init_attr *init, struct ib_udata *udata);
int hca_ib_modify_ah(struct ib_ah *ah, struct rdma_ah_attr *attr);
int hca_ib_query_ah(struct ib_ah *ah, struct rdma_ah_attr *attr);
int hca_ib_destroy_ah(struct ib_ah *ah, u32 flags);

/* ca_qp.c */
int hca_ca_attr_from_ib(struct ib_device *ib, const struct ib_qp_attr *from, int mask,
			struct hca_qp_attr *to);
void hca_ca_attr_to_ib(const struct hca_qp_attr *from, struct ib_qp_attr *to);
int hca_ca_wait(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);
int hca_wait_for_last(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask);

/*
 * Initializers of the attributes that struct ib_qp_attr, hca_iba_attr and hca_eec_attr have under
 * the same name.
 */
#define HCA_CONTEXT_ATTRS(from) \
	.path_mtu = (from)->path_mtu, \
	.path_mig_state = (from)->path_mig_state, \
	.port_num = (from)->port_num, \
	.timeout = (from)->timeout, \
	.retry_cnt = (from)->retry_cnt, \
	.rnr_retry = (from)->rnr_retry, \
	.min_rnr_timer = (from)->min_rnr_timer, \
	.pkey_index = (from)->pkey_index, \
	.rq_psn = (from)->rq_psn, \
	.sq_psn = (from)->sq_psn, \
	.alt_port_num = (from)->alt_port_num, \
	.alt_timeout = (from)->alt_timeout, \
	.alt_pkey_index = (from)->alt_pkey_index

/* multicast.c */
extern const struct uapi_definition hca_multicast_definitions[];
void hca_members_uncount(struct hca_ib_qp *qp); /* called after the queue pair was destroyed */
int hca_ib_attach_mcast(struct ib_qp *qp, union ib_gid *gid, u16 lid);
int hca_ib_detach_mcast(struct ib_qp *qp, union ib_gid *gid, u16 lid);

#endif
