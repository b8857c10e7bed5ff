// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Functions that discard or reject a packet at a port, and count, capture and trace it. */
#include "link/port/discard.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include "link/rx/integrity.h"
#include "link/tap/tap.h"

/*
 * The counter of PortXmitDiscardDetails for each reason; a reason without a counter here counts as
 * HCA_CTR_OTHER_DISCARDS.
 */
static const u8 hca_discards[] = {
	[HCA_DROP_NO_CABLE] = HCA_CTR_INACTIVE_DISCARDS,
	[HCA_DROP_PORT_STATE] = HCA_CTR_INACTIVE_DISCARDS,
	[HCA_DROP_LINK_CHANGED] = HCA_CTR_INACTIVE_DISCARDS,
	[HCA_DROP_TOO_LONG] = HCA_CTR_NEIGHBOR_MTU_DISCARDS,
	[HCA_DROP_LIFETIME] = HCA_CTR_SW_LIFETIME_DISCARDS,
	[HCA_DROP_AGED] = HCA_CTR_SW_HOQ_DISCARDS,
	[HCA_DROP_STALLED] = HCA_CTR_SW_HOQ_DISCARDS,
};

/*
 * HCA_DROP_BLOCKED means that LifeTimeValue of a packet at the head of its queue expired while the
 * packet had no credit. It counts as a HOQLife discard, unless HOQLife is infinite: subnet managers
 * set both times to equal values, and LifeTimeValue, which starts earlier, always expires first.
 */
static enum hca_counter discard_counter(const struct hca_port *port, enum hca_drop_reason reason)
{
	u8 counter = reason < ARRAY_SIZE(hca_discards) ? hca_discards[reason] : 0;

	if (reason == HCA_DROP_BLOCKED)
		return READ_ONCE(port->info.hoq_life) < HCA_LIFE_FOREVER ?
			       HCA_CTR_SW_HOQ_DISCARDS : HCA_CTR_SW_LIFETIME_DISCARDS;
	return counter ?: HCA_CTR_OTHER_DISCARDS;
}

static void port_count_discard(struct hca_port *port, const struct hca_packet *pkt,
			       enum hca_drop_reason reason)
{
	enum hca_counter counter = discard_counter(port, reason);

	hca_count(port, counter, pkt->packets);
	if (counter == HCA_CTR_SW_LIFETIME_DISCARDS || counter == HCA_CTR_SW_HOQ_DISCARDS)
		hca_count(port, HCA_CTR_CONGESTION_VL + pkt->h.lrh.vl, pkt->packets);
}

void hca_port_discard(struct hca_port *port, struct hca_packet *pkt, enum hca_drop_reason reason)
{
	hca_trace_drop(port, pkt, reason);
	port_count_discard(port, pkt, reason);
	hca_packet_free(pkt);
}

/*
 * The drop reason and the error counter of a rejected packet; HCA_NUM_COUNTERS: no error counter.
 * Every rejected packet also counts as received. The last entry of hca_refusals[] is for all other
 * errors.
 */
struct hca_refusal {
	int err; /* error of hca_packet_deserialize() */
	enum hca_drop_reason reason;
	enum hca_counter counter;
};

static const struct hca_refusal hca_refusals[] = {
	{ -EREMOTEIO, HCA_DROP_MARKED_BAD, HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS },
	{ -EBADMSG, HCA_DROP_DAMAGED, HCA_CTR_LOCAL_PHYSICAL_ERRORS },
	{ -EPROTO, HCA_DROP_LVER, HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ -EINVAL, HCA_DROP_LENGTH, HCA_CTR_MALFORMED_PACKET_ERRORS },
	/* The link layer does not count the next two errors. */
	{ -EMSGSIZE, HCA_DROP_GRH, HCA_NUM_COUNTERS },
	{ -EPROTONOSUPPORT, HCA_DROP_OPCODE, HCA_NUM_COUNTERS },
	{ 0, HCA_DROP_LENGTH, HCA_CTR_MALFORMED_PACKET_ERRORS },
};

void hca_port_reject_octets(struct hca_port *port, const struct hca_packet *pkt, const u8 *wire,
			    u32 octets, int err)
{
	const struct hca_refusal *refusal = hca_refusals;

	if (err == -ENOMEM) {
		trace_hca_drop(port, pkt, HCA_DROP_NO_MEMORY);
		return;
	}
	while (refusal->err && refusal->err != err)
		refusal++;
	trace_hca_drop(port, pkt, refusal->reason);
	/* Packets with errors count as received, too (req C4-158, C4-336). */
	hca_port_count_rcv(port, pkt);
	if (refusal->counter < HCA_NUM_COUNTERS)
		hca_count(port, refusal->counter, 1);
	hca_tap_octets(port, wire, octets, HCA_TAP_IN);
	if (err == -EBADMSG)
		hca_integrity_error(port);
}

void hca_port_refuse(struct hca_port *port, struct hca_packet *pkt, enum hca_drop_reason reason)
{
	hca_trace_drop(port, pkt, reason);
	/* A port in the wrong state does not receive packets (req C4-155). */
	if (reason != HCA_DROP_PORT_STATE)
		hca_port_count_rcv(port, pkt);
	/* A packet for another port is not a packet with an error (req C4-336). */
	if (reason == HCA_DROP_OVERRUN) {
		hca_count(port, HCA_CTR_BUFFER_OVERRUN_ERRORS, pkt->packets);
		hca_integrity_overrun(port);
	} else if (reason != HCA_DROP_PORT_STATE && reason != HCA_DROP_NOT_OURS) {
		hca_count(port, HCA_CTR_MALFORMED_PACKET_ERRORS, pkt->packets);
	}
	hca_packet_free(pkt);
}
