/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A port: its attributes, its link, its sending and its receiving half. */
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
#include "link/link_event.h"
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

/* "No state change" in PortPhysicalState of a Set(PortInfo); see enum ib_port_phys_state. */
#define HCA_PHYS_NOP 0

/**
 * hca_mtu_bytes() - size of an MTU
 * @mtu: enum ib_mtu
 *
 * Context: any.
 * Return: octets.
 */
static inline unsigned int hca_mtu_bytes(u8 mtu)
{
	return 128u << mtu;
}

/* Events of a port that its owner is notified of. */
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
	 * True for an external port of a switch: it accepts packets for any DLID, and a data
	 * packet keeps its space in the VL's receive buffer reserved (hca_packet.reserved_at)
	 * until it leaves for the next hop or is freed. Such a packet must not outlive the port:
	 * before the ports of a switch are freed, all their cables are removed, which drops what
	 * is queued, and whatever else may have such a packet is stopped.
	 */
	bool relays;
	/* Receives and consumes a packet that the link has checked. Called by the port's run. */
	void (*receive)(struct hca_port *port, struct hca_packet *pkt);
	/* Receives a packet of VL15, and owns it then. Called by the port's run. */
	void (*receive_smp)(struct hca_port *port, struct hca_packet *pkt);
	/* Receives an SMP that the agents pass to the manager at QP0; NULL: there is none. */
	void (*manager)(struct hca_port *port, struct hca_packet *pkt);
	/* Reports an event. Bottom halves are disabled; must not sleep; port->lock is not held. */
	void (*event)(struct hca_port *port, enum hca_port_event event);
	/* Reports a notice; NULL: nobody keeps notices. Context: as of event(). */
	void (*notice)(struct hca_port *port, const struct hca_notice *notice);
	/*
	 * Reports that the link has come up, or has gone Down otherwise than by a Set; NULL:
	 * nobody is interested. Context: as of event().
	 */
	void (*link_changed)(struct hca_port *port);
};

/* Bit of tx_pending, in the place of VL15, which has no queue: the link has a rate. */
#define HCA_TX_PACED (1 << HCA_DATA_VLS)
#define HCA_PKEYS 32
#define HCA_GUIDS 8
#define HCA_DEFAULT_GID_PREFIX 0xfe80000000000000ull

/* The fields of PortInfo, in host byte order except M_Key and prefix. */
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
	u8 init_type; /* as set by the subnet manager; without effect here */
	u8 vl_stall_count, hoq_life;
	u8 partition_enforcement; /* bits as in PortInfo */
	u8 subnet_timeout;
	u8 resp_time_value;
	u8 local_phy_errors, overrun_errors;
	u16 m_key_violations, p_key_violations, q_key_violations;
	u8 client_reregister;
};

/**
 * hca_port_reported_state() - PortState as managers and consumers see it
 * @info: of the port
 *
 * ActDefer is reported as Active (IBA 7.2.7).
 * Context: any.
 * Return: enum ib_port_state.
 */
static inline u8 hca_port_reported_state(const struct hca_port_info *info)
{
	return info->state == IB_PORT_ACTIVE_DEFER ? IB_PORT_ACTIVE : info->state;
}

struct hca_port {
	struct hca_node *node; /* for the layers above; the link knows only what follows of it */
	u8 node_type; /* enum rdma_node_type */
	struct hca_packet_pool *pool; /* packets that the link makes */
	struct hca_port *home; /* port 0 of a switch; of a CA, the port itself */
	const struct hca_port_ops *ops;
	u8 num; /* from 1; 0 is port 0 of a switch */

	/*
	 * BH; guards info, the tables and link changes. Readers of single
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

	/* The cable: the port at its other end; NULL if the port is unlinked. RCU (BH). */
	struct hca_port __rcu *peer;
	struct hca_phy __rcu *phy; /* sends the packets; NULL: a plain cable. RCU (BH) */
	struct hca_shape *shape; /* of the direction to the peer (phy/shape.h); control mutex */
	struct hca_tap __rcu *taps; /* captures of the port (link/tap.h). RCU (BH) */
	u16 link_generation; /* changes whenever a cable is connected or removed */
	struct list_head unlinked; /* in a list of ports whose cables are being removed */
	struct hca_link_events link_events;
	struct hca_recovery recovery;

	/* Sending. */
	spinlock_t tx_lock; /* BH; guards what follows; taken inside a QP's send_lock */
	/* Bit n: VL n has packets queued or blocked senders, or is stalled. 0: send at once. */
	u16 tx_pending;
	const u32 *limit; /* credit limit of each VL: the peer's fccl, or flow.fccl_received */
	u32 fctbs[HCA_NUM_VLS]; /* blocks of 64 octets sent, absolute */
	struct hca_vl_queue vl_queue[HCA_DATA_VLS];
	struct hca_arbiter arbiter;
	struct hca_timing timing;
	struct hca_runnable tx_run; /* sends what is queued */
	u32 loop_sent; /* blocks of 64 octets sent in loopback, absolute */
	struct list_head blocked_loopback; /* struct hca_blocked_sender without loopback credit */
	bool has_blocked_loopback;

	/* Receiving. */
	struct hca_delay __rcu *delay; /* delay line before the queue; NULL: none. RCU (BH) */
	struct llist_head rx_queue;
	struct llist_node *rx_pending; /* dequeued from rx_queue, in order; rx_run's own */
	u32 rx_copies; /* copies made of the current packet; rx_run's own */
	struct hca_runnable rx_run;
	/* Errors that link/integrity.c compares with its thresholds; rx_run's own. */
	u8 phy_errors, overruns;
	u64 overrun_period;
	/*
	 * Credit limit, absolute, read by the sender or advertised. Written by rx_run; under
	 * reserve_lock if the port relays, since packets leave its buffer on any CPU, or if it
	 * advertises.
	 */
	u32 fccl[HCA_NUM_VLS];
	u32 abr[HCA_NUM_VLS]; /* adjusted blocks received, absolute; written by rx_run */
	u16 vl_buffer; /* of each data VL, blocks of 64 octets; read when a cable is connected */
	bool advertises; /* flow-control packets advertise fccl */
	spinlock_t reserve_lock; /* BH; leaf */
	u32 loop_limit; /* credit limit of loopback, absolute, blocks of 64 octets */
	atomic_t vl15_queued; /* packets of VL15 in the receive queue */

	struct hca_slow_vl slow_vl;
	struct hca_flow_control flow;

	/* State of agents: the ports of an adapter, and port 0 of a switch, have notices. */
	struct hca_notices *notices;
	struct hca_samples *samples; /* PortSamplesControl; NULL: none yet */
	struct hca_counter_set counters;
	u16 watched_opcode; /* opcode whose packets are counted, plus 1; 0: none */
};

/**
 * hca_port_link_up() - bring a port to Initialize, LinkUp
 * @port: the port
 *
 * Width and speed are the best that the port itself has enabled.
 * Context: process or BH; no lock held.
 */
void hca_port_link_up(struct hca_port *port);

/**
 * hca_port_link_down() - the physical link of a port has failed: Down, LinkDownDefault
 * @port: the port
 *
 * Counts LinkDowned, and raises PORT_ERROR if the port was Active or ActDefer.
 * Context: process or BH; no lock held.
 */
void hca_port_link_down(struct hca_port *port);

/**
 * hca_port_set_state() - apply PortState of a Set(PortInfo)
 * @port: the port
 * @state: IB_PORT_DOWN retrains the link; IB_PORT_ARMED is reached from Initialize or Armed;
 *         IB_PORT_ACTIVE from Armed, Active or ActDefer; IB_PORT_NOP changes nothing
 *
 * Raises PORT_ACTIVE and PORT_ERROR.
 * Context: BH disabled; no lock held.
 * Return: 0, or -EINVAL if there is no such transition (IBA PortInfo.PortState).
 */
int hca_port_set_state(struct hca_port *port, u8 state);

/**
 * hca_port_set_phys_state() - apply PortPhysicalState of a Set(PortInfo)
 * @port: the port
 * @phys: Polling retrains the link; Disabled and Sleep take it down and keep it down;
 *        HCA_PHYS_NOP changes nothing
 *
 * Context: BH disabled; no lock held.
 * Return: 0, or -EINVAL for another state.
 */
int hca_port_set_phys_state(struct hca_port *port, u8 phys);

/**
 * hca_port_send() - send a finished packet
 * @port: the port
 * @pkt: the packet, finished (hca_packet_finish()), lrh.sl, slid and dlid set;
 *       lrh.vl is set here from the SL, unless it is VL15
 * @blocked: sender that is run again when there is room; may be NULL
 *
 * A packet to one of the port's own LIDs loops back and is not counted. Data VLs need state
 * Active, VL15 at least Initialize; otherwise the packet is discarded. A data packet is queued on
 * its VL if it has no credit, if others are queued, or in ActDefer, in which packets of VL15 are
 * discarded. A queued packet may still borrow its payload.
 *
 * Context: BH disabled; a QP's send_lock or recv_lock may be held; hca_engine_run() follows.
 * Return: true if the packet has been sent, queued or discarded; false if there is no room:
 * @blocked is queued, and the caller keeps the packet. Never false for VL15.
 */
bool hca_port_send(struct hca_port *port, struct hca_packet *pkt,
		   struct hca_blocked_sender *blocked);

/**
 * hca_port_forward() - send a packet that a switch relays
 * @port: the output port
 * @pkt: the packet, finished, lrh.vl set by the caller; consumed
 *
 * Differs from hca_port_send() in that the VL is given and nothing loops back. A packet that has
 * reserved buffer space at the input port (hca_packet.reserved_at) is queued whatever the length
 * of the queue. A packet that the switch itself has made has none, and is discarded if there is no
 * room.
 *
 * Context: BH disabled; hca_engine_run() follows.
 */
void hca_port_forward(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_port_set_rate() - limit the rate of a port's link
 * @port: the sender
 * @mbps: rate in Mb/s, counted in blocks of 64 octets; 0: no limit; HCA_RATE_OF_LINK: the rate of
 *        the active width and speed
 *
 * VL15 and loopback are not limited.
 * Context: process.
 */
void hca_port_set_rate(struct hca_port *port, u32 mbps);

/**
 * hca_port_loop_multicast() - loop a copy of a multicast packet back to the sender's own port
 * @port: the port
 * @pkt: the copy, finished as for hca_port_send(); consumed
 *
 * The copy is not counted. It is dropped unless the port is Active and there is room.
 * Context: BH disabled; a QP's send_lock may be held.
 */
void hca_port_loop_multicast(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_port_cancel_wait() - remove a blocked sender
 * @port: the port
 * @blocked: the sender, blocked or not
 *
 * Packets that it has queued stay queued, but their payload is gathered, since the requests that
 * it is borrowed from may end now.
 *
 * Context: BH disabled.
 */
void hca_port_cancel_wait(struct hca_port *port, struct hca_blocked_sender *blocked);

/**
 * hca_port_enqueue() - put a packet on the receive queue of a port, or into its delay line
 * @port: the receiving port, whose run is scheduled
 * @pkt: the packet or batch; consumed
 *
 * Context: BH disabled; a sender's tx_lock may be held; hca_engine_run() follows.
 */
void hca_port_enqueue(struct hca_port *port, struct hca_packet *pkt);

/* Number of data VLs that a code of VLCap or OperationalVLs means (req C4-139). Context: any. */
static inline unsigned int hca_vl_count(u8 code)
{
	static const u8 counts[16] = { [1] = 1, 2, 4, 8, HCA_DATA_VLS };

	return counts[code & 15];
}

/**
 * hca_port_owns_lid() - whether a LID is one of a port's own
 * @port: the port
 * @lid: the LID; its low LMC bits are ignored
 *
 * Context: any.
 */
bool hca_port_owns_lid(const struct hca_port *port, u16 lid);

/**
 * hca_port_has_gid() - whether a GID is one of a port's own
 * @port: the port
 * @gid: must have the port's prefix or the default prefix, and one of the port's GUIDs
 *
 * Context: any.
 */
bool hca_port_has_gid(const struct hca_port *port, const union hca_gid *gid);

/**
 * hca_port_find_pkey() - find a matching P_Key in the table of a port
 * @port: the port
 * @pkey: of a packet; see hca_pkey_match()
 *
 * Context: any.
 * Return: index, or -ENOENT.
 */
int hca_port_find_pkey(const struct hca_port *port, u16 pkey);

#define HCA_PKEY_FULL 0x8000 /* the membership bit */

/**
 * hca_pkey_match() - whether two P_Keys match
 * @a: one P_Key
 * @b: the other
 *
 * They match if their low 15 bits are equal and not 0, and one is of a full member (IBA 10.9.3).
 * Context: any.
 */
static inline bool hca_pkey_match(u16 a, u16 b)
{
	return (a & 0x7fff) && !((a ^ b) & 0x7fff) && ((a | b) & HCA_PKEY_FULL);
}

/**
 * hca_count() - add to a counter of a port
 * @port: the port
 * @c: the counter, not a sum
 * @n: what is added
 *
 * Context: preemption disabled for a counter that is kept per CPU, otherwise any.
 */
static inline void hca_count(struct hca_port *port, enum hca_counter c, u64 n)
{
	hca_counters_add(&port->counters, c, n);
}

/**
 * hca_counter_read() - read a counter of a port
 * @port: the port
 * @c: the counter, or a sum of counters
 *
 * Context: any.
 * Return: what has been counted since hca_port_init(), whether or not it was reset.
 */
static inline u64 hca_counter_read(const struct hca_port *port, enum hca_counter c)
{
	return hca_counters_read(&port->counters, c);
}

/**
 * hca_port_home() - the port with the LID by which a port is managed
 * @port: the port
 *
 * Context: any.
 * Return: port 0 of a switch; of a CA, @port.
 */
static inline struct hca_port *hca_port_home(struct hca_port *port)
{
	return port->home;
}

/* Count a received packet for PortOpRcvCounters, if its opcode is watched. Context: BH disabled. */
void hca_port_count_opcode(struct hca_port *port, const struct hca_packet *pkt);

/* Count a received packet or batch. Context: BH disabled. */
static __always_inline void hca_port_count_rcv(struct hca_port *port,
					       const struct hca_packet *pkt)
{
	bool multicast = pkt->h.lrh.dlid >= HCA_LID_MULTICAST &&
			 pkt->h.lrh.dlid != HCA_LID_PERMISSIVE;

	hca_count(port, HCA_CTR_RCV_DATA_SL + pkt->h.lrh.sl, pkt->h.lrh.pktlen * pkt->packets);
	hca_count(port, multicast ? HCA_CTR_MULTICAST_RCV_PACKETS : HCA_CTR_UNICAST_RCV_PACKETS,
		  pkt->packets);
	if (unlikely(READ_ONCE(port->watched_opcode)))
		hca_port_count_opcode(port, pkt);
}

/* Put a packet on the receive queue, behind any delay line. Context: BH disabled. */
static inline void hca_port_arrive(struct hca_port *port, struct hca_packet *pkt)
{
	llist_add(&pkt->node, &port->rx_queue);
	hca_run_schedule(&port->rx_run);
}

/* Whether a port is neither disabled nor asleep, and has a signal. Context: any. */
bool hca_port_phys_enabled(const struct hca_port *port);

/**
 * hca_port_event() - report an event to the owner of a port
 * @port: the port
 * @event: the event
 *
 * Context: BH disabled; port->lock not held.
 */
void hca_port_event(struct hca_port *port, enum hca_port_event event);

#endif
