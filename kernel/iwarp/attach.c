// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The attachment of an endpoint, and so of its stream, to a queue pair. */
#include "iwarp/attach.h"
#include <linux/kernel.h>
#include <linux/slab.h>
#include "iwarp/state.h"

void hca_iwarp_attach(struct hca_iwarp_qp *it, struct hca_endpoint *ep, struct hca_read *read,
		      u16 size)
{
	it->responder = (struct hca_responder){ .read = read, .size = size };
	it->requester = (struct hca_requester){ .oldest_read = it->qp.sq_done };
	it->has_failed = false;
	it->is_notified = false;
	it->is_ending_by_modify = false;
	it->is_aborting = false;
	it->ending = 0;
	it->origin = HCA_TERMINATE_NONE;
	it->rtr_expected = 0;
	it->sending = HCA_SENDING_NOTHING;
	it->options = hca_rnic_of(it)->options;
	it->was_request = false;
	it->ep = ep;
	ep->qp = it;
	hca_endpoint_use(ep, &it->qp.common.run);
}

void hca_iwarp_detach(struct hca_iwarp_qp *it)
{
	struct hca_endpoint *ep = it->ep;

	hca_mpa_tx_stop(&it->tx);
	kfree(it->responder.read);
	it->responder = (struct hca_responder){ 0 };
	it->ep = NULL;
	it->ending = 0;
	ep->qp = NULL;
}

void hca_iwarp_establish(struct hca_iwarp_qp *it, enum ib_qp_state state)
{
	const struct hca_endpoint *ep = it->ep;
	bool crc = ep->own.crc || ep->peer.crc;
	u32 qn;

	it->rx = (struct hca_mpa_rx){ .crc = crc, .markers = ep->own.markers };
	it->tx = (struct hca_mpa_tx){ .crc = crc, .markers = ep->peer.markers,
				   .fault = it->fault };
	hca_ddp_rx_init(&it->ddp);
	for (qn = 0; qn < HCA_QN_COUNT; qn++)
		it->next_msn[qn] = HCA_DDP_FIRST_MSN;
	it->requester.ord = ep->ord;
	it->responder.ird = min(ep->ird, it->responder.size);
	ep->stream->sent = 0;
	ep->stream->received = 0;
	hca_state_set(it, state);
}
