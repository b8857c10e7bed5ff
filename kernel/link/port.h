/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A port: what management sees of it, its link and its receive queue.
 */
#ifndef HCA_LINK_PORT_H
#define HCA_LINK_PORT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <rdma/ib_verbs.h>
#include "engine/run.h"
#include "link/arbiter.h"
#include "link/counter.h"
#include "link/slow_vl.h"
#include "link/flow_control.h"
#include "link/packet.h"
#include "link/recovery.h"
#include "link/timing.h"
#include "link/vl_queue.h"

struct hca_delay;
struct hca_phy;
struct hca_node;
struct hca_notice;
struct hca_notices;
struct hca_port;
struct hca_samples;
struct hca_shape;
struct hca_tap;

/* No change, in a Set(PortInfo); beside enum ib_port_phys_state. */
#define HCA_PHYS_NOP 0

static inline unsigned int hca_mtu_bytes(u8 mtu)
{
	return 128u << mtu;
}

/* What the owner of a port is told. */
enum hca_port_event {
	HCA_EVENT_PORT_ACTIVE,
	HCA_EVENT_PORT_ERROR,
	HCA_EVENT_LID_CHANGE,
	HCA_EVENT_SM_CHANGE,
	HCA_EVENT_PKEY_CHANGE,
	HCA_EVENT_GID_CHANGE,
	HCA_EVENT_CLIENT_REREGISTER,
};

struct hca_port_ops {
	/*
	 * An external port of a switch: it takes packets for any DLID, and a data packet keeps its
	 * room in the VL's buffer (hca_packet.held) until it leaves for the next hop or is freed.
	 * Such a packet must not outlive the port: unplug every port of the switch (which drops
	 * what they have queued), stop whatever else may have one, then free the ports.
	 */
	bool relays;
	/* A packet for the owner, checked by the link; takes it over. From the port's run. */
	void (*receive)(struct hca_port *port, struct hca_packet *pkt);
	/* The same for VL15. */
	void (*receive_smp)(struct hca_port *port, struct hca_packet *pkt);
	/* An SMP that the node's agents leave to the manager behind QP0; NULL: there is none. */
	void (*manager)(struct hca_port *port, struct hca_packet *pkt);
	/* Something changed. Bottom halves disabled, may not sleep, port->lock not held. */
	void (*event)(struct hca_port *port, enum hca_port_event event);
	/* What a manager may want to know of it; NULL: nobody keeps it. Likewise. */
	void (*notice)(struct hca_port *port, const struct hca_notice *notice);
	/* From Down, or to Down otherwise than by a Set; NULL: nobody asks. Likewise. */
	void (*link_changed)(struct hca_port *port);
};

/* In tx_pending, in VL15's place, which has no queue: the link has a rate. */
#define HCA_TX_PACED (1 << HCA_DATA_VLS)
#define HCA_PKEYS 32
#define HCA_GUIDS 8
#define HCA_DEFAULT_GID_PREFIX 0xfe80000000000000ull

/* What PortInfo holds; host byte order but for keys, prefix and GUIDs. */
struct hca_port_info {
	__be64 m_key;
	__be64 subnet_prefix;
	u16 lid;
	u16 sm_lid;
	u32 capability_mask;
	u16 diag_code;
	u16 m_key_lease_period; /* seconds */
	u8 lmc;
	u8 m_key_protect;
	u8 sm_sl;
	u8 state; /* enum ib_port_state */
	u8 phys_state; /* enum ib_port_phys_state */
	u8 link_down_default;
	u8 link_width_enabled, link_width_supported, link_width_active;
	u8 link_speed_enabled, link_speed_supported, link_speed_active;
	u8 link_speed_ext_enabled, link_speed_ext_supported, link_speed_ext_active;
	u8 neighbor_mtu; /* enum ib_mtu */
	u8 mtu_cap;
	u8 vl_cap; /* PortInfo's code: 1 VL0, 2 VL0-1, 3 VL0-3, 4 VL0-7, 5 VL0-14 */
	u8 operational_vls;
	u8 vl_high_limit;
	u8 init_type; /* what its manager did; kept for who reads it */
	u8 vl_stall_count, hoq_life;
	u8 partition_enforcement; /* bits of PortInfo's octet */
	u8 subnet_timeout;
	u8 resp_time_value;
	u8 local_phy_errors, overrun_errors;
	u16 m_key_violations, p_key_violations, q_key_violations;
	u8 client_reregister;
};

/* PortState, as managers and consumers have it: ActDefer is Active (IBA 7.2.7). */
static inline u8 hca_port_reported_state(const struct hca_port_info *info)
{
	return info->state == IB_PORT_ACTIVE_DEFER ? IB_PORT_ACTIVE : info->state;
}

struct hca_port {
	struct hca_node *node;
	const struct hca_port_ops *ops;
	u8 num; /* 1 to n; 0 is a switch's own */

	/*
	 * BH; guards info, tables and link changes. Readers of single
	 * fields on the packet path take no lock (READ_ONCE).
	 */
	spinlock_t lock;
	struct hca_port_info info;
	u64 m_key_lease_end; /* ktime_get_ns(); 0: no lease runs */
	u16 pkey[HCA_PKEYS];
	__be64 guid[HCA_GUIDS]; /* [0] is the port GUID */
	u8 sl2vl[16];
	u8 vlarb_low[HCA_VLARB_ENTRIES][2]; /* VL, weight */
	u8 vlarb_high[HCA_VLARB_ENTRIES][2];

	/* The cable: the port at its other end, NULL when unplugged. RCU (BH). */
	struct hca_port __rcu *peer;
	struct hca_phy __rcu *phy; /* what packets leave by; NULL: a plain cable. RCU (BH) */
	struct hca_shape *shape; /* of the way to the peer; phy/shape.h. The control mutex */
	struct hca_tap __rcu *taps; /* who captures; link/tap.h. RCU (BH) */
	u16 link_generation; /* changes whenever a cable is plugged or unplugged */
	struct list_head unlinked; /* while it is being unplugged: with the others that are */
	struct hca_recovery recovery;

	/* Sending. */
	spinlock_t tx_lock; /* BH; guards all of these; inside a QP's send lock */
	/* Bit n: VL n has packets queued, or senders that wait, or is stalled. 0: send at once. */
	u16 tx_pending;
	const u32 *limit; /* of each VL: the peer's fccl, or flow.told */
	u32 fctbs[HCA_NUM_VLS]; /* blocks of 64 octets sent, absolute */
	struct hca_vl_queue vl_queue[HCA_DATA_VLS];
	struct hca_arbiter arbiter;
	struct hca_timing timing;
	struct hca_runnable tx_run; /* sends what is queued */
	u32 loop_sent; /* as fctbs, for the way to one's own LID */
	struct list_head blocked_loopback; /* struct hca_blocked_sender that found no credit */
	bool has_blocked_loopback;

	/* Receiving: the one hand-over between two nodes. */
	struct hca_delay __rcu *delay; /* before it; NULL: none. RCU (BH) */
	struct llist_head rx_queue;
	struct llist_node *rx_pending; /* taken from rx_queue, in order; the runner's own */
	u32 rx_copies; /* made of the packet at hand, beside the first; the runner's own */
	struct hca_runnable rx_run;
	/* What link/integrity.c counts towards its thresholds; the runner's own. */
	u8 phy_errors, overruns;
	u64 overrun_period;
	/*
	 * Credit limit, absolute; read by the sender, or told. Written by the runner or, as what a
	 * relaying port's buffer holds leaves it on any CPU, under reserve_lock; if it is told, always so.
	 */
	u32 fccl[HCA_NUM_VLS];
	u32 abr[HCA_NUM_VLS]; /* adjusted blocks received, absolute; the runner's */
	u16 vl_buffer; /* of each data VL, in blocks of 64 octets; seen when a link is made */
	bool advertises; /* its limits are told */
	spinlock_t reserve_lock; /* BH; leaf */
	u32 loop_limit;
	atomic_t vl15_queued;

	struct hca_slow_vl slow_vl;
	struct hca_flow_control flow;

	/* What is kept for managers: an adapter's ports and a switch's port 0 have some. */
	struct hca_notices *notices;
	struct hca_samples *samples; /* its performance manager's; NULL: none yet */
	struct hca_counter_set counters;
	u16 watched_opcode; /* of which packets are counted, plus 1; 0: of none */
};

/**
 * hca_port_init() - a port without a cable: Down, Polling, default P_Key
 * @port: memory, zeroed
 * @node: whose it is
 * @num: its number
 * @ops: its owner's
 * @guid: port GUID
 *
 * Context: process. Return: 0 or -ENOMEM.
 */
int hca_port_init(struct hca_port *port, struct hca_node *node, u8 num,
		  const struct hca_port_ops *ops, __be64 guid);

/**
 * hca_port_destroy() - stop sending and receiving, drop what is queued, free
 * @port: the port, unplugged
 *
 * Context: process, may sleep.
 */
void hca_port_destroy(struct hca_port *port);

/**
 * hca_port_link_up() - physical link has come up: Init, LinkUp
 * hca_port_link_down() - physical link has gone: Down, LinkDownDefault
 * @port: the port
 *
 * link_up takes the best that the port itself has enabled. link_down counts LinkDowned and
 * raises PORT_ERROR if the port was Active.
 * Context: process or BH; no lock held.
 */
void hca_port_link_up(struct hca_port *port);
void hca_port_link_down(struct hca_port *port);

/**
 * hca_port_set_state() - what Set(PortInfo) asks of the logical state
 * @port: the port
 * @state: DOWN retrains (Down and, with a cable, Init again), ARMED is reached from
 *         Init (or Armed), ACTIVE from Armed (or Active, ActDefer); NOP changes nothing
 *
 * Raises PORT_ACTIVE and PORT_ERROR. Context: BH; no lock held.
 * Return: 0, or -EINVAL for a transition that there is not (IBA PortInfo.PortState).
 */
int hca_port_set_state(struct hca_port *port, u8 state);

/**
 * hca_port_set_phys_state() - what Set(PortInfo) asks of the physical state
 * @port: the port
 * @phys: POLLING retrains, DISABLED and SLEEP take the link down and keep it so; NOP: no change
 *
 * Context: BH; no lock held. Return: 0 or -EINVAL.
 */
int hca_port_set_phys_state(struct hca_port *port, u8 phys);

/**
 * hca_port_send() - send a finished packet
 * @port: the port
 * @pkt: the packet, finished (hca_packet_finish()), lrh.sl, slid and dlid set;
 *       lrh.vl is set here from the SL, unless it is VL15
 * @blocked: who is run again when there is room; may be NULL
 *
 * A packet to one of the port's own LIDs loops, uncounted. Data VLs need state Active,
 * VL15 at least Init; else the packet is dropped, as on a cut cable. A packet without credit is
 * queued on its VL, as are all while others are queued, or in ActDefer, in which packets of VL15
 * are dropped; what a queued packet borrows it still borrows.
 *
 * Context: BH disabled; a QP's send or receive lock may be held; the engine is drained later.
 * Return: true: the packet is taken (sent, queued or dropped). false: no room, @blocked
 * is noted, the caller keeps the packet; never for VL15.
 */
bool hca_port_send(struct hca_port *port, struct hca_packet *pkt,
		   struct hca_blocked_sender *blocked);

/**
 * hca_port_forward() - send a packet on its way through a switch
 * @port: the output port
 * @pkt: taken over; finished, lrh.vl set by the caller
 *
 * As hca_port_send(), but for the VL, and nothing loops. A packet that is held
 * (hca_packet.held) is queued whatever the queue's length, for it has its room at the input
 * port; one that is not, for the switch itself has made it, is dropped where there is no room.
 *
 * Context: BH disabled; the engine is drained later.
 */
void hca_port_forward(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_port_set_rate() - how fast a port's link is
 * @port: the sender
 * @mbps: data that it carries, in Mb/s, credits' blocks of 64 octets being what is counted; 0: as
 *        fast as it goes; HCA_RATE_OF_LINK: what width and speed at work make
 *
 * VL15 and the way to one's own LID are as fast as ever.
 * Context: process.
 */
void hca_port_set_rate(struct hca_port *port, u32 mbps);

/**
 * hca_port_loop_multicast() - a multicast packet's copy for its sender's own port
 * @port: the port
 * @pkt: taken over; as for hca_port_send(), which has had the packet itself
 *
 * Loops, uncounted, in state Active; without room it is dropped. Context: BH disabled; a QP's
 * send lock may be held.
 */
void hca_port_loop_multicast(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_port_cancel_wait() - forget a sender
 * @port: the port
 * @blocked: may or may not be waiting
 *
 * What it has queued stays queued, but no longer borrows the memory of requests that end now.
 *
 * Context: BH disabled.
 */
void hca_port_cancel_wait(struct hca_port *port, struct hca_blocked_sender *blocked);

/**
 * hca_port_enqueue() - a packet has arrived at a port (called by the cable)
 * @port: the receiving port
 * @pkt: taken over
 *
 * Context: BH disabled. No lock is taken or held: the receiver runs later, on this CPU.
 */
void hca_port_enqueue(struct hca_port *port, struct hca_packet *pkt);

/* How many data VLs a code of PortInfo means, those of VLCap and OperationalVLs (C4-139). */
static inline unsigned int hca_vl_count(u8 code)
{
	static const u8 counts[16] = { [1] = 1, 2, 4, 8, HCA_DATA_VLS };

	return counts[code & 15];
}

/* True if @lid is one of the port's own (LMC considered). */
bool hca_port_owns_lid(const struct hca_port *port, u16 lid);

/* True if @gid is one of the port's own: its prefix or the default one, and one of its GUIDs. */
bool hca_port_has_gid(const struct hca_port *port, const union hca_gid *gid);

/**
 * hca_port_find_pkey() - look for a matching P_Key in the port's table
 * @port: the port
 * @pkey: from a packet
 *
 * Match: same 15 low bits, and not both limited members (IBA 10.9.3).
 * Return: index, or -ENOENT.
 */
int hca_port_find_pkey(const struct hca_port *port, u16 pkey);

#define HCA_PKEY_FULL 0x8000 /* the membership bit */

/* Two P_Keys match: same 15 low bits, not 0, at least one full member. */
static inline bool hca_pkey_match(u16 a, u16 b)
{
	return (a & 0x7fff) && !((a ^ b) & 0x7fff) && ((a | b) & HCA_PKEY_FULL);
}

/* See hca_counters_add(). */
static inline void hca_count(struct hca_port *port, enum hca_counter c, u64 n)
{
	hca_counters_add(&port->counters, c, n);
}

/* Since the port was made. Context: any. */
static inline u64 hca_counter_read(const struct hca_port *port, enum hca_counter c)
{
	return hca_counters_read(&port->counters, c);
}

void hca_port_event(struct hca_port *port, enum hca_port_event event);

#endif
