/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Internal interface of kernel/verbs: the structures that pair each object of the RDMA core with
 * its object of the transport, and the operations of struct ib_device_ops.
 */
#ifndef HCA_VERBS_VERBS_H
#define HCA_VERBS_VERBS_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/xarray.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_counter.h>
#include <rdma/uverbs_ioctl.h>
#include <rdma/hca-abi.h>
#include "compat.h"
#include "transport/ca.h"
#include "qp/cq.h"
#include "qp/qp.h"
#include "qp/srq.h"
#include "transport/xrc.h"
#include "verbs/device.h"
#include "verbs/qp_events.h"
#include "verbs/user.h"

struct hca_eec;
struct hca_losses;
struct platform_device;

/* An object that netlink shows, from the end of its creation until its destruction begins. */
struct hca_tracked {
	struct rb_node node; /* entry of hca_track.objects */
	unsigned long id; /* identifier from 1, in the order of creation; never reused */
	struct ib_device *ib;
	struct pid *owner; /* the process that has created it; NULL: a kernel consumer */
	const char *consumer; /* name of the kernel consumer; NULL: a process */
};

/* All objects of a type. */
struct hca_track {
	/* Lock (process) of the other fields; keeps an object of the table alive. */
	struct mutex lock;
	struct rb_root objects; /* struct hca_tracked by id */
	unsigned long last_id;
};

struct hca_device {
	struct ib_device ib;
	struct hca_ca ca;
	struct platform_device *pdev;
	bool events; /* asynchronous events may be dispatched to the RDMA core */
	struct mutex domains_lock;
	struct list_head domains; /* shared domains: struct hca_domain */
	atomic_t objects[HCA_NUM_OBJECTS];
	struct xarray counters; /* counters of qp_counter.c, by the number of the counter; RCU */
	u32 next_counter; /* under the lock of counters */
	struct hca_users users;
	struct hca_track tracks[HCA_NUM_RESOURCES];
};

/* A ring or device memory that a process may map. */
struct hca_mapping {
	struct rdma_user_mmap_entry entry;
	struct hca_ring_memory *memory; /* NULL: the object has no such memory */
	struct completion unused; /* completed when no mmap() uses the entry any more */
};

struct hca_ib_context {
	struct ib_ucontext ib;
	struct hca_user *user; /* user that has opened it */
	struct xarray rdds; /* struct hca_rdd by handle */
	atomic_t objects[HCA_NUM_OBJECTS]; /* counts of the types with a limit for each context */
};

/* Identity of a file, which stays valid after its end if its file system has generations. */
struct hca_file_id {
	dev_t device; /* device as stat() reports it; btrfs has one for each subvolume */
	u64 inode;
	u32 generation; /* generation of the inode */
	unsigned long magic; /* kind of file system: a process chooses the numbers of FUSE */
};

/* A reliable datagram domain. Its address identifies it; it has no other properties. */
struct hca_domain {
	struct list_head node; /* entry of hca_device.domains; empty: the domain is not shared */
	struct hca_file_id id; /* identity of the file that names a shared domain */
	unsigned int handles; /* number of struct hca_rdd; protected by domains_lock */
};

/* Handle of a domain in a context. */
struct hca_rdd {
	struct hca_domain *domain;
	/* the handle itself, and each queue pair and EE context created with it */
	refcount_t users;
};

struct hca_ib_pd {
	struct ib_pd ib;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	struct hca_pd_info info;
};

struct hca_ib_xrcd {
	struct ib_xrcd ib;
	struct hca_user *user; /* user that has created it */
};

struct hca_ib_ah {
	struct ib_ah ib;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	struct hca_av av;
};

struct hca_ib_cq {
	struct ib_cq ib;
	struct hca_tracked tracked;
	struct hca_cq cq;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	/* Mappings of the ring and of the prepared or replaced ring, in turn. */
	struct hca_mapping mappings[2];
	u8 current_mapping; /* index of the ring's mapping */
	/* process; outermost; guards mappings, current_mapping, prepared */
	struct mutex resize_lock;
	struct hca_queue prepared; /* the next ring, or the former one; size 0: none */
};

struct hca_ib_srq {
	struct ib_srq ib;
	struct hca_tracked tracked;
	struct hca_srq srq;
	struct hca_xrc_srq *xrc; /* type XRC: the object that packets find; otherwise NULL */
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	/* Mappings of the ring and of the prepared ring, in turn. */
	struct hca_mapping mappings[2];
	u8 current_mapping; /* index of the ring's mapping */
	/* process; outermost; guards mappings, current_mapping, prepared and resizing */
	struct mutex resize_lock;
	struct hca_queue prepared; /* the next ring; size 0: none */
};

struct hca_ib_odp;
struct hca_ib_dmabuf;

/*
 * Pages of a process that are pinned for one MR, or for several MRs that share them (req V3-256).
 */
struct hca_pinned {
	refcount_t users; /* number of MRs */
	struct ib_umem *umem; /* pins the pages */
	void **page; /* kernel addresses of the pages */
};

struct hca_ib_mr {
	struct ib_mr ib;
	struct hca_tracked tracked;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	struct hca_tpt_entry *entry;
	struct hca_ib_odp *odp; /* on-demand paging, or NULL */
	struct hca_ib_dmabuf *dmabuf; /* memory of another driver, or NULL */
	struct hca_pinned *pinned; /* pages of the process, or NULL */
	bool shared; /* another MR has, or had, the same pages */
	void **page; /* pages in kernel memory or in another driver's memory; or NULL */
	u64 va; /* address of the first octet while the MR is not zero-based */
	/* Fast registration only: the pages that ib_map_mr_sg() set for the next registration. */
	void **next_page;
	u32 max_pages; /* fast registration only: the size of both arrays */
};

/* Device memory, all pages of which a process can map. */
struct hca_ib_dm {
	struct ib_dm ib;
	struct hca_ring_memory *memory;
	struct hca_mapping mapping;
	struct hca_ib_context *context;
};

struct hca_ib_mw {
	struct ib_mw ib;
	struct hca_tracked tracked;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	struct hca_tpt_entry *entry;
};

/* A counter of queue pairs, for kernels to which its size in the driver matters (6.15). */
struct hca_ib_counter {
	struct rdma_counter ib;
};

struct hca_ib_qp {
	struct ib_qp ib;
	struct hca_tracked tracked;
	/*
	 * Process; outermost. Guards qp, which is NULL during destruction, and ib.counter: the core
	 * may find a queue pair by number, for netlink, while it is being destroyed.
	 */
	struct mutex lock;
	struct hca_qp *qp;
	/* NULL: owned by a kernel consumer, or an XRC target, which its XRC domain owns */
	struct hca_ib_context *context;
	struct hca_user *user; /* XRC target: the user that has created it */
	atomic_t members; /* attachments to multicast groups that are counted */
	struct hca_qp_events events;
	struct hca_rdd *rdd; /* type RD: its domain; otherwise NULL */
	struct hca_mapping sq_mapping, rq_mapping;
};

static inline struct hca_device *to_hca_device(struct ib_device *ib)
{
	return container_of(ib, struct hca_device, ib);
}

static inline struct hca_device *hca_port_device(const struct hca_port *port)
{
	return container_of(port->node, struct hca_device, ca.node);
}

static inline struct hca_port *hca_device_port(struct ib_device *ib, u32 num)
{
	return hca_node_port(&to_hca_device(ib)->ca.node, num);
}

static inline struct hca_ib_context *to_hca_ib_context(struct ib_ucontext *ib)
{
	return container_of(ib, struct hca_ib_context, ib);
}

/* Return the context of the process that creates an object; NULL: a kernel consumer creates it. */
static inline struct hca_ib_context *hca_udata_context(struct ib_udata *udata)
{
	return rdma_udata_to_drv_context(udata, struct hca_ib_context, ib);
}

/* Return the context of the process that owns the protection domain; NULL: a kernel consumer. */
static inline struct hca_ib_context *hca_pd_context(const struct ib_pd *pd)
{
	return container_of(pd, struct hca_ib_pd, ib)->context;
}

static inline struct hca_ib_ah *to_hca_ib_ah(struct ib_ah *ib)
{
	return container_of(ib, struct hca_ib_ah, ib);
}

static inline struct hca_ib_cq *to_hca_ib_cq(struct ib_cq *ib)
{
	return container_of(ib, struct hca_ib_cq, ib);
}

static inline struct hca_ib_srq *to_hca_ib_srq(struct ib_srq *ib)
{
	return container_of(ib, struct hca_ib_srq, ib);
}

static inline struct hca_ib_mr *to_hca_ib_mr(struct ib_mr *ib)
{
	return container_of(ib, struct hca_ib_mr, ib);
}

static inline struct hca_ib_dm *to_hca_ib_dm(struct ib_dm *ib)
{
	return container_of(ib, struct hca_ib_dm, ib);
}

static inline struct hca_ib_mw *to_hca_ib_mw(struct ib_mw *ib)
{
	return container_of(ib, struct hca_ib_mw, ib);
}

static inline struct hca_ib_qp *to_hca_ib_qp(struct ib_qp *ib)
{
	return container_of(ib, struct hca_ib_qp, ib);
}

/* objects.c: counts live objects and enforces the limits that query_device reports (req V3-112). */
int hca_context_object_add(struct ib_device *ib, struct hca_ib_context *context,
			   enum hca_object type);
void hca_context_object_del(struct ib_device *ib, struct hca_ib_context *context,
			    enum hca_object type);
int hca_user_object_add(struct ib_device *ib, struct hca_user *user, enum hca_object type);
void hca_user_object_del(struct ib_device *ib, struct hca_user *user, enum hca_object type);
void hca_objects_report(const struct hca_device *dev);

/* track.c */
void hca_tracks_init(struct hca_device *dev);

/**
 * hca_track() - let netlink show an object from now on
 * @ib: its device
 * @type: its type
 * @tracked: part of the object
 * @consumer: the RDMA core's entry of the kernel consumer that owns the object; NULL: the current
 *            process has created it
 *
 * Context: process.
 */
void hca_track(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked,
	       const struct rdma_restrack_entry *consumer);

/* Hides an object that is being destroyed from netlink. Context: process. */
void hca_untrack(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked);

/* Hides an object that may stay after all: hca_track_show() undoes it. See hca_untrack(). */
void hca_track_hide(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked);
void hca_track_show(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked);

/* view.c: takes a snapshot of an object; the lock of its table is held. */
extern void (*const hca_tracked_views[HCA_NUM_RESOURCES])(const struct hca_tracked *tracked,
							  bool admin,
							  struct hca_resource_view *view);

/* mapping.c */
int hca_mapping_add(struct hca_mapping *mapping, struct ib_ucontext *context,
		    struct hca_ring_memory *memory);
void hca_mapping_remove(struct hca_mapping *mapping);
u64 hca_mapping_offset(const struct hca_mapping *mapping);
int hca_ib_mmap(struct ib_ucontext *context, struct vm_area_struct *vma);
void hca_ib_mmap_free(struct rdma_user_mmap_entry *entry);

/* doorbell.c */
extern const struct uapi_definition hca_doorbell_definitions[];

/* rdd.c */
extern const struct uapi_definition hca_rdd_definitions[];
void hca_domains_init(struct hca_device *dev);
void hca_rdds_init(struct hca_ib_context *context);
struct hca_rdd *hca_rdd_find(struct hca_ib_context *context, u32 handle);
void hca_rdd_get(struct hca_rdd *rdd);
void hca_rdd_put(struct hca_rdd *rdd);

/* events.c: asynchronous events of EE contexts */
extern const struct uapi_definition hca_events_definitions[];
struct hca_events;
struct hca_event_source {
	struct hca_events *to; /* event file; NULL: events are discarded */
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
int hca_driver_qp_init(struct hca_ib_context *context, struct ib_udata *udata,
		       struct hca_qp_init *init, struct hca_rdd **rdd);

/* attributes.c */
extern const struct attribute_group hca_attribute_group;
int hca_ib_query_device(struct ib_device *ib, struct ib_device_attr *attr, struct ib_udata *udata);
int hca_ib_modify_device(struct ib_device *ib, int mask, struct ib_device_modify *modify);
void hca_ib_get_dev_fw_str(struct ib_device *ib, char *str);

/* statistics.c */
struct rdma_hw_stats *hca_ib_alloc_hw_port_stats(struct ib_device *ib, u32 num);
int hca_ib_get_hw_stats(struct ib_device *ib, struct rdma_hw_stats *hw, u32 num, int index);
struct rdma_hw_stats *hca_ib_counter_alloc_stats(struct rdma_counter *counter);
void hca_losses_report(const struct hca_losses *losses, struct rdma_hw_stats *hw);

/* qp_counter.c */
void hca_counter_table_init(struct hca_device *dev);
void hca_counter_table_destroy(struct hca_device *dev);
int hca_ib_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *qp HCA_COUNTER_PORT_ARG);
int hca_ib_counter_unbind_qp(struct ib_qp *qp HCA_COUNTER_PORT_ARG);
int hca_ib_counter_dealloc(struct rdma_counter *counter);
int hca_ib_counter_update_stats(struct rdma_counter *counter);
/**
 * hca_ib_counter_init() - implement counter_init, which has nothing to do: a new counter is zero
 * @counter: the RDMA core's counter
 */
void hca_ib_counter_init(struct rdma_counter *counter);

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

/* context.c */
int hca_ib_alloc_ucontext(struct ib_ucontext *context, struct ib_udata *udata);
int hca_ib_query_ucontext(struct ib_ucontext *context, struct uverbs_attr_bundle *attrs);
void hca_ib_dealloc_ucontext(struct ib_ucontext *context);
void hca_ib_disassociate_ucontext(struct ib_ucontext *context);

/* pd.c */
extern const struct uapi_definition hca_pd_definitions[];
int hca_ib_alloc_pd(struct ib_pd *pd, struct ib_udata *udata);
int hca_ib_dealloc_pd(struct ib_pd *pd, struct ib_udata *udata);

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

/* cq.c */
int hca_ib_create_cq(struct ib_cq *cq, const struct ib_cq_init_attr *attr, HCA_CREATE_CQ_ARG *arg);
int hca_ib_destroy_cq(struct ib_cq *cq, struct ib_udata *udata);
int hca_ib_resize_cq(struct ib_cq *cq, HCA_RESIZE_CQ_CQE cqe, struct ib_udata *udata);
int hca_ib_modify_cq(struct ib_cq *cq, u16 count, u16 period);
int hca_ib_poll_cq(struct ib_cq *cq, int num_entries, struct ib_wc *wc);
int hca_ib_req_notify_cq(struct ib_cq *cq, enum ib_cq_notify_flags flags);

/* srq.c */
extern const struct uapi_definition hca_srq_definitions[];
int hca_ib_create_srq(struct ib_srq *srq, struct ib_srq_init_attr *init, struct ib_udata *udata);
int hca_ib_modify_srq(struct ib_srq *srq, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		      struct ib_udata *udata);
int hca_ib_query_srq(struct ib_srq *srq, struct ib_srq_attr *attr);
int hca_ib_destroy_srq(struct ib_srq *srq, struct ib_udata *udata);

/* mr.c */
#define HCA_MAX_MR_PAGES (INT_MAX / sizeof(void *))
#define HCA_MAX_MR_BYTES ((u64)HCA_MAX_MR_PAGES * PAGE_SIZE)
struct ib_mr *hca_ib_get_dma_mr(struct ib_pd *pd, int access);
struct ib_mr *hca_ib_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access,
				 HCA_DMAH_ARG struct ib_udata *udata);
struct ib_mr *hca_ib_rereg_user_mr(struct ib_mr *mr, int flags, u64 start, u64 length, u64 iova,
				   int access, struct ib_pd *pd, struct ib_udata *udata);
int hca_ib_dereg_mr(struct ib_mr *mr, struct ib_udata *udata);

/**
 * hca_mr_alloc() - allocate a memory region without pages and without a key
 * @pd: protection domain
 * @access: access rights, enum ib_access_flags, without IB_ACCESS_FLUSH_PERSISTENT, which needs
 *          hca_mr_set_persistent()
 *
 * Context: process, may sleep.
 * Return: the MR, or ERR_PTR: -EOPNOTSUPP (unsupported right), -ENOMEM.
 */
struct hca_ib_mr *hca_mr_alloc(struct ib_pd *pd, int access);

/**
 * hca_mr_publish() - enter a memory region into the translation table
 * @ib: device
 * @mr: MR from hca_mr_alloc(); freed if the function fails
 *
 * Context: process, may sleep.
 * Return: the MR with its keys, or ERR_PTR: -ENOMEM.
 */
struct ib_mr *hca_mr_publish(struct ib_device *ib, struct hca_ib_mr *mr);

/**
 * hca_mr_set_base() - set the address of a memory region's first octet
 * @mr: MR from hca_mr_alloc() that has no key yet
 * @iova: the address, which is 0 instead if the MR is zero-based
 *
 * Context: any.
 */
void hca_mr_set_base(struct hca_ib_mr *mr, u64 iova);

/* Frees all of an MR but mr->entry, which the table owns once the MR was published. */
void hca_mr_release(struct ib_device *ib, struct hca_ib_mr *mr);

/* persistent.c */

/**
 * hca_mr_set_persistent() - grant a Flush that makes data persist, if requested
 * @mr: MR from hca_mr_alloc() that has no key yet
 * @pinned: its pages
 * @access: requested access rights, enum ib_access_flags
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL: not all pages are persistent memory; -EOPNOTSUPP: the kernel cannot write
 * caches back.
 */
int hca_mr_set_persistent(struct hca_ib_mr *mr, const struct hca_pinned *pinned, int access);

/* mr_methods.c */
extern const struct uapi_definition hca_mr_definitions[];

/* odp.c */

/**
 * hca_odp_reg() - register memory whose pages are on demand
 * @pd: protection domain
 * @start: address in the memory of the process; 0, and @length U64_MAX: the whole address space
 * @length: octets
 * @iova: address of the first octet, as work requests and packets name it
 * @access: rights, with IB_ACCESS_ON_DEMAND
 *
 * Context: process, may sleep.
 * Return: the MR, or ERR_PTR: -EINVAL, -EOPNOTSUPP (rights, among them windows), -ENOMEM.
 */
struct ib_mr *hca_odp_reg(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access);

/* Frees the pages of an MR whose entry was removed. Context: process, may sleep. */
void hca_odp_dereg(struct hca_ib_odp *odp);

/* Implements advise_mr: prefetches pages of MRs on demand. */
int hca_ib_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		     struct ib_sge *sg_list, u32 num_sge, struct uverbs_attr_bundle *attrs);
int hca_ib_fill_stat_mr_entry(struct sk_buff *msg, struct ib_mr *mr);

/* dmabuf.c */
struct ib_mr *hca_ib_reg_user_mr_dmabuf(struct ib_pd *pd, u64 offset, u64 length, u64 iova, int fd,
					int access, HCA_DMAH_ARG HCA_REG_DMABUF_ARG *arg);
/* Makes the MR invalid and detaches it from the buffer. Context: process, may sleep. */
void hca_dmabuf_detach(struct hca_ib_dmabuf *dmabuf);
/* Frees the buffer of an MR whose entry was removed. Context: process, may sleep. */
void hca_dmabuf_dereg(struct hca_ib_dmabuf *dmabuf);

/* fast_mr.c */
struct ib_mr *hca_ib_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_pages);
int hca_ib_map_mr_sg(struct ib_mr *mr, struct scatterlist *sg, int n, unsigned int *offset);

/* dm.c */
extern const struct uapi_definition hca_dm_definitions[];
struct ib_dm *hca_ib_alloc_dm(struct ib_device *ib, struct ib_ucontext *context,
			      struct ib_dm_alloc_attr *attr, struct uverbs_attr_bundle *attrs);
int hca_ib_dealloc_dm(struct ib_dm *dm, struct uverbs_attr_bundle *attrs);
struct ib_mr *hca_ib_reg_dm_mr(struct ib_pd *pd, struct ib_dm *dm, struct ib_dm_mr_attr *attr,
			       struct uverbs_attr_bundle *attrs);

/* mw.c */
int hca_ib_alloc_mw(struct ib_mw *mw, struct ib_udata *udata);
int hca_ib_dealloc_mw(struct ib_mw *mw);

/*
 * Initializers of the attributes that struct ib_qp_attr, struct hca_qp_attr and struct hca_eec_attr
 * have under the same name.
 */
#define HCA_CONTEXT_ATTRS(from) \
	.path_mtu = (from)->path_mtu, \
	.path_mig_state = (from)->path_mig_state, \
	.port_num = (from)->port_num, \
	.timeout = (from)->timeout, \
	.retry_cnt = (from)->retry_cnt, \
	.rnr_retry = (from)->rnr_retry, \
	.min_rnr_timer = (from)->min_rnr_timer, \
	.max_rd_atomic = (from)->max_rd_atomic, \
	.max_dest_rd_atomic = (from)->max_dest_rd_atomic, \
	.pkey_index = (from)->pkey_index, \
	.rq_psn = (from)->rq_psn, \
	.sq_psn = (from)->sq_psn, \
	.alt_port_num = (from)->alt_port_num, \
	.alt_timeout = (from)->alt_timeout, \
	.alt_pkey_index = (from)->alt_pkey_index

/* qp.c */
int hca_ib_create_qp(struct ib_qp *qp, struct ib_qp_init_attr *attr, struct ib_udata *udata);
int hca_wait_for_last(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask);
int hca_ib_modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata);
int hca_ib_query_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
		    struct ib_qp_init_attr *init);
int hca_ib_destroy_qp(struct ib_qp *qp, struct ib_udata *udata);

/* restrack.c: driver details, for rdma(8). Context: process. */
struct sk_buff;
int hca_ib_fill_res_qp_entry(struct sk_buff *msg, struct ib_qp *qp);
int hca_ib_fill_res_cq_entry(struct sk_buff *msg, struct ib_cq *cq);
int hca_ib_fill_res_mr_entry(struct sk_buff *msg, struct ib_mr *mr);
int hca_ib_fill_res_srq_entry(struct sk_buff *msg, struct ib_srq *srq);

/* multicast.c */
extern const struct uapi_definition hca_multicast_definitions[];
void hca_members_uncount(struct hca_ib_qp *qp); /* for a queue pair that is gone */
int hca_ib_attach_mcast(struct ib_qp *qp, union ib_gid *gid, u16 lid);
int hca_ib_detach_mcast(struct ib_qp *qp, union ib_gid *gid, u16 lid);

/* post.c */
int hca_ib_post_send(struct ib_qp *qp, const struct ib_send_wr *wr, const struct ib_send_wr **bad);
int hca_ib_post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
int hca_ib_post_srq_recv(struct ib_srq *srq, const struct ib_recv_wr *wr,
			 const struct ib_recv_wr **bad);

#endif
