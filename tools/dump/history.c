// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Finds packets that were sent again, by the PSNs of each flow. */
#include <stdlib.h>
#include <string.h>
#include "history.h"
#include "mark.h"
#include "syndrome.h"
#include "tools/lib/memory.h"
#include "tools/lib/rng.h"
#include "wire/opcode.h"

/* Number of remembered PSNs below the newest one, which is more than a requester has in flight. */
#define WINDOW 4096

/*
 * Number of sets of remembered flows. A set has the flows of one hash; a new flow replaces the
 * least recently used one.
 */
#define NUM_SETS 256
#define FLOWS_OF_SET 4

/*
 * The key of a sequence of PSNs: requests to a queue pair, or responses to it, at one place.
 * Requests of a connection do not have the number of their source, but their destination has only
 * one source.
 */
struct flow_key {
	u32 qpn; /* number of the destination QP, or of the EE context for reliable datagrams */
	u16 slid, dlid;
	u16 interface;
	u8 direction;
	u8 transport;
	bool is_response;
};

struct flow {
	struct flow_key key;
	u64 used; /* time of the last use, by the clock of the history; 0: never */
	u32 next; /* the PSN after the newest */
	u64 seen[WINDOW / 64]; /* a bit for each PSN from next - WINDOW to next - 1 */
	u8 syndrome; /* syndrome of the newest acknowledgment */
	bool is_read; /* the newest request is a read, which the next fields describe */
	u32 read_rkey;
	u64 read_va, read_end;
};

struct history {
	u64 clock; /* number of packets so far */
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

/* Returns the flow of a key. A new flow has used 0. */
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

/* Notes a PSN as seen. Return: whether the PSN was seen before. */
static bool note(struct flow *flow, u32 psn)
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

/* Moves the window up to @next. @seen says whether the PSNs that enter the window count as seen. */
static void advance(struct flow *flow, u32 next, bool seen)
{
	s32 steps = hca_psn_diff(next, flow->next);

	if (steps >= WINDOW) {
		memset(flow->seen, seen ? 0xff : 0, sizeof(flow->seen));
		flow->next = next;
	}
	for (; flow->next != next; flow->next = hca_psn_add(flow->next, 1)) {
		if (seen)
			note(flow, flow->next);
		else
			note_absence(flow, flow->next);
	}
}

/* Restarts a flow: a queue pair that is used again starts with another PSN. */
static void restart(struct flow *flow, u32 psn)
{
	*flow = (struct flow){ .key = flow->key, .used = flow->used, .next = psn };
}

/*
 * Returns the position of a PSN relative to flow->next, which is not negative if the PSN is beyond
 * all seen ones. A PSN below the window starts a new sequence.
 */
static s32 position(struct flow *flow, u32 psn)
{
	s32 ahead = hca_psn_diff(psn, flow->next);

	if (ahead < -WINDOW) {
		restart(flow, psn);
		ahead = 0;
	}
	return ahead;
}

/* --- requests ----------------------------------------------------------------------------- */

/* Returns whether a read requests the remaining data of the newest read. */
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

	if (position(flow, h->bth.psn) < 0)
		return note(flow, h->bth.psn);
	again = is_read && is_rest_of_read(flow, &h->reth);
	/*
	 * A read occupies the PSNs of all its responses. Requests do not have these PSNs, so they
	 * count as seen.
	 */
	advance(flow, h->bth.psn, flow->is_read);
	advance(flow, hca_psn_add(h->bth.psn, 1), true);
	if (!again)
		note_read(flow, h);
	return again;
}

static u32 request_marks(struct flow *flow, const struct hca_headers *h)
{
	if (!is_requested_again(flow, h))
		return 0;
	/* UC does not retransmit, so the network has delivered the packet twice. */
	return flow->key.transport == HCA_TRANSPORT_UC ? MARK_DUPLICATE : MARK_RETRANSMIT;
}

/* --- responses ---------------------------------------------------------------------------- */

/*
 * Advances the flow. A NAK acknowledges the PSNs before its own. A repeated NAK is not a duplicate,
 * because it may answer another attempt.
 */
static u32 nak_marks(struct flow *flow, u32 psn)
{
	if (position(flow, psn) > 0)
		advance(flow, psn, false);
	return 0;
}

static u32 ack_marks(struct flow *flow, const struct hca_headers *h)
{
	u32 psn = h->bth.psn;
	s32 ahead = position(flow, psn);
	bool is_update = ahead == -1 && h->aeth.syndrome != flow->syndrome;

	if (ahead >= 0) {
		advance(flow, psn, false);
		advance(flow, hca_psn_add(psn, 1), true);
	}
	/* An ACK of the newest PSN with another syndrome updates the credits (IBA 9.7.7.2). */
	if (ahead < 0 && !is_update)
		return MARK_DUPLICATE;
	flow->syndrome = h->aeth.syndrome;
	return 0;
}

static u32 data_marks(struct flow *flow, u32 psn)
{
	if (position(flow, psn) < 0)
		return note(flow, psn) ? MARK_DUPLICATE : 0;
	advance(flow, psn, false);
	advance(flow, hca_psn_add(psn, 1), true);
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
