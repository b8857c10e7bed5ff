// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Delivery of payload to the memory of receive requests. */
#include "transport/scatter.h"
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "compat.h"
#include "link/tap/tap.h"
#include "packet/batch.h"
#include "qp/segments.h"
#include "transport/loss.h"
#include "transport/payload.h"

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

static void scatter_drop(const struct hca_eec *eec, const struct hca_packet *pkt,
			 enum hca_drop_reason reason, enum hca_counter counter)
{
	hca_trace_drop(eec->port, pkt, reason);
	hca_loss_count(eec, counter, 1);
}

void hca_recv_finish(struct hca_qp *qp, const struct hca_packet *pkt, int scattered,
		     struct hca_cqe *cqe)
{
	if (scattered == -EAGAIN)
		hca_loss_count(hca_qp_eec(qp), HCA_CTR_ODP_FAULTS, 1);
	if (scattered == -EMSGSIZE)
		scatter_drop(hca_qp_eec(qp), pkt, HCA_DROP_RECV_TOO_SHORT, HCA_CTR_RECV_TOO_SHORT);
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
	scatter_drop(eec, pkt, HCA_DROP_NO_RECEIVE, HCA_CTR_OUT_OF_BUFFER);
}
