// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Delivery of packets to receive requests. */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "compat.h"
#include "link/batch.h"
#include "link/tap.h"
#include "transport/loss.h"
#include "transport/payload.h"
#include "transport/scatter.h"

int hca_recv_scatter(struct hca_qp *qp, const struct hca_recv *recv, u32 offset,
		     const struct hca_packet *pkt)
{
	struct hca_segment segment[HCA_MAX_SGE] HCA_UNINITIALIZED;
	int n = hca_sge_segments(qp, recv->sge, recv->num_sge, offset, hca_batch_octets(pkt),
				 segment);
	int ret;

	if (n < 0)
		return n;
	ret = hca_payload_deliver(pkt, segment);
	hca_segments_put(segment, n);
	return ret;
}

static enum hca_vendor_err sge_refusal(const struct hca_qp *qp, const struct hca_sge *sge, u64 addr,
				       u32 length)
{
	struct hca_tpt_entry *entry;
	bool good;

	if (qp->kernel && sge->lkey == HCA_LOCAL_DMA_KEY)
		return HCA_VENDOR_ERR_NONE;
	entry = hca_tpt_entry_get_odp(qp->tpt, sge->lkey, qp->recv_pd, IB_UVERBS_ACCESS_LOCAL_WRITE,
				      addr, length);
	if (entry) {
		good = hca_odp_is_present(entry->odp, addr - entry->iova, length, true);
		hca_tpt_entry_put(entry);
	} else {
		good = hca_tpt_entry_find(qp->tpt, sge->lkey, qp->recv_pd, HCA_CONSUMER,
					  IB_UVERBS_ACCESS_LOCAL_WRITE, addr, length);
	}
	if (good)
		return HCA_VENDOR_ERR_NONE;
	return hca_tpt_entry_refusal(qp->tpt, sge->lkey, qp->recv_pd, HCA_CONSUMER,
				     IB_UVERBS_ACCESS_LOCAL_WRITE, addr, length);
}

enum hca_vendor_err hca_recv_refusal(const struct hca_qp *qp, const struct hca_recv *recv,
				     u32 offset, u32 length)
{
	const struct hca_sge *sge = recv->sge, *end = sge + recv->num_sge;
	enum hca_vendor_err error = HCA_VENDOR_ERR_NONE;

	for (; sge != end && offset >= sge->length; sge++)
		offset -= sge->length;
	for (; sge != end && length && !error; sge++) {
		u32 chunk = min(length, sge->length - offset);

		if (chunk)
			error = sge_refusal(qp, sge, sge->addr + offset, chunk);
		length -= chunk;
		offset = 0;
	}
	return error ? error : HCA_VENDOR_ERR_LKEY_CHANGED;
}

void hca_recv_finish(struct hca_qp *qp, int scattered, struct hca_cqe *cqe)
{
	if (scattered == -EAGAIN)
		hca_loss_count(hca_qp_eec(qp), HCA_CTR_ODP_FAULTS, 1);
	if (scattered == -ESTALE || scattered == -EMSGSIZE || scattered == -EAGAIN)
		return;
	if (!scattered) {
		hca_recv_complete(qp, &qp->recv, cqe);
		return;
	}
	hca_recv_fail(qp, &qp->recv, hca_recv_refusal(qp, &qp->recv, 0, cqe->byte_len));
	hca_qp_error(qp);
}

void hca_recv_drop(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	hca_trace_drop(eec->port, pkt, HCA_DROP_NO_RECEIVE);
	hca_loss_count(eec, HCA_CTR_OUT_OF_BUFFER, 1);
}
