// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completion queues (req V3-332, V3-335, V3-355, V3-356). */
#include "verbs/verbs.h"

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

#define WC_FLAGS (HCA_CQE_GRH | HCA_CQE_WITH_IMM | HCA_CQE_WITH_INV)

/* The engine calls this; calls for one queue of a kernel consumer are serialised. */
static void notify(struct hca_cq *cq)
{
	struct ib_cq *ib = cq->context;

	if (ib->comp_handler)
		ib->comp_handler(ib, ib->cq_context);
}

/* Frees the work queue entries that a polled completion releases (req R0-408). */
static void reap(const struct hca_cqe *cqe)
{
	struct ib_qp *qp = (struct ib_qp *)(uintptr_t)cqe->kernel;

	hca_qp_reap(to_hca_ib_qp(qp)->qp, cqe);
}

/* Reports a CQ overflow, which is permanent (req V3-284). */
static void error(struct hca_cq *cq)
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

/* Makes the mapping of the ring and returns its offset and size to the process (req V3-224). */
static int share(struct hca_ib_cq *cq, struct ib_udata *udata)
{
	struct hca_create_cq_resp resp = {
		.size = cq->cq.queue.size,
		.entries = cq->cq.queue.entries,
	};
	int ret;

	if (udata->outlen < sizeof(resp))
		return -EINVAL;
	ret = hca_mapping_add(&cq->mapping, &cq->context->ib, &cq->cq.queue);
	if (ret)
		return ret;
	resp.offset = hca_mapping_offset(&cq->mapping);
	ret = ib_copy_to_udata(udata, &resp, sizeof(resp));
	if (ret)
		hca_mapping_remove(&cq->mapping);
	return ret;
}

static int create(struct hca_ib_cq *cq, u32 cqe, struct ib_udata *udata)
{
	int ret;

	cq->cq.notify = notify;
	cq->cq.error = error;
	cq->cq.reap = reap;
	cq->cq.context = &cq->ib;
	ret = hca_cq_init(&cq->cq, cqe, !udata);
	if (ret || !udata)
		return ret;
	ret = share(cq, udata);
	if (ret)
		hca_cq_destroy(&cq->cq);
	return ret;
}

int hca_ib_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr, HCA_CREATE_CQ_ARG *arg)
{
	struct hca_ib_cq *cq = to_hca_ib_cq(ib);
	int ret;

	if (attr->flags)
		return -EOPNOTSUPP;
	if (!attr->cqe || attr->cqe > HCA_MAX_CQE)
		return -EINVAL;
	cq->context = hca_udata_context(hca_create_cq_udata(arg));
	ret = hca_context_object_add(ib->device, cq->context, HCA_OBJ_CQ);
	if (ret)
		return ret;
	ret = create(cq, attr->cqe, hca_create_cq_udata(arg));
	if (ret) {
		hca_context_object_del(ib->device, cq->context, HCA_OBJ_CQ);
		return ret;
	}
	ib->cqe = cq->cq.cqe; /* at least what was asked for (req V3-222) */
	return 0;
}

/*
 * The core destroys a CQ only when no queue pair uses it (req V3-235). hca_cq_destroy() waits for a
 * completion handler that runs (req V3-237).
 */
int hca_ib_destroy_cq(struct ib_cq *ib, struct ib_udata *udata)
{
	struct hca_ib_cq *cq = to_hca_ib_cq(ib);

	hca_mapping_remove(&cq->mapping);
	hca_cq_destroy(&cq->cq);
	hca_context_object_del(ib->device, cq->context, HCA_OBJ_CQ);
	return 0;
}

/*
 * A CQE contains the whole completion, so that it outlives its queue pair; its pointer to the
 * queue pair is NULL once that was destroyed (req V3-189).
 */
static void wc_fill(struct ib_wc *wc, const struct hca_cqe *cqe)
{
	struct ib_qp *qp = (struct ib_qp *)(uintptr_t)cqe->kernel;

	*wc = (struct ib_wc){
		.wr_id = cqe->wr_id,
		.status = cqe->status,
		/* IB_WC_REG_MR differs between kernel releases, so the CQE has its own code. */
		.opcode = cqe->opcode == IB_WC_REG_MR ? IB_WC_REG_MR : cqe->opcode,
		.vendor_err = cqe->vendor_err,
		.byte_len = cqe->byte_len,
		.qp = qp,
		.src_qp = cqe->src_qp,
		.slid = cqe->slid,
		.wc_flags = cqe->flags & WC_FLAGS,
		.pkey_index = cqe->pkey_index,
		.sl = cqe->sl,
		.dlid_path_bits = cqe->dlid_path_bits,
		.port_num = qp ? qp->port : 0,
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
			wc_fill(&wc[done++], &cqe[i]);
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
