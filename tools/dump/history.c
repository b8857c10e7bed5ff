// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Finds retransmitted and duplicated packets by comparing the PSNs of each flow. */
#include "history.h"
#include <stdlib.h>
#include <string.h>
#include "mark.h"
#include "syndrome.h"
#include "tools/lib/memory.h"
#include "tools/lib/rng.h"
#include "wire/opcode.h"

/*
 * Number of PSNs, up to the newest one, that a flow remembers. A requester has fewer PSNs in
 * flight.
 */
#define WINDOW 4096

/* Number of sets of remembered flows. The hash of a flow's key selects its set. */
#define NUM_SETS 256
/* Number of flows of a set. A new flow replaces the least recently used one of its set. */
#define FLOWS_OF_SET 4

/*
 * The key of a flow. A flow consists of the requests to a queue pair, or the responses to it, that
 * one port has sent or received. Requests on a connection do not contain the number of the sending
 * QP. The key does not need this number, because a connected destination QP has only one peer.
 */
struct flow_key {
	u32 qpn; /* number of the destination QP; for reliable datagrams, of the EE context */
	u16 slid, dlid;
	u16 interface;
	u8 direction;
	u8 transport;
	bool is_response;
};

struct flow {
	struct flow_key key;
	u64 used; /* history->clock at the last use; 0: the flow is not in use */
	u32 next; /* the PSN after the newest one */
	/* one bit for each PSN from @next - WINDOW to @next - 1; 1: the PSN was seen */
	u64 seen[WINDOW / 64];
	u8 syndrome; /* syndrome of the newest acknowledgment */
	bool is_read; /* the newest request is an RDMA Read, which the following fields describe */
	u32 read_rkey;
	u64 read_va, read_end;
};

struct history {
	u64 clock; /* number of packets so far, which is stored in flow->used */
	struct flow flows[NUM_SETS][FLOWS_OF_SET];
};

struct history *history_new(void)
{
	return need(calloc(1, sizeof(struct history)));
}

void history_free(struct history *history)
{
	free(history);
}

/* --- flows -------------------------------------------------------------------------------- */

static struct flow_key key_of(const struct packet *packet)
{
	const struct hca_headers *h = &packet->h;
	u32 has = hca_opcodes[h->bth.opcode].flags;

	return (struct flow_key){
		.qpn = has & HCA_HAS_RDETH ? h->rdeth_eecn : h->bth.destqp,
		.slid = h->lrh.slid,
		.dlid = h->lrh.dlid,
		.interface = packet->interface,
		.direction = packet->direction,
		.transport = hca_opcode_transport(h->bth.opcode),
		.is_response = has & HCA_IS_RESPONSE,
	};
}

static bool is_equal(const struct flow_key *a, const struct flow_key *b)
{
	return a->qpn == b->qpn && a->slid == b->slid && a->dlid == b->dlid &&
	       a->interface == b->interface && a->direction == b->direction &&
	       a->transport == b->transport && a->is_response == b->is_response;
}

static unsigned int set_of(const struct flow_key *key)
{
	u64 low = (u64)key->qpn << 32 | (u32)key->slid << 16 | key->dlid;
	u64 high = (u64)key->interface << 16 | key->direction << 8 | key->transport << 1 |
		   key->is_response;

	return (rng_mix(low) ^ rng_mix(high + 1)) % NUM_SETS;
}

/* Returns the flow with the key @key. A new flow is added if there is none, and its @used is 0. */
static struct flow *get_flow(struct history *history, const struct flow_key *key)
{
	struct flow *set = history->flows[set_of(key)], *oldest = set;
	unsigned int i;

	for (i = 0; i < FLOWS_OF_SET; i++) {
		if (set[i].used && is_equal(&set[i].key, key))
			return &set[i];
		if (set[i].used < oldest->used)
			oldest = &set[i];
	}
	*oldest = (struct flow){ .key = *key };
	return oldest;
}

/* --- PSNs of a flow ----------------------------------------------------------------------- */

static u64 *bits_of(struct flow *flow, u32 psn, u64 *bit)
{
	*bit = 1ull << psn % 64;
	return &flow->seen[psn % WINDOW / 64];
}

/* Marks a PSN as seen. Return: whether the PSN was already marked. */
static bool flow_note(struct flow *flow, u32 psn)
{
	u64 bit, *bits = bits_of(flow, psn, &bit);
	bool before = *bits & bit;

	*bits |= bit;
	return before;
}

static void note_absence(struct flow *flow, u32 psn)
{
	u64 bit, *bits = bits_of(flow, psn, &bit);

	*bits &= ~bit;
}

/*
 * Advances flow->next to @next. The PSNs that are skipped are marked as seen if @seen is true, and
 * otherwise as not seen.
 */
static void flow_advance(struct flow *flow, u32 next, bool seen)
{
	s32 steps = hca_psn_diff(next, flow->next);

	if (steps >= WINDOW) {
		memset(flow->seen, seen ? 0xff : 0, sizeof(flow->seen));
		flow->next = next;
	}
	for (; flow->next != next; flow->next = hca_psn_add(flow->next, 1)) {
		if (seen)
			flow_note(flow, flow->next);
		else
			note_absence(flow, flow->next);
	}
}

/*
 * Restarts a flow at @psn. A queue pair that is used for another connection begins with another
 * PSN.
 */
static void flow_restart(struct flow *flow, u32 psn)
{
	*flow = (struct flow){ .key = flow->key, .used = flow->used, .next = psn };
}

/*
 * Returns the distance from flow->next to a PSN. It is negative for a remembered PSN. An older PSN
 * restarts the flow, and the distance is then 0.
 */
static s32 flow_position(struct flow *flow, u32 psn)
{
	s32 ahead = hca_psn_diff(psn, flow->next);

	if (ahead < -WINDOW) {
		flow_restart(flow, psn);
		ahead = 0;
	}
	return ahead;
}

/* --- requests ----------------------------------------------------------------------------- */

/* Returns whether an RDMA Read requests the last part of the data of the newest RDMA Read again. */
static bool is_rest_of_read(const struct flow *flow, const struct hca_reth *reth)
{
	return flow->is_read && reth->rkey == flow->read_rkey && reth->va > flow->read_va &&
	       reth->va < flow->read_end && reth->va + reth->length == flow->read_end;
}

static void note_read(struct flow *flow, const struct hca_headers *h)
{
	flow->is_read = hca_opcodes[h->bth.opcode].flags & HCA_IS_READ;
	if (!flow->is_read)
		return;
	flow->read_rkey = h->reth.rkey;
	flow->read_va = h->reth.va;
	flow->read_end = h->reth.va + h->reth.length;
}

static bool is_requested_again(struct flow *flow, const struct hca_headers *h)
{
	bool is_read = hca_opcodes[h->bth.opcode].flags & HCA_IS_READ, again;

	if (flow_position(flow, h->bth.psn) < 0)
		return flow_note(flow, h->bth.psn);
	again = is_read && is_rest_of_read(flow, &h->reth);
	/*
	 * If the previous request is an RDMA Read, the PSNs between the two requests are those of
	 * its responses. They are marked as seen, because a request with one of these PSNs requests
	 * a part of the data again.
	 */
	flow_advance(flow, h->bth.psn, flow->is_read);
	flow_advance(flow, hca_psn_add(h->bth.psn, 1), true);
	if (!again)
		note_read(flow, h);
	return again;
}

static u32 request_marks(struct flow *flow, const struct hca_headers *h)
{
	if (!is_requested_again(flow, h))
		return 0;
	/* UC does not retransmit, so a packet that is seen twice was duplicated by the network. */
	return flow->key.transport == HCA_TRANSPORT_UC ? MARK_DUPLICATE : MARK_RETRANSMIT;
}

/* --- responses ---------------------------------------------------------------------------- */

/*
 * Advances the flow to the PSN of a NAK, because a NAK acknowledges all PSNs before its own. A
 * repeated NAK is not a duplicate, because it may answer another attempt of the request.
 */
static u32 nak_marks(struct flow *flow, u32 psn)
{
	if (flow_position(flow, psn) > 0)
		flow_advance(flow, psn, false);
	return 0;
}

static u32 ack_marks(struct flow *flow, const struct hca_headers *h)
{
	u32 psn = h->bth.psn;
	s32 ahead = flow_position(flow, psn);
	bool is_update = ahead == -1 && h->aeth.syndrome != flow->syndrome;

	if (ahead >= 0) {
		flow_advance(flow, psn, false);
		flow_advance(flow, hca_psn_add(psn, 1), true);
	}
	/*
	 * An ACK of the newest PSN with another syndrome is not a duplicate, but updates the
	 * credits (IBA 9.7.7.2).
	 */
	if (ahead < 0 && !is_update)
		return MARK_DUPLICATE;
	flow->syndrome = h->aeth.syndrome;
	return 0;
}

static u32 data_marks(struct flow *flow, u32 psn)
{
	if (flow_position(flow, psn) < 0)
		return flow_note(flow, psn) ? MARK_DUPLICATE : 0;
	flow_advance(flow, psn, false);
	flow_advance(flow, hca_psn_add(psn, 1), true);
	return 0;
}

static u32 response_marks(struct flow *flow, const struct hca_headers *h)
{
	if (hca_opcode_operation(h->bth.opcode) != IB_OPCODE_ACKNOWLEDGE)
		return data_marks(flow, h->bth.psn);
	return syndrome_kind(h->aeth.syndrome) == SYNDROME_ACK ? ack_marks(flow, h) :
								 nak_marks(flow, h->bth.psn);
}

static bool has_history(const struct packet *packet)
{
	bool cut;

	return packet->direction && packet->has_headers && !packet->is_raw &&
	       hca_opcode_transport(packet->h.bth.opcode) != HCA_TRANSPORT_UD &&
	       !packet_fault(packet, &cut);
}

u32 history_add(struct history *history, const struct packet *packet)
{
	struct flow_key key;
	struct flow *flow;

	if (!has_history(packet))
		return 0;
	key = key_of(packet);
	flow = get_flow(history, &key);
	if (!flow->used)
		flow->next = packet->h.bth.psn;
	flow->used = ++history->clock;
	return key.is_response ? response_marks(flow, &packet->h) :
				 request_marks(flow, &packet->h);
}
