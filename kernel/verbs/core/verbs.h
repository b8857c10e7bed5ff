/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Internal interface of kernel/verbs: the structures that pair each object of the RDMA core with
 * its object of the carrier, and the operations of struct ib_device_ops that all carriers have.
 */
#ifndef HCA_VERBS_CORE_VERBS_H
#define HCA_VERBS_CORE_VERBS_H

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/xarray.h>
#include <rdma/hca-abi.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_counter.h>
#include <rdma/uverbs_ioctl.h>
#include "compat.h"
#include "qp/ci.h"
#include "qp/cq.h"
#include "qp/limits.h"
#include "qp/qp.h"
#include "qp/srq.h"
#include "verbs/core/device.h"
#include "verbs/core/qp_events.h"
#include "verbs/core/user.h"

struct hca_device_kind;
struct hca_rdd;
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
	/* guards the other fields, and keeps the objects of the table alive while it is held */
	struct mutex lock;
	struct rb_root objects; /* struct hca_tracked by id */
	unsigned long last_id;
};

struct hca_device {
	struct ib_device ib;
	const struct hca_device_kind *kind;
	struct hca_ci *ci; /* the carrier, a part of the structure that begins with this one */
	struct platform_device *pdev;
	bool events; /* asynchronous events may be dispatched to the RDMA core */
	atomic_t objects[HCA_NUM_OBJECTS];
	struct xarray counters; /* counters of qp_counter.c, by the number of the counter; RCU */
	u32 next_counter; /* number for the next counter; guarded by the lock of @counters */
	struct hca_users users;
	struct hca_track tracks[HCA_NUM_RESOURCES];
};

/* A ring or device memory that a process may map. */
struct hca_mapping {
	struct rdma_user_mmap_entry entry;
	struct hca_ring_memory *memory; /* NULL: there is nothing to map */
	struct completion unused; /* completed when no mmap() uses the entry any more */
};

struct hca_ib_context {
	struct ib_ucontext ib;
	struct hca_user *user; /* user that has opened the context */
	struct xarray rdds; /* struct hca_rdd by handle */
	atomic_t objects[HCA_NUM_OBJECTS]; /* counts of the types with a limit for each context */
};

struct hca_ib_pd {
	struct ib_pd ib;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	struct hca_pd_info info;
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
	/* mappings of the ring (at current_mapping), and of the prepared or former ring */
	struct hca_mapping mappings[2];
	u8 current_mapping; /* index of the ring's mapping */
	/* outermost mutex; guards mappings, current_mapping and prepared */
	struct mutex resize_lock;
	struct hca_queue prepared; /* the next ring, or the former one; size 0: none */
};

struct hca_ib_srq {
	struct ib_srq ib;
	struct hca_tracked tracked;
	struct hca_srq srq;
	struct hca_xrc_srq *xrc; /* type XRC: the object that packets find; otherwise NULL */
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	/* mappings of the ring (at current_mapping), and of the prepared ring */
	struct hca_mapping mappings[2];
	u8 current_mapping; /* index of the ring's mapping */
	/* outermost mutex; guards mappings, current_mapping, prepared and resizing */
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

struct hca_ib_mr;

/* Operations on memory whose pages this driver does not pin. */
struct hca_mr_ops {
	/*
	 * Makes an MR invalid before its entry is removed; NULL if the removal of the entry is
	 * enough. Context: process, may sleep.
	 */
	void (*detach)(struct hca_ib_mr *mr);
	/* Frees the memory after the MR's entry was removed. Context: process, may sleep. */
	void (*free)(struct hca_ib_mr *mr);
};

struct hca_ib_mr {
	struct ib_mr ib;
	const struct hca_mr_ops *ops; /* NULL: pinned pages, or memory of the kernel */
	struct hca_tracked tracked;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	struct hca_tpt_entry *entry;
	struct hca_ib_odp *odp; /* on-demand paging, or NULL */
	struct hca_ib_dmabuf *dmabuf; /* memory of another driver, or NULL */
	struct hca_pinned *pinned; /* pages of the process, or NULL */
	bool shared; /* another MR has, or had, the same pages */
	void **page; /* pages in kernel memory or in another driver's memory; or NULL */
	u64 va; /* address of the first octet; only remembered while the MR is zero-based */
	/* Fast registration only: the pages that ib_map_mr_sg() set for the next registration. */
	void **next_page;
	u32 max_pages; /* fast registration only: the size of both arrays */
};

/* Device memory. A process can map all its pages. */
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

/* A counter of queue pairs. The RDMA core allocates this structure since Linux 6.15. */
struct hca_ib_counter {
	struct rdma_counter ib;
};

struct hca_ib_qp {
	struct ib_qp ib;
	struct hca_tracked tracked;
	/*
	 * Outermost lock, taken in process context. It guards qp, which is NULL during destruction,
	 * and ib.counter. The lock is needed, because netlink may find a queue pair that is being
	 * destroyed.
	 */
	struct mutex lock;
	struct hca_qp *qp;
	/* NULL: owned by a kernel consumer; or an XRC target, owned by an XRC domain */
	struct hca_ib_context *context;
	struct hca_user *user; /* XRC target: the user that has created the queue pair */
	atomic_t members; /* attachments to multicast groups that are counted */
	struct hca_qp_events events;
	struct hca_rdd *rdd; /* type RD: its domain; otherwise NULL */
	struct hca_mapping sq_mapping, rq_mapping;
};

static inline struct hca_device *to_hca_device(struct ib_device *ib)
{
	return container_of(ib, struct hca_device, ib);
}

static inline struct hca_ib_context *to_hca_ib_context(struct ib_ucontext *ib)
{
	return container_of(ib, struct hca_ib_context, ib);
}

/* Returns the context of the process that creates an object; NULL: a kernel consumer creates it. */
static inline struct hca_ib_context *hca_udata_context(struct ib_udata *udata)
{
	return rdma_udata_to_drv_context(udata, struct hca_ib_context, ib);
}

/* Returns the context of the process that owns the protection domain; NULL: a kernel consumer. */
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

/* attributes.c */
extern const struct attribute_group hca_attribute_group;
void hca_ib_get_dev_fw_str(struct ib_device *ib, char *str);

/**
 * hca_node_desc_trim() - remove the final newline that echo adds to a description for node_desc
 * @desc: the description, of IB_DEVICE_NODE_DESC_MAX octets
 *
 * Context: any.
 */
void hca_node_desc_trim(char *desc);

/* limits.c */
int hca_ib_query_device(struct ib_device *ib, struct ib_device_attr *attr, struct ib_udata *udata);

/* track.c */
void hca_tracks_init(struct hca_device *dev);

/**
 * hca_track() - add a new object to those that netlink shows
 * @ib: device of the object
 * @type: type of the object
 * @tracked: the object's member of type struct hca_tracked
 * @consumer: the RDMA core's entry of the kernel consumer that owns the object; NULL: the current
 *            process has created it
 *
 * Context: process.
 */
void hca_track(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked,
	       const struct rdma_restrack_entry *consumer);

/* Hides an object, which is being destroyed, from netlink. Context: process. */
void hca_untrack(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked);

/*
 * Hides an object from netlink before its destruction is tried. If the destruction fails,
 * hca_track_show() shows the object again. Context: process.
 */
void hca_track_hide(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked);
void hca_track_show(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked);

/* view.c: functions that take a snapshot of an object; the lock of the object's table is held */
extern void (*const hca_tracked_views[HCA_NUM_RESOURCES])(const struct hca_tracked *tracked,
							  bool admin,
							  struct hca_resource_view *view);

struct hca_qp_view;
/* Adds the values of a queue pair or EE context to its snapshot. */
void hca_resource_view_qp(struct hca_resource_view *view, const struct hca_qp_view *qp);
/* ib/eec.c: an entry of hca_tracked_views */
void hca_resource_view_eec(const struct hca_tracked *tracked, bool admin,
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

/* qp_counter.c */
void hca_counter_table_init(struct hca_device *dev);
void hca_counter_table_destroy(struct hca_device *dev);
int hca_ib_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *qp HCA_COUNTER_PORT_ARG);
int hca_ib_counter_unbind_qp(struct ib_qp *qp HCA_COUNTER_PORT_ARG);
int hca_ib_counter_dealloc(struct rdma_counter *counter);
int hca_ib_counter_update_stats(struct rdma_counter *counter);
/**
 * hca_ib_counter_init() - do nothing, as counter_init: the RDMA core has zeroed the counter
 * @counter: the RDMA core's counter
 */
void hca_ib_counter_init(struct rdma_counter *counter);

/* context.c */
int hca_ib_alloc_ucontext(struct ib_ucontext *context, struct ib_udata *udata);
int hca_ib_query_ucontext(struct ib_ucontext *context, struct uverbs_attr_bundle *attrs);
void hca_ib_dealloc_ucontext(struct ib_ucontext *context);
void hca_ib_disassociate_ucontext(struct ib_ucontext *context);

/* pd.c */
extern const struct uapi_definition hca_pd_definitions[];
int hca_ib_alloc_pd(struct ib_pd *pd, struct ib_udata *udata);
int hca_ib_dealloc_pd(struct ib_pd *pd, struct ib_udata *udata);

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

/* mr_alloc.c */

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
 * hca_mr_set_pages() - store the page addresses of memory that the kernel has mapped
 * @mr: MR from hca_mr_alloc()
 * @memory: address of the memory, a multiple of PAGE_SIZE
 * @offset: octets between @memory and the first octet of the MR
 * @length: octets of the MR
 *
 * The length of the MR's entry is left to the caller.
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_mr_set_pages(struct hca_ib_mr *mr, void *memory, u64 offset, u64 length);

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
 * @iova: the address; a zero-based MR begins at address 0 instead
 *
 * Context: any.
 */
void hca_mr_set_base(struct hca_ib_mr *mr, u64 iova);

/* Frees an MR except for mr->entry, which the translation table owns after hca_mr_publish(). */
void hca_mr_release(struct ib_device *ib, struct hca_ib_mr *mr);

/* persistent.c */

/**
 * hca_mr_set_persistent() - grant the right to a Flush that makes data persist, if requested
 * @mr: MR from hca_mr_alloc() that has no key yet
 * @pinned: pages of the MR
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
 * Return: the MR, or ERR_PTR: -EINVAL if the range is invalid; -EOPNOTSUPP if a right is not
 * supported, such as that to bind windows; -ENOMEM.
 */
struct ib_mr *hca_odp_reg(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access);

/* Implements advise_mr: prefetches pages of MRs on demand. */
int hca_ib_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		     struct ib_sge *sg_list, u32 num_sge, struct uverbs_attr_bundle *attrs);
int hca_ib_fill_stat_mr_entry(struct sk_buff *msg, struct ib_mr *mr);

/* dmabuf.c */
struct ib_mr *hca_ib_reg_user_mr_dmabuf(struct ib_pd *pd, u64 offset, u64 length, u64 iova, int fd,
					int access, HCA_DMAH_ARG HCA_REG_DMABUF_ARG *arg);

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

/* qp.c */
int hca_ib_create_qp(struct ib_qp *qp, struct ib_qp_init_attr *attr, struct ib_udata *udata);
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

/* post.c */
int hca_ib_post_send(struct ib_qp *qp, const struct ib_send_wr *wr, const struct ib_send_wr **bad);
int hca_ib_post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
int hca_ib_post_srq_recv(struct ib_srq *srq, const struct ib_recv_wr *wr,
			 const struct ib_recv_wr **bad);

#endif
