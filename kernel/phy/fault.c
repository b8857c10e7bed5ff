// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Fault injection, a physical layer (struct hca_phy) on top of a cable or of another phy. */
#include "phy/fault.h"
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include "link/port/port.h"
#include "link/rx/rx.h"
#include "link/state/phy.h"
#include "link/tap/tap.h"
#include "packet/payload.h"
#include "packet/serialize.h"
#include "phy/chance.h"
#include "phy/delay.h"
#include "wire/flow.h"

struct hca_fault {
	struct hca_phy phy;
	struct hca_port *port; /* the sender */
	struct hca_fault_spec spec;
	bool needs_bth; /* true: packets without a BTH cannot have a fault */
	atomic64_t count[HCA_NUM_FAULTS];

	spinlock_t lock; /* leaf lock, BH disabled; guards the fields below, except rcu */
	u64 state; /* state of the random sequence */
	u64 matched; /* number of packets selected, whether or not they had a fault */
	u64 hits; /* number of faults drawn, except faults that could not be applied */
	u32 passed; /* number of packets selected after the last nth packet (spec.nth) */
	struct rcu_head rcu;
};

/* Count a selected packet. Return: whether the packet can have a fault. Context: lock held. */
static bool fault_is_due(struct hca_fault *fault)
{
	fault->matched++;
	if (fault->spec.count && fault->hits >= fault->spec.count)
		return false;
	if (++fault->passed < fault->spec.nth)
		return false;
	fault->passed = 0;
	return true;
}

/* Return: a fault drawn at random, or HCA_NUM_FAULTS for none. Context: lock held. */
static enum hca_fault_kind fault_draw_kind(struct hca_fault *fault)
{
	enum hca_fault_kind kind;

	for (kind = 0; kind < HCA_NUM_FAULTS; kind++)
		if (hca_chance_happens(&fault->state, fault->spec.chance[kind]))
			break;
	return kind;
}

/*
 * Return: the fault of a selected packet, or HCA_NUM_FAULTS for none. *@random is set to a random
 * number that chooses the bit to be inverted.
 */
static enum hca_fault_kind fault_draw(struct hca_fault *fault, u32 *random)
{
	enum hca_fault_kind kind = HCA_NUM_FAULTS;

	*random = 0;
	spin_lock(&fault->lock);
	if (fault_is_due(fault))
		kind = fault_draw_kind(fault);
	if (kind < HCA_NUM_FAULTS) {
		*random = hca_chance_draw(&fault->state);
		fault->hits++;
	}
	spin_unlock(&fault->lock);
	return kind;
}

/* Subtract a fault that could not be applied from hits, so that another packet can have it. */
static void fault_return_hit(struct hca_fault *fault)
{
	spin_lock(&fault->lock);
	fault->hits--;
	spin_unlock(&fault->lock);
}

static void fault_pass_on(struct hca_fault *fault, struct hca_port *peer,
			  struct hca_packet *pkt)
{
	struct hca_phy *below = fault->phy.below;

	if (below)
		below->carry(below, peer, pkt);
	else
		hca_port_enqueue(peer, pkt);
}

static void fault_drop(struct hca_fault *fault, struct hca_port *peer, struct hca_packet *pkt)
{
	if (peer && pkt->h.lrh.vl == HCA_VL_MANAGEMENT)
		atomic_dec(&peer->rx_buffer.vl15_queued);
	trace_hca_drop(peer ?: fault->port, pkt, HCA_DROP_LOST);
	hca_packet_free(pkt);
}

static bool fault_corrupt(struct hca_packet *pkt, u32 random)
{
	unsigned int bytes = hca_packet_bytes(pkt);
	u32 bit = (u64)random * (bytes * 8) >> 32;
	u8 *wire;

	if (hca_packet_gather(pkt))
		return false;
	wire = kmalloc(bytes, GFP_ATOMIC | __GFP_NOWARN);
	if (!wire)
		return false;
	hca_packet_serialize(pkt, wire);
	wire[bit / 8] ^= 1 << bit % 8;
	hca_packet_drop_payload(pkt);
	pkt->buffer = wire;
	pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	pkt->flags |= HCA_PACKET_SERIALIZED;
	return true;
}

/*
 * Deliver a copy of a packet. The copy does not consume credits (blocks is 0). The copy of an SMP
 * counts against the limit of SMPs queued at the receiver.
 */
static bool fault_duplicate(struct hca_fault *fault, struct hca_port *peer,
			    struct hca_packet *pkt)
{
	struct hca_packet *copy = hca_packet_copy(pkt);

	if (!copy)
		return false;
	copy->blocks = 0;
	if (peer && copy->h.lrh.vl == HCA_VL_MANAGEMENT && !hca_port_admits_smp(peer, copy))
		hca_packet_free(copy);
	else
		fault_pass_on(fault, peer, copy);
	return true;
}

static bool fault_has_opcode(const struct hca_fault_spec *spec, u8 opcode)
{
	return !spec->has_opcodes || spec->opcodes[opcode / 8] & 1 << opcode % 8;
}

static bool fault_selects(const struct hca_fault *fault, const struct hca_packet *pkt)
{
	bool is_smp = pkt->h.lrh.vl == HCA_VL_MANAGEMENT;
	const struct hca_fault_spec *spec = &fault->spec;
	const struct hca_bth *bth = &pkt->h.bth;

	if (!(spec->classes & (is_smp ? HCA_FAULT_CLASS_SMP : HCA_FAULT_CLASS_DATA)))
		return false;
	if (!fault->needs_bth)
		return true;
	return !hca_packet_is_raw(pkt) && fault_has_opcode(spec, bth->opcode) &&
	       (!spec->has_qpn || spec->qpn == bth->destqp) &&
	       (!spec->has_psn || spec->psn == bth->psn);
}

static void fault_carry(struct hca_phy *phy, struct hca_port *peer,
			struct hca_packet *pkt)
{
	struct hca_fault *fault = container_of(phy, struct hca_fault, phy);
	enum hca_fault_kind kind = HCA_NUM_FAULTS;
	bool happened = false;
	u32 random;

	if (fault_selects(fault, pkt))
		kind = fault_draw(fault, &random);
	switch (kind) {
	case HCA_FAULT_DROP:
		atomic64_inc(&fault->count[kind]);
		fault_drop(fault, peer, pkt);
		return;
	case HCA_FAULT_CORRUPT:
		happened = fault_corrupt(pkt, random);
		break;
	case HCA_FAULT_DUPLICATE:
		happened = fault_duplicate(fault, peer, pkt);
		break;
	case HCA_NUM_FAULTS:
		break;
	}
	/* A packet that cannot be changed for lack of memory is delivered unchanged. */
	if (happened)
		atomic64_inc(&fault->count[kind]);
	else if (kind < HCA_NUM_FAULTS)
		fault_return_hit(fault);
	fault_pass_on(fault, peer, pkt);
}

/* Apply a fault to a flow-control packet. Return: number of octets to deliver, written to @to. */
static unsigned int fault_flow_one(struct hca_fault *fault, const u8 *octets, u8 *to)
{
	enum hca_fault_kind kind = HCA_NUM_FAULTS;
	u32 random, bit;

	if (fault->spec.classes & HCA_FAULT_CLASS_FLOW && !fault->needs_bth)
		kind = fault_draw(fault, &random);
	if (kind < HCA_NUM_FAULTS)
		atomic64_inc(&fault->count[kind]);
	if (kind == HCA_FAULT_DROP)
		return 0;
	memcpy(to, octets, HCA_FLOW_BYTES);
	if (kind == HCA_FAULT_DUPLICATE) {
		memcpy(to + HCA_FLOW_BYTES, octets, HCA_FLOW_BYTES);
		return 2 * HCA_FLOW_BYTES;
	}
	if (kind == HCA_FAULT_CORRUPT) {
		bit = (u64)random * (HCA_FLOW_BYTES * 8) >> 32;
		to[bit / 8] ^= 1 << bit % 8;
	}
	return HCA_FLOW_BYTES;
}

static void fault_flow(struct hca_phy *phy, struct hca_port *peer, const u8 *octets,
		       unsigned int len)
{
	struct hca_fault *fault = container_of(phy, struct hca_fault, phy);
	u8 arrives[2 * HCA_DATA_VLS * HCA_FLOW_BYTES];
	unsigned int i, n = 0;

	for (i = 0; i < len; i += HCA_FLOW_BYTES)
		n += fault_flow_one(fault, octets + i, arrives + n);
	if (n && phy->below)
		phy->below->flow(phy->below, peer, arrives, n);
	else if (n)
		hca_flow_deliver(peer, arrives, n);
}

static struct hca_fault *fault_of(const struct hca_port *port)
{
	struct hca_phy *phy = rcu_dereference_protected(port->phy, true);

	return phy && phy->carry == fault_carry ?
		       container_of(phy, struct hca_fault, phy) : NULL;
}

struct hca_fault *hca_fault_new(const struct hca_fault_spec *spec)
{
	struct hca_fault *fault = kzalloc(sizeof(*fault), GFP_KERNEL);

	if (!fault)
		return ERR_PTR(-ENOMEM);
	fault->phy.carry = fault_carry;
	fault->phy.flow = fault_flow;
	fault->spec = *spec;
	if (!spec->classes)
		fault->spec.classes = HCA_FAULT_CLASS_DATA | HCA_FAULT_CLASS_SMP;
	fault->needs_bth = spec->has_opcodes || spec->has_qpn || spec->has_psn;
	fault->state = spec->seed;
	spin_lock_init(&fault->lock);
	return fault;
}

const struct hca_fault_spec *hca_fault_spec_of(const struct hca_fault *fault)
{
	return &fault->spec;
}

void hca_fault_free(struct hca_fault *fault)
{
	kfree(fault);
}

static void fault_put(struct hca_port *port, struct hca_fault *fault)
{
	struct hca_fault *old = fault_of(port);
	struct hca_phy *below = old ? old->phy.below :
					 rcu_dereference_protected(port->phy, true);

	if (fault) {
		fault->port = port;
		fault->phy.below = below;
		fault->phy.remote = below;
	}
	rcu_assign_pointer(port->phy, fault ? &fault->phy : below);
	if (old)
		kfree_rcu(old, rcu);
}

void hca_fault_install(struct hca_port *port, struct hca_fault *fault)
{
	struct hca_port *peer = rcu_dereference_protected(port->peer, true);

	if (!peer) {
		fault_put(port, fault);
		return;
	}
	/*
	 * Flow-control packets return the credits of lost packets. Therefore flow-control packets
	 * start before packets can be lost, and do not end while packets can be lost.
	 */
	if (fault)
		hca_flow_begin(port, peer);
	fault_put(port, fault);
	hca_slow_vl_set(peer, fault ? fault->spec.slow_vl : 0,
			fault ? fault->spec.slow_vl_rate : 0);
	hca_flow_end(port, peer);
}

void hca_fault_remove(struct hca_port *port)
{
	fault_put(port, NULL);
	hca_slow_vl_set(port, 0, 0);
}

const struct hca_fault_spec *hca_fault_get(const struct hca_port *port,
					   struct hca_fault_counts *counts)
{
	struct hca_fault *fault = fault_of(port);
	int kind;

	if (!fault)
		return NULL;
	spin_lock_bh(&fault->lock);
	counts->matched = fault->matched;
	spin_unlock_bh(&fault->lock);
	for (kind = 0; kind < HCA_NUM_FAULTS; kind++)
		counts->v[kind] = atomic64_read(&fault->count[kind]);
	return &fault->spec;
}
