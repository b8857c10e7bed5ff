// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * End-to-end credits of a connection, from the first message on: the receiver keeps what its
 * acknowledgements advertise, and the sender sends a single request beyond that, as a probe
 * (B4-356, B4-357). A sender whose peer advertises no credits is unlimited; that of an extended
 * reliable connection is so from the beginning.
 */
#include <linux/kernel.h>
#include "ops.h"
#include "sim.h"
#include "transport/aeth.h"
#include "wire/opcode.h"
#include "transport/iba_qp.h"

#define NO_CREDITS 31

static u32 last_psn(const struct sim_op *op)
{
	return hca_psn_add(op->psn, op->packets - 1);
}

static bool consumes_recv(const struct sim_op *op)
{
	return op->kind->flags & SIM_CONSUMES_RECV;
}

/* The encoding of credit counts (B4-356): 0, 1, 2, 3, then each power of two and 1.5 times it. */
static u32 credits_of(u8 code)
{
	return code < 4 ? code : (2 | (code & 1)) << (code / 2 - 1);
}

static u8 kind_of(const struct hca_packet *pkt)
{
	return pkt->h.aeth.syndrome & HCA_SYNDROME_KIND;
}

/*
 * Ignored are old acknowledgements and those of unsent PSNs. Out-of-order read responses are not
 * accepted by the sender and therefore do not make an acknowledgement old.
 */
static bool counts(const struct sim_flow *flow, u32 psn)
{
	u32 oldest = hca_qp_eec(flow->from->qp)->una_psn;

	if (hca_psn_diff(oldest, flow->acked) > 0)
		oldest = flow->acked;
	return hca_psn_diff(psn, oldest) >= -1 && flow->seen &&
	       hca_psn_diff(psn, flow->highest) <= 0;
}

/* The advertised receive requests count from behind those that the sender knows to be completed. */
static void promised(struct sim_flow *flow, u32 psn, u8 code)
{
	const struct sim_op *op = sim_flow_psn(flow, psn);
	u32 allowed;

	if (!op)
		return;
	if (flow->to->xrcd && code != NO_CREDITS)
		sim_fail("node%d qp %06x gives credit, but it has no receive queue",
			 flow->to->node->index, flow->to->qpn);
	if (code == NO_CREDITS) {
		flow->unlimited = true;
		return;
	}
	allowed = op->recv_index + (consumes_recv(op) && psn == last_psn(op)) + credits_of(code);
	flow->allowed = max(flow->allowed, allowed);
}

/* Process a response. */
void sim_credit_recv(struct sim_flow *flow, const struct hca_packet *pkt)
{
	u8 op = hca_opcode_operation(pkt->h.bth.opcode);
	u32 psn = pkt->h.bth.psn;
	bool refuses = op == IB_OPCODE_ACKNOWLEDGE && kind_of(pkt) != HCA_SYNDROME_ACK;
	u32 acked = refuses ? psn : hca_psn_add(psn, 1);

	if (!counts(flow, psn))
		return;
	if (hca_psn_diff(acked, flow->acked) > 0)
		flow->acked = acked;
	if (op == IB_OPCODE_ACKNOWLEDGE && !refuses)
		promised(flow, psn, pkt->h.aeth.syndrome & HCA_SYNDROME_VALUE);
}

/* Process a packet of a request that leaves for the first time. */
void sim_credit_spend(const struct sim_flow *flow, struct sim_op *op, u32 psn)
{
	if (!consumes_recv(op) || flow->unlimited || flow->to->xrcd)
		return;
	if (op->recv_index < flow->allowed)
		op->promised |= psn == op->psn;
	else if (psn != flow->acked)
		sim_fail("node%d qp %06x #%llu is sent without credit, and not alone",
			 flow->from->node->index,
			 flow->from->qpn, (unsigned long long)op->wr_id);
}

/* Process an RNR NAK. */
void sim_credit_refuse(const struct sim_flow *flow, const struct sim_op *op)
{
	if (op && op->promised && !flow->to->srq)
		sim_fail("node%d qp %06x is not ready for #%llu, for which it has given credit",
			 flow->to->node->index, flow->to->qpn, (unsigned long long)op->wr_id);
}
