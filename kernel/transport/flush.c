// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Execution of a Flush. */
#include "transport/flush.h"
#include <asm/barrier.h>
#include <linux/kernel.h>
#include "compat.h"
#include "packet/batch.h"
#include "transport/access.h"
#include "transport/execute.h"
#include "transport/nak.h"
#include "transport/rd/rd_eec.h"
#include "transport/responses.h"

/*
 * Maximum number of octets that hca_flush_execute() writes back; the EE context's run function
 * writes back the rest.
 */
#define AT_ONCE (HCA_MAX_BATCH * HCA_FLUSH_TURN)

/*
 * Check the peer's right to flush all memory that the R_Key covers, and set r->va and r->left to
 * this memory. Return: HCA_SYNDROME_ACK or a NAK with its reason.
 */
static u16 flush_find_whole(const struct hca_qp *qp, u32 access, struct hca_response *r)
{
	struct hca_tpt_entry *entry;

	if (access & ~hca_qp_eec(qp)->attr.access)
		return hca_nak(HCA_NAK_REASON_QP_ACCESS);
	entry = hca_tpt_entry_get_named(&qp->ci->tpt, r->rkey, qp->pd, qp->qpn, access);
	if (!entry)
		return hca_nak_key(&qp->ci->tpt, r->rkey, qp->pd, qp->qpn, access, 0, 0);
	r->va = entry->iova;
	r->left = entry->length;
	hca_tpt_entry_put(entry);
	return HCA_SYNDROME_ACK;
}

/*
 * Check the peer's right to flush the memory that the packet names, and set r->va and r->left to
 * this memory. Return: HCA_SYNDROME_ACK or a NAK with its reason.
 */
static u16 flush_find_range(const struct hca_qp *qp, const struct hca_packet *pkt,
			    struct hca_response *r)
{
	const struct hca_reth *reth = &pkt->h.reth;
	u8 placement = pkt->h.feth.placement;
	u32 access = (placement & IB_FLUSH_GLOBAL ? IB_UVERBS_ACCESS_FLUSH_GLOBAL : 0) |
		     (placement & IB_FLUSH_PERSISTENT ? IB_UVERBS_ACCESS_FLUSH_PERSISTENT : 0);

	if (!placement || placement & ~(IB_FLUSH_GLOBAL | IB_FLUSH_PERSISTENT))
		return hca_nak(HCA_NAK_REASON_FLUSH);
	switch (pkt->h.feth.selectivity) {
	case IB_FLUSH_RANGE:
		if (reth->length > HCA_MAX_MESSAGE)
			return hca_nak(HCA_NAK_REASON_MESSAGE_LENGTH);
		r->va = reth->va;
		r->left = reth->length;
		return hca_remote_access(qp, access, reth->rkey, reth->va, reth->length);
	case IB_FLUSH_MR:
		return flush_find_whole(qp, access, r);
	default:
		return hca_nak(HCA_NAK_REASON_FLUSH);
	}
}

/*
 * This CPU has already stored the data of earlier requests. The write barrier makes the data
 * visible to all CPUs and devices before the response is sent.
 */
u16 hca_flush_execute(struct hca_eec *eec, const struct hca_qp *qp, const struct hca_packet *pkt)
{
	struct hca_response response = {
		HCA_RESPONSE_TO(eec, pkt),
		.kind = HCA_RESP_FLUSH,
		.rkey = pkt->h.reth.rkey,
	};
	u16 result = hca_resp_queue_admits(eec) ? flush_find_range(qp, pkt, &response) :
						  hca_nak(HCA_NAK_REASON_RD_ATOMIC);

	if (result != HCA_SYNDROME_ACK)
		return result;
	if (!hca_resp_queue_has_room(eec))
		return HCA_DROP;
	wmb();
	if (!(pkt->h.feth.placement & IB_FLUSH_PERSISTENT))
		response.left = 0;
	if (response.left && !hca_flush_write_back(eec, qp, qp->pd, &response, AT_ONCE))
		return hca_nak_key(&qp->ci->tpt, response.rkey, qp->pd, qp->qpn,
				   IB_UVERBS_ACCESS_FLUSH_PERSISTENT, response.va, response.left);
	if (!response.left)
		response.kind = HCA_RESP_EMPTY;
	hca_resp_queue_add(eec, &response);
	return HCA_SYNDROME_ACK;
}
