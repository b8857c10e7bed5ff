// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completion queues (req V3-332, V3-335, V3-355, V3-356). */
#include "verbs/queue/cq.h"
#include <linux/log2.h>
#include <linux/nospec.h>
#include <linux/rcupdate.h>
#include <rdma/hca-abi.h>
#include "compat.h"
#include "qp/limits.h"
#include "verbs/core/context.h"
#include "verbs/core/mapping.h"
#include "verbs/core/objects.h"
#include "verbs/core/track.h"
#include "verbs/queue/ib_qp.h"

/* Number of completions that one call of hca_cq_poll() reads from the ring. */
#define BATCH 8

#define SAME(ours, theirs) static_assert((int)(ours) == (int)(theirs))
SAME(HCA_CQE_GRH, IB_WC_GRH);
SAME(HCA_CQE_WITH_IMM, IB_WC_WITH_IMM);
SAME(HCA_CQE_WITH_INV, IB_WC_WITH_INVALIDATE);
SAME(IB_UVERBS_WC_SEND, IB_WC_SEND);
SAME(IB_UVERBS_WC_RDMA_WRITE, IB_WC_RDMA_WRITE);
SAME(IB_UVERBS_WC_RDMA_READ, IB_WC_RDMA_READ);
SAME(IB_UVERBS_WC_COMP_SWAP, IB_WC_COMP_SWAP);
SAME(IB_UVERBS_WC_FETCH_ADD, IB_WC_FETCH_ADD);
SAME(IB_UVERBS_WC_BIND_MW, IB_WC_BIND_MW);
SAME(IB_UVERBS_WC_LOCAL_INV, IB_WC_LOCAL_INV);
#undef SAME
static_assert(sizeof(struct hca_ring) <= HCA_RING_ENTRIES);
static_assert(sizeof(struct hca_cqe) == 64);

/* Flags with which a process may create a CQ. The CQ of a kernel consumer has no flags. */
#define CREATE_FLAGS (IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION | IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN)

#define WC_FLAGS (HCA_CQE_GRH | HCA_CQE_WITH_IMM | HCA_CQE_WITH_INV)

/* Implements hca_cq.notify. Calls for one CQ of a kernel consumer are serialized. */
static void cq_notify(struct hca_cq *cq)
{
	struct ib_cq *ib = cq->context;

	if (ib->comp_handler)
		ib->comp_handler(ib, ib->cq_context);
}

/* Frees the work queue entries that a polled completion releases (req R0-408). */
static void cq_reap(const struct hca_cqe *cqe)
{
	struct ib_qp *qp = (struct ib_qp *)(uintptr_t)cqe->kernel;

	hca_qp_reap(to_hca_ib_qp(qp)->qp, cqe);
}

/* Raises IB_EVENT_CQ_ERR when the CQ has overflowed, which is final (req V3-284). */
static void cq_raise_error(struct hca_cq *cq)
{
	struct ib_cq *ib = cq->context;
	struct ib_event event = {
		.device = ib->device,
		.element.cq = ib,
		.event = IB_EVENT_CQ_ERR,
	};

	if (ib->event_handler)
		ib->event_handler(&event, ib->cq_context);
}

/* Allows the process to map a ring, and returns offset and size for its mmap() (req V3-224). */
static int cq_share_ring(struct hca_ib_cq *cq, struct hca_mapping *mapping,
			 const struct hca_queue *queue, struct ib_udata *udata)
{
	struct hca_create_cq_resp resp = { .size = queue->size, .entries = queue->entries };
	int ret;

	if (udata->outlen < sizeof(resp))
		return -EINVAL;
	ret = hca_mapping_add(mapping, &cq->context->ib, queue->memory);
	if (ret)
		return ret;
	resp.offset = hca_mapping_offset(mapping);
	ret = ib_copy_to_udata(udata, &resp, sizeof(resp));
	if (ret)
		hca_mapping_remove(mapping);
	return ret;
}

/* Returns the CPU of a completion vector: vector n is the n-th possible CPU. */
static int cq_cpu_of_vector(u32 vector)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (!vector--)
			break;
	return cpu;
}

static int cq_create(struct hca_ib_cq *cq, const struct ib_cq_init_attr *attr,
		     struct ib_udata *udata)
{
	int ret;

	cq->cq.timestamps = attr->flags & IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION;
	cq->cq.ignore_overrun = attr->flags & IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN;
	cq->cq.notify = cq_notify;
	cq->cq.error = cq_raise_error;
	cq->cq.reap = cq_reap;
	cq->cq.context = &cq->ib;
	ret = hca_cq_init(&cq->cq, attr->cqe, !udata);
	if (ret)
		return ret;
	if (!udata) {
		/* The completion handler runs on this CPU (req V3-090, V3-091). */
		hca_run_bind(&cq->cq.run, cq_cpu_of_vector(attr->comp_vector));
		return 0;
	}
	ret = cq_share_ring(cq, &cq->mappings[0], &cq->cq.queue, udata);
	if (ret)
		hca_cq_destroy(&cq->cq);
	return ret;
}

int hca_ib_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr, HCA_CREATE_CQ_ARG *arg)
{
	struct hca_ib_cq *cq = to_hca_ib_cq(ib);
	int ret;

	if (attr->flags & ~CREATE_FLAGS || (attr->flags && !arg))
		return -EOPNOTSUPP;
	if (!attr->cqe || attr->cqe > HCA_MAX_CQE ||
	    attr->comp_vector >= (u32)ib->device->num_comp_vectors) /* req R0-483 */
		return -EINVAL;
	mutex_init(&cq->resize_lock);
	cq->context = hca_udata_context(hca_create_cq_udata(arg));
	ret = hca_context_object_add(ib->device, cq->context, HCA_OBJ_CQ);
	if (ret)
		return ret;
	ret = cq_create(cq, attr, hca_create_cq_udata(arg));
	if (ret) {
		hca_context_object_del(ib->device, cq->context, HCA_OBJ_CQ);
		return ret;
	}
	ib->cqe = cq->cq.cqe; /* at least the requested number (req V3-222) */
	hca_track(ib->device, HCA_RESOURCE_CQ, &cq->tracked, cq->context ? NULL : &ib->res);
	return 0;
}

static struct hca_mapping *cq_other_mapping(struct hca_ib_cq *cq)
{
	return &cq->mappings[!cq->current_mapping];
}

/* Ends a resize, and frees the ring that the CQ does not use: a former or a prepared ring. */
static void cq_discard_ring(struct hca_ib_cq *cq)
{
	hca_cq_resized(&cq->cq);
	hca_mapping_remove(cq_other_mapping(cq));
	hca_queue_free(&cq->prepared);
}

static int cq_resize_prepare(struct hca_ib_cq *cq, u32 cqe, struct ib_udata *udata)
{
	int ret;

	cq_discard_ring(cq);
	ret = hca_queue_alloc(&cq->prepared, cqe + cq->cq.ignore_overrun, sizeof(struct hca_cqe),
			      false);
	if (ret)
		return ret;
	ret = cq_share_ring(cq, cq_other_mapping(cq), &cq->prepared, udata);
	if (ret)
		hca_queue_free(&cq->prepared);
	return ret;
}

static int cq_resize_commit(struct hca_ib_cq *cq, u32 cqe, struct ib_udata *udata)
{
	int ret;

	if (cq->cq.former || !cq->prepared.size ||
	    cq->prepared.entries != roundup_pow_of_two(cqe + cq->cq.ignore_overrun))
		return -EINVAL;
	ret = hca_cq_resize(&cq->cq, &cq->prepared);
	if (ret)
		return ret;
	cq->current_mapping = !cq->current_mapping;
	cq->ib.cqe = cq->cq.cqe;
	return 0;
}

static int cq_resize_finish(struct hca_ib_cq *cq, u32 cqe, struct ib_udata *udata)
{
	cq_discard_ring(cq);
	return 0;
}

static int (*const resize_steps[])(struct hca_ib_cq *cq, u32 cqe, struct ib_udata *udata) = {
	[HCA_RESIZE_CQ_PREPARE] = cq_resize_prepare,
	[HCA_RESIZE_CQ_COMMIT] = cq_resize_commit,
	[HCA_RESIZE_CQ_FINISH] = cq_resize_finish,
};

/*
 * Executes one step of a resize, enum hca_resize_cq_step, for a process (req V3-230, R0-077). The
 * CQ of a kernel consumer cannot be resized.
 */
int hca_ib_resize_cq(struct ib_cq *ib, HCA_RESIZE_CQ_CQE cqe, struct ib_udata *udata)
{
	struct hca_ib_cq *cq = to_hca_ib_cq(ib);
	struct hca_resize_cq_req req;
	int ret;

	if (!udata)
		return -EOPNOTSUPP;
	if (udata->inlen < sizeof(req) || cqe <= 0 || cqe > HCA_MAX_CQE)
		return -EINVAL;
	if (!ib_is_udata_cleared(udata, sizeof(req), udata->inlen - sizeof(req)))
		return -EOPNOTSUPP;
	ret = ib_copy_from_udata(&req, udata, sizeof(req));
	if (ret)
		return ret;
	if (req.step >= ARRAY_SIZE(resize_steps) || req.reserved)
		return -EINVAL;
	req.step = array_index_nospec(req.step, ARRAY_SIZE(resize_steps));
	mutex_lock(&cq->resize_lock);
	ret = resize_steps[req.step](cq, cqe, udata);
	mutex_unlock(&cq->resize_lock);
	return ret;
}

/* Sets the event moderation of a CQ, for ibv_modify_cq() and for ethtool -C of IPoIB. */
int hca_ib_modify_cq(struct ib_cq *ib, u16 count, u16 period)
{
	hca_cq_moderate(&to_hca_ib_cq(ib)->cq, count, period);
	return 0;
}

/*
 * The RDMA core destroys a CQ only when no queue pair uses it (req V3-235). hca_cq_destroy() waits
 * for a running completion handler (req V3-237). A handler of the core that polls in softirq
 * context may still be about to arm the CQ, because ib_free_cq() does not wait for that. This
 * function therefore waits for a grace period.
 */
int hca_ib_destroy_cq(struct ib_cq *ib, struct ib_udata *udata)
{
	struct hca_ib_cq *cq = to_hca_ib_cq(ib);

	if (!cq->context)
		synchronize_rcu_expedited();
	hca_untrack(ib->device, HCA_RESOURCE_CQ, &cq->tracked);
	cq_discard_ring(cq);
	hca_mapping_remove(&cq->mappings[cq->current_mapping]);
	hca_cq_destroy(&cq->cq);
	mutex_destroy(&cq->resize_lock);
	hca_context_object_del(ib->device, cq->context, HCA_OBJ_CQ);
	return 0;
}

/*
 * Converts a completion. Its queue pair exists, because the destruction of a queue pair removes its
 * completions from the CQ. Kernel consumers rely on that: after the destruction they free the
 * memory to which wr_id or wr_cqe points.
 */
static void cq_fill_wc(struct ib_wc *wc, const struct hca_cqe *cqe)
{
	struct ib_qp *qp = (struct ib_qp *)(uintptr_t)cqe->kernel;

	*wc = (struct ib_wc){
		.wr_id = cqe->wr_id,
		.status = cqe->status,
		.opcode = cqe->opcode, /* enum ib_wc_opcode of this kernel */
		.vendor_err = cqe->vendor_err,
		.byte_len = cqe->byte_len,
		.qp = qp,
		.src_qp = cqe->src_qp,
		.slid = cqe->slid,
		.wc_flags = cqe->flags & WC_FLAGS,
		.pkey_index = cqe->pkey_index,
		.sl = cqe->sl,
		.dlid_path_bits = cqe->dlid_path_bits,
		.port_num = qp->port,
	};
	if (cqe->flags & HCA_CQE_WITH_INV)
		wc->ex.invalidate_rkey = cqe->invalidated_rkey;
	else
		wc->ex.imm_data = cqe->imm_data;
}

int hca_ib_poll_cq(struct ib_cq *ib, int num_entries, struct ib_wc *wc)
{
	struct hca_cq *cq = &to_hca_ib_cq(ib)->cq;
	struct hca_cqe cqe[BATCH];
	int done = 0, wanted, got, i;

	do {
		wanted = min(num_entries - done, BATCH);
		got = hca_cq_poll(cq, cqe, wanted);
		for (i = 0; i < got; i++)
			cq_fill_wc(&wc[done++], &cqe[i]);
	} while (got == BATCH && done < num_entries);
	return done;
}

/* Arms the CQ of a kernel consumer; a process writes to its ring instead (req V3-281, V3-287). */
int hca_ib_req_notify_cq(struct ib_cq *ib, enum ib_cq_notify_flags flags)
{
	bool solicited = (flags & IB_CQ_SOLICITED_MASK) == IB_CQ_SOLICITED;
	bool pending = hca_cq_arm(&to_hca_ib_cq(ib)->cq,
				  solicited ? HCA_CQ_ARM_SOLICITED : HCA_CQ_ARM_NEXT);

	return pending && (flags & IB_CQ_REPORT_MISSED_EVENTS);
}
