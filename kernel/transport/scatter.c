// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* From packets to receive requests. */
#include <linux/errno.h>
#include "compat.h"
#include "link/batch.h"
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

void hca_recv_finish(struct hca_qp *qp, int scattered, struct hca_cqe *cqe)
{
	if (scattered == -EAGAIN)
		hca_loss_count(hca_qp_eec(qp), HCA_CTR_ODP_FAULTS, 1);
	if (scattered == -ESTALE || scattered == -EMSGSIZE || scattered == -EAGAIN)
		return;
	if (scattered)
		cqe->status = IB_WC_LOC_PROT_ERR;
	hca_recv_complete(qp, &qp->recv, cqe);
	if (scattered)
		hca_qp_error(qp);
}
