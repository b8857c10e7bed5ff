// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The responder of unreliable connections, which sends no responses. After a lost packet, all
 * packets before the next First or Only packet are dropped. A First or Only packet begins a message
 * with any PSN, because the fabric neither repeats nor reorders packets (req B4-367 to B4-380).
 */
#include "transport/unreliable.h"
#include <linux/kernel.h>
#include "packet/batch.h"
#include "transport/execute.h"
#include "transport/nak.h"

/* Drop the current message. The next message uses its receive request (req B4-378). */
static void unreliable_drop(struct hca_eec *eec)
{
	eec->message = 0;
	eec->recv->offset = 0;
}

static void unreliable_packet(struct hca_eec *eec, const struct hca_packet *pkt);

static noinline void unreliable_split(struct hca_eec *eec, const struct hca_packet *batch)
{
	struct hca_packet single;
	u8 i;

	for (i = 0; i < batch->packets && hca_eec_receives(eec); i++) {
		hca_batch_view(batch, i, 1, &single);
		unreliable_packet(eec, &single);
	}
}

static void unreliable_packet(struct hca_eec *eec, const struct hca_packet *pkt)
{
	struct hca_qp *qp = eec->qp;
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;
	u32 psn = pkt->h.bth.psn;
	u8 syndrome;

	if (psn != eec->expected_psn || (flags & HCA_IS_FIRST))
		unreliable_drop(eec);
	eec->expected_psn = psn; /* accept the packet with any PSN (req B4-377) */
	syndrome = hca_syndrome_of(hca_execute(eec, qp, pkt));
	if (syndrome == HCA_SPLIT) {
		unreliable_split(eec, pkt);
		return;
	}
	eec->expected_psn = hca_psn_add(psn, pkt->packets);
	if (syndrome != HCA_SYNDROME_ACK)
		unreliable_drop(eec);
	else
		eec->message = flags & HCA_IS_LAST ? 0 : flags & (HCA_IS_SEND | HCA_IS_WRITE);
}

void hca_unreliable_receive(struct hca_eec *eec, struct hca_packet *pkt)
{
	spin_lock(&eec->common->recv_lock);
	if (hca_eec_receives(eec))
		unreliable_packet(eec, pkt);
	spin_unlock(&eec->common->recv_lock);
	hca_packet_free(pkt);
}
