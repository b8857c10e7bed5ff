// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The checks that a port, a switch and a transport apply to a packet, in the order of the
 * specification: which check a packet fails first, who is notified, and that nothing but the right
 * counter counts (C4-155 to C4-158).
 */
#include <check.h>
#include <errno.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/slab.h>
#include "compat.h"
#include "link/rx/rx.h"
#include "link/tap/tap.h"
#include "packet/serialize.h"
#include "tests/unit/fixture/switched.h"
#include "tests/unit/suites.h"
#include "wire/crc.h"
#include "wire/opcode.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define NUM_REASONS (HCA_DROP_NO_MANAGER + 1)
#define NOTHING NUM_REASONS
#define QUIET HCA_NUM_COUNTERS
#define PAYLOAD 40 /* octets, of all packets but those of UD_LONG */

/* The valid packet that is then damaged: from LID 1 to LID 2. */
enum base { UD, UD_LONG, GLOBAL, GROUP, RAW, RC };

/* Defects other than changed octets. */
enum {
	BAD_VCRC = 1 << 0,
	BAD_ICRC = 1 << 1,
	MARKED = 1 << 2, /* VCRC inverted */
	SHORT = 1 << 3, /* four octets shorter than PktLen, with correct CRCs */
	/* the receiver is in Init */
	INIT = 1 << 4,
	SMALL = 1 << 5, /* MTUCap 256 */
	FULL = 1 << 6, /* no buffer space, and the sender ignores FCCL */
	POSTED = 1 << 7, /* a receive request is posted */
	TOO_SHORT = 1 << 8, /* a receive request is posted that is an octet too short */
};

struct row {
	const char *name;
	enum base base;
	unsigned int how;
	struct {
		/* bits of an octet counted from LRH, inverted before the CRCs are computed */
		u8 at, flip;
	} harm[2];
	unsigned int reason;
	unsigned int counter; /* in addition to those of packets received */
};

/* Offsets: local BTH 8, DETH 20; GRH 8, its BTH 48. VLs 0 to 7 are operational. */
static const struct row rows[] = {
	{ "nothing", UD, POSTED, {}, NOTHING, QUIET },
	{ "nothing, with GRH", GLOBAL, POSTED, {}, NOTHING, QUIET },
	{ "nothing, of a connection", RC, POSTED, {}, NOTHING, QUIET },

	{ "VCRC", UD, POSTED | BAD_VCRC, {}, HCA_DROP_DAMAGED, HCA_CTR_LOCAL_PHYSICAL_ERRORS },
	{ "VCRC, raw", RAW, BAD_VCRC, {}, HCA_DROP_DAMAGED, HCA_CTR_LOCAL_PHYSICAL_ERRORS },
	{ "ICRC", UD, POSTED | BAD_ICRC, {}, HCA_DROP_DAMAGED, HCA_CTR_LOCAL_PHYSICAL_ERRORS },
	{ "ICRC, with GRH", GLOBAL, BAD_ICRC, {}, HCA_DROP_DAMAGED, HCA_CTR_LOCAL_PHYSICAL_ERRORS },
	{ "VCRC inverted", UD, POSTED | MARKED, {}, HCA_DROP_MARKED_BAD,
	  HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS },
	{ "LVer", UD, POSTED, { { 0, 0x01 } }, HCA_DROP_LVER, HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "PktLen more", UD, POSTED, { { 5, 0x40 } }, HCA_DROP_LENGTH,
	  HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "PktLen less", UD, POSTED, { { 5, 0x08 } }, HCA_DROP_LENGTH,
	  HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "shorter than it says", UD, POSTED | SHORT, {}, HCA_DROP_LENGTH,
	  HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "longer than MTUCap", UD_LONG, SMALL, {}, HCA_DROP_LENGTH,
	  HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "VL15 longer than an SMP", UD_LONG, 0, { { 0, 0xf0 } }, HCA_DROP_LENGTH,
	  HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "DLID of others", UD, POSTED, { { 3, 0x40 } }, HCA_DROP_NOT_OURS, QUIET },
	{ "DLID 0", UD, POSTED, { { 3, 0x02 } }, HCA_DROP_NOT_OURS, QUIET },
	{ "permissive DLID", UD, POSTED, { { 2, 0xff }, { 3, 0xfd } }, HCA_DROP_NOT_OURS, QUIET },
	{ "VL 8", UD, POSTED, { { 0, 0x80 } }, HCA_DROP_VL, HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "VL 14", UD, POSTED, { { 0, 0xe0 } }, HCA_DROP_VL, HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "VL15 with GRH", GLOBAL, 0, { { 0, 0xf0 } }, HCA_DROP_VL15,
	  HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "VL15 raw", RAW, 0, { { 0, 0xf0 } }, HCA_DROP_VL15, HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "no room", UD, POSTED | FULL, {}, HCA_DROP_OVERRUN, HCA_CTR_BUFFER_OVERRUN_ERRORS },
	{ "the link is in Initialize", UD, POSTED | INIT, {}, HCA_DROP_PORT_STATE, QUIET },

	{ "IPVer", GLOBAL, POSTED, { { 8, 0x20 } }, HCA_DROP_GRH, QUIET },
	{ "NxtHdr", GLOBAL, POSTED, { { 14, 0x01 } }, HCA_DROP_GRH, QUIET },
	{ "PayLen", GLOBAL, POSTED, { { 13, 0x04 } }, HCA_DROP_GRH, QUIET },
	{ "DGID's prefix", GLOBAL, POSTED, { { 33, 0x01 } }, HCA_DROP_GRH, QUIET },
	{ "DGID's GUID", GLOBAL, POSTED, { { 47, 0x01 } }, HCA_DROP_GRH, QUIET },
	/* C4-085, B4-107: a multicast DGID goes with a multicast DLID, and with no other. */
	{ "DGID of a group, DLID of the port", GLOBAL, POSTED, { { 32, 0x01 } }, HCA_DROP_GRH,
	  QUIET },
	{ "DGID of the port, DLID of a group", GROUP, 0, { { 32, 0x01 } }, HCA_DROP_GRH, QUIET },
	/* The port's unused GUIDs are 0. */
	{ "DGID without GUID", GLOBAL, POSTED, { { 47, 0x02 } }, HCA_DROP_GRH, QUIET },
	{ "TVer", UD, POSTED, { { 9, 0x01 } }, HCA_DROP_OPCODE, QUIET },
	{ "opcode", UD, POSTED, { { 8, 0x80 } }, HCA_DROP_OPCODE, QUIET },
	{ "destination QP", UD, POSTED, { { 13, 0x40 } }, HCA_DROP_NO_QP, QUIET },
	{ "nobody in the group", GROUP, 0, {}, HCA_DROP_NO_QP, QUIET },
	{ "a group without GRH", UD, POSTED, { { 2, 0xc0 } }, HCA_DROP_NO_QP, QUIET },
	{ "nobody for raw packets", RAW, 0, {}, HCA_DROP_NO_QP, QUIET },
	/* B4-064 */
	{ "RC to a UD queue pair", UD, POSTED, { { 8, 0x60 } }, HCA_DROP_QP_STATE, QUIET },
	{ "UC to an RC queue pair", RC, POSTED, { { 8, 0x20 } }, HCA_DROP_QP_STATE, QUIET },
	{ "SLID of others", RC, POSTED, { { 7, 0x04 } }, HCA_DROP_NOT_PEERS, QUIET },
	{ "SLID 0", RC, POSTED, { { 7, 0x01 } }, HCA_DROP_NOT_PEERS, QUIET },
	{ "SLID of a group", RC, POSTED, { { 6, 0xc0 } }, HCA_DROP_NOT_PEERS, QUIET },
	{ "P_Key", UD, POSTED, { { 10, 0x7f } }, HCA_DROP_P_KEY, QUIET },
	{ "P_Key of a connection", RC, POSTED, { { 10, 0x7f } }, HCA_DROP_P_KEY, QUIET },
	{ "P_Key 0", UD, POSTED, { { 10, 0x7f }, { 11, 0xff } }, HCA_DROP_P_KEY, QUIET },
	{ "Q_Key", UD, POSTED, { { 23, 0x01 } }, HCA_DROP_Q_KEY, QUIET },
	{ "no receive request", UD, 0, {}, HCA_DROP_NO_RECEIVE, HCA_CTR_OUT_OF_BUFFER },
	{ "receive request too short", UD, TOO_SHORT, {}, HCA_DROP_RECV_TOO_SHORT,
	  HCA_CTR_RECV_TOO_SHORT },
	{ "receive request too short, with GRH", GLOBAL, TOO_SHORT, {}, HCA_DROP_RECV_TOO_SHORT,
	  HCA_CTR_RECV_TOO_SHORT },

	/* A packet with two defects is dropped for the one that is checked first. */
	{ "state, no room", UD, POSTED | INIT | FULL, {}, HCA_DROP_PORT_STATE, QUIET },
	{ "VCRC, LVer", UD, POSTED | BAD_VCRC, { { 0, 0x01 } }, HCA_DROP_DAMAGED,
	  HCA_CTR_LOCAL_PHYSICAL_ERRORS },
	{ "VCRC, no room", UD, POSTED | BAD_VCRC | FULL, {}, HCA_DROP_DAMAGED,
	  HCA_CTR_LOCAL_PHYSICAL_ERRORS },
	{ "ICRC, length", UD, POSTED | BAD_ICRC, { { 5, 0x40 } }, HCA_DROP_DAMAGED,
	  HCA_CTR_LOCAL_PHYSICAL_ERRORS },
	{ "VCRC inverted, ICRC", UD, MARKED | BAD_ICRC, {}, HCA_DROP_MARKED_BAD,
	  HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS },
	{ "LVer, length", UD, POSTED, { { 0, 0x01 }, { 5, 0x40 } }, HCA_DROP_LVER,
	  HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "length, opcode", UD, POSTED, { { 5, 0x40 }, { 8, 0x80 } }, HCA_DROP_LENGTH,
	  HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "length, DLID", UD_LONG, SMALL, { { 3, 0x40 } }, HCA_DROP_LENGTH,
	  HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "DLID, VL", UD, POSTED, { { 3, 0x40 }, { 0, 0x80 } }, HCA_DROP_NOT_OURS, QUIET },
	{ "DLID, VL15 with GRH", GLOBAL, 0, { { 3, 0x40 }, { 0, 0xf0 } }, HCA_DROP_NOT_OURS,
	  QUIET },
	{ "VL, no room", UD, POSTED | FULL, { { 0, 0x80 } }, HCA_DROP_VL,
	  HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ "no room, QP", UD, POSTED | FULL, { { 13, 0x40 } }, HCA_DROP_OVERRUN,
	  HCA_CTR_BUFFER_OVERRUN_ERRORS },
	{ "GRH, TVer", GLOBAL, POSTED, { { 8, 0x20 }, { 49, 0x01 } }, HCA_DROP_GRH, QUIET },
	{ "TVer, QP", UD, POSTED, { { 9, 0x01 }, { 13, 0x40 } }, HCA_DROP_OPCODE, QUIET },
	{ "QP, P_Key", UD, POSTED, { { 13, 0x40 }, { 10, 0x7f } }, HCA_DROP_NO_QP, QUIET },
	{ "service, P_Key", UD, POSTED, { { 8, 0x60 }, { 10, 0x7f } }, HCA_DROP_QP_STATE, QUIET },
	{ "SLID, P_Key", RC, POSTED, { { 7, 0x04 }, { 10, 0x7f } }, HCA_DROP_NOT_PEERS, QUIET },
	{ "P_Key, Q_Key", UD, POSTED, { { 10, 0x7f }, { 23, 0x01 } }, HCA_DROP_P_KEY, QUIET },
	{ "Q_Key, no receive request", UD, 0, { { 23, 0x01 } }, HCA_DROP_Q_KEY, QUIET },
};

/* --- composing packets */

static struct {
	unsigned int num, reason;
} drops;

static void watch(const struct hca_port *port, const struct hca_packet *pkt,
		  enum hca_drop_reason reason)
{
	(void)port;
	(void)pkt;
	drops.num++;
	drops.reason = reason;
}

static struct hca_headers headers_of(enum base base, u32 qpn)
{
	struct hca_headers h = {
		.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IBA_LOCAL },
		.grh = { .ipver = HCA_GRH_IPVER, .nxthdr = HCA_GRH_NXTHDR_IBA, .hoplmt = 64,
			 .dgid.raw = { 0xfe, 0x80, [15] = 2 } },
		.bth = { .opcode = HCA_OPCODE(UD, SEND_ONLY), .pkey = 0xffff, .destqp = qpn },
		.deth = { .qkey = PAIR_QKEY, .srcqp = 5 },
	};

	switch (base) {
	case GROUP:
		h.lrh.dlid = 0xc001;
		h.bth.destqp = HCA_QPN_MULTICAST;
		h.grh.dgid.raw[0] = 0xff;
		/* fall through */
	case GLOBAL:
		h.lrh.lnh = IB_LNH_IBA_GLOBAL;
		break;
	case RAW:
		h.lrh.lnh = IB_LNH_IP;
		break;
	case RC:
		h.bth.opcode = HCA_OPCODE(RC, SEND_ONLY);
		h.bth.psn = pair_rc.psn[0];
		break;
	case UD:
	case UD_LONG:
		break;
	}
	return h;
}

static void put_vcrc(u8 *wire, u32 len, unsigned int how)
{
	u16 vcrc = hca_vcrc(wire, len);

	put_unaligned_le16(how & MARKED ? ~vcrc : how & BAD_VCRC ? vcrc ^ 0x100 : vcrc, wire + len);
}

/* Damage the packet in wire format. Return: its length in octets. */
static u32 harm(const struct row *row, u8 *wire, u32 len, bool raw)
{
	unsigned int i;

	len -= HCA_VCRC_BYTES;
	for (i = 0; i < 2; i++)
		wire[row->harm[i].at] ^= row->harm[i].flip;
	if (row->how & SHORT)
		len -= 4;
	if (!raw)
		put_unaligned_le32(hca_icrc(wire, len - HCA_ICRC_BYTES) ^
				   (row->how & BAD_ICRC ? 0x10 : 0), wire + len - HCA_ICRC_BYTES);
	put_vcrc(wire, len, row->how);
	return len + HCA_VCRC_BYTES;
}

/* Receive the packet as it would come from a wire. */
static void inject(struct hca_port *port, const struct row *row, u32 qpn)
{
	struct hca_packet *pkt;
	struct hca_headers expected;
	u8 *wire;
	u32 len;

	local_bh_disable();
	pkt = hca_packet_alloc(port->node->pool);
	pkt->h = headers_of(row->base, qpn);
	pkt->payload_length = row->base == UD_LONG ? 512 : PAYLOAD;
	if (row->base == UD_LONG) {
		pkt->buffer = kzalloc(pkt->payload_length, GFP_ATOMIC);
		pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	} else {
		memset(pkt->data, 0, pkt->payload_length);
	}
	hca_packet_finish(pkt);
	len = hca_packet_bytes(pkt);
	wire = kmalloc(len, GFP_ATOMIC);
	hca_packet_serialize(pkt, wire);
	len = harm(row, wire, len, hca_packet_is_raw(pkt));
	hca_packet_drop_payload(pkt);
	expected = pkt->h;
	memset(&pkt->h, 0, sizeof(pkt->h));
	if (hca_packet_deserialize(pkt, wire, len)) {
		/*
		 * The packet occupies the buffer space that the sender's headers say; the rest is
		 * checked by the receiver.
		 */
		pkt->h = expected;
		hca_lrh_parse(&expected.lrh, wire);
		pkt->h.lrh.vl = expected.lrh.vl;
		pkt->h.lrh.pktlen = len / 4;
	}
	hca_packet_drop_payload(pkt);
	pkt->buffer = wire;
	pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	pkt->flags |= HCA_PACKET_SERIALIZED;
	pkt->link_generation = port->link_generation;
	ck_assert(pkt->h.lrh.vl != HCA_VL_MANAGEMENT || hca_port_admits_smp(port, pkt));
	hca_port_enqueue(port, pkt);
	hca_engine_run();
	local_bh_enable();
}

/* --- checking results */

static void read_counters(struct hca_port *port, u64 *counters)
{
	int i;

	for (i = 0; i < HCA_NUM_COUNTERS; i++)
		counters[i] = hca_counter_read(port, i);
}

/*
 * Counters of packets received and sent are checked where they matter; all others must be as
 * expected.
 */
static bool is_of_traffic(int counter)
{
	return counter <= HCA_CTR_XMIT_WAIT || counter >= HCA_NUM_KEPT_COUNTERS;
}

static void check_counters(struct hca_port *port, const u64 *before, const struct row *row,
			   bool received)
{
	u64 after[HCA_NUM_COUNTERS];
	int i;

	read_counters(port, after);
	for (i = 0; i < HCA_NUM_COUNTERS; i++)
		if (!is_of_traffic(i))
			ck_assert_msg(after[i] - before[i] == (i == (int)row->counter),
				      "%s: counter %d by %d", row->name, i,
				      (int)(after[i] - before[i]));
	ck_assert_msg(after[HCA_CTR_RCV_PACKETS] - before[HCA_CTR_RCV_PACKETS] == received,
		      "%s: packets received", row->name);
	ck_assert_msg(after[HCA_CTR_UNICAST_RCV_PACKETS] + after[HCA_CTR_MULTICAST_RCV_PACKETS] ==
		      after[HCA_CTR_RCV_PACKETS], "%s: of which kind", row->name);
}

static void check_drop(const struct row *row)
{
	ck_assert_msg(drops.num == (row->reason != NOTHING), "%s: %u drops", row->name, drops.num);
	ck_assert_msg(!drops.num || drops.reason == row->reason, "%s: reason %u, not %u", row->name,
		      drops.reason, row->reason);
}

static void prepare(struct pair *pair, const struct row *row)
{
	struct hca_port *port = &pair->end[1].ports[1];

	port->info.operational_vls = 4;
	port->info.local_phy_errors = 8;
	port->info.overrun_errors = 8;
	if (row->how & SMALL)
		port->info.mtu_cap = IB_MTU_256;
	if (row->how & INIT)
		port->info.state = IB_PORT_INIT;
	if (row->how & FULL) {
		port->rx_buffer.advertises = true;
		memcpy(port->rx_buffer.fccl, port->rx_buffer.abr, sizeof(port->rx_buffer.fccl));
	}
	if (row->how & POSTED)
		pair_recv(&pair->end[1], 1, DST, 1000);
	if (row->how & TOO_SHORT)
		pair_recv(&pair->end[1], 1, DST, HCA_GRH_BYTES + PAYLOAD - 1);
}

/* Each check, in its order, is reported and counted. */
START_TEST(adapter)
{
	const struct row *row = &rows[_i];
	struct pair *pair = pair_new(row->base == RC ? &pair_rc : &pair_ud);
	struct hca_port *port = &pair->end[1].ports[1];
	u64 before[HCA_NUM_COUNTERS];
	struct hca_cqe cqe;

	prepare(pair, row);
	read_counters(port, before);
	drops.num = 0;
	shim_watch_drops = watch;
	inject(port, row, pair->end[1].qp->qpn);
	shim_watch_drops = NULL;
	check_drop(row); /* B4-113, B4-454, C4-158 */
	check_counters(port, before, row, row->reason != HCA_DROP_PORT_STATE); /* C4-155, C4-336 */
	ck_assert_msg(port->integrity.phy_errors == (row->reason == HCA_DROP_DAMAGED), /* C4-157 */
		      "%s: local physical errors",
		      row->name);
	ck_assert_msg(port->integrity.overruns == (row->reason == HCA_DROP_OVERRUN), "%s: overruns",
		      row->name);
	ck_assert_msg(port->info.p_key_violations == (row->reason == HCA_DROP_P_KEY), "%s: P_Key",
		      row->name);
	ck_assert_msg(port->info.q_key_violations == (row->reason == HCA_DROP_Q_KEY), "%s: Q_Key",
		      row->name);
	/* B4-452 */
	ck_assert_msg(pair_poll(&pair->end[1].recv_cq, &cqe) == (row->reason == NOTHING),
		      "%s: a message", row->name);
	port->rx_buffer.advertises = false;
	port->info.state = IB_PORT_ACTIVE;
	pair_free(pair);
}
END_TEST

/* --- the checks of a switch, of packets that arrive at port 1 */

enum { ENFORCE_IN = 8, RAW_IN = 2 };

static const struct {
	struct row row;
	u8 enforcement, primary;
} relayed[] = {
	{ { "nothing", UD, 0, {}, NOTHING, QUIET }, 0, HCA_NO_PORT },
	{ { "VCRC", UD, BAD_VCRC, {}, HCA_DROP_DAMAGED, HCA_CTR_LOCAL_PHYSICAL_ERRORS }, 0,
	  HCA_NO_PORT },
	{ { "ICRC", UD, BAD_ICRC, {}, HCA_DROP_DAMAGED, HCA_CTR_LOCAL_PHYSICAL_ERRORS }, 0,
	  HCA_NO_PORT },
	{ { "marked by another", UD, MARKED, {}, HCA_DROP_MARKED_BAD,
	    HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS }, 0, HCA_NO_PORT },
	{ { "VL", UD, 0, { { 0, 0x80 } }, HCA_DROP_VL, HCA_CTR_MALFORMED_PACKET_ERRORS }, 0,
	  HCA_NO_PORT },
	{ { "a LID of no port", UD, 0, { { 3, 0x40 } }, HCA_DROP_NO_ROUTE,
	    HCA_CTR_DLID_MAPPING_ERRORS }, 0, HCA_NO_PORT },
	{ { "DLID 0", UD, 0, { { 3, 0x02 } }, HCA_DROP_NO_ROUTE,
	    HCA_CTR_DLID_MAPPING_ERRORS }, 0, HCA_NO_PORT },
	{ { "permissive DLID", UD, 0, { { 2, 0xff }, { 3, 0xfd } }, HCA_DROP_NO_ROUTE,
	    HCA_CTR_DLID_MAPPING_ERRORS }, 0, HCA_NO_PORT },
	{ { "to where it came from", UD, 0, { { 3, 0x03 } }, HCA_DROP_WAY_BACK,
	    HCA_CTR_LOOPING_ERRORS }, 0, HCA_NO_PORT },
	{ { "SL without VL", UD, 0, { { 1, 0x50 } }, HCA_DROP_SL,
	    HCA_CTR_VL_MAPPING_ERRORS }, 0, HCA_NO_PORT },
	{ { "no such group", GROUP, 0, {}, HCA_DROP_NO_ROUTE,
	    HCA_CTR_DLID_MAPPING_ERRORS }, 0, HCA_NO_PORT },
	{ { "nobody else", GROUP, 0, {}, HCA_DROP_NO_MEMBER, QUIET }, 0, 0 },
	{ { "P_Key", UD, 0, { { 10, 0x7f } }, HCA_DROP_P_KEY, HCA_CTR_RCV_CONSTRAINT_ERRORS },
	  ENFORCE_IN, HCA_NO_PORT },
	{ { "raw", RAW, 0, {}, HCA_DROP_RAW, HCA_CTR_RCV_CONSTRAINT_ERRORS }, RAW_IN, HCA_NO_PORT },
	/* A packet with two defects is dropped for the one that is checked first. */
	{ { "VL, P_Key", UD, 0, { { 0, 0x80 }, { 10, 0x7f } }, HCA_DROP_VL,
	    HCA_CTR_MALFORMED_PACKET_ERRORS },
	  ENFORCE_IN, HCA_NO_PORT },
	{ { "P_Key, route", UD, 0, { { 10, 0x7f }, { 3, 0x40 } }, HCA_DROP_P_KEY,
	    HCA_CTR_RCV_CONSTRAINT_ERRORS }, ENFORCE_IN, HCA_NO_PORT },
};

/* C4-157, C4-158, C4-336 */
START_TEST(relay)
{
	const struct row *row = &relayed[_i].row;
	struct switched *s = switched_new(&pair_ud);
	struct hca_port *port = switched_port(s, 1);
	u64 before[HCA_NUM_COUNTERS];

	port->info.operational_vls = 4;
	port->info.local_phy_errors = 8;
	port->info.partition_enforcement = relayed[_i].enforcement;
	s->sw->info.default_multicast_primary = relayed[_i].primary;
	hca_switch_sl2vl(s->sw, 1, 2)[5] = HCA_VL_MANAGEMENT;
	pair_recv(s->b, 1, DST, 1000);
	read_counters(port, before);
	drops.num = 0;
	shim_watch_drops = watch;
	inject(port, row, s->b->qp->qpn);
	shim_watch_drops = NULL;
	check_drop(row);
	check_counters(port, before, row, true);
	ck_assert_uint_eq(s->b->received, row->reason == NOTHING);
	switched_free(s);
}
END_TEST

/* --- all drop reasons */

/* Drop reasons that are no checks of a received packet; other suites cause them. */
static const u8 no_checks[] = {
	HCA_DROP_NO_CABLE, HCA_DROP_TOO_LONG, HCA_DROP_NO_CREDIT, HCA_DROP_LOOPBACK, HCA_DROP_AGED,
	HCA_DROP_LIFETIME, HCA_DROP_BLOCKED, HCA_DROP_STALLED, HCA_DROP_LINK_CHANGED,
	HCA_DROP_VL15_FULL, HCA_DROP_UNPLUGGED, HCA_DROP_LOST, HCA_DROP_NO_MEMORY,
	HCA_DROP_PORT_GONE, HCA_DROP_NO_MAD, HCA_DROP_DIRECTED_ROUTE, HCA_DROP_NO_MANAGER,
	HCA_DROP_HOPS,
};

START_TEST(reasons)
{
	bool seen[NUM_REASONS + 1] = {};
	int i;

	for (i = 0; i < COUNT(rows); i++)
		seen[rows[i].reason] = true;
	for (i = 0; i < COUNT(relayed); i++)
		seen[relayed[i].row.reason] = true;
	for (i = 0; i < COUNT(no_checks); i++) {
		ck_assert_msg(!seen[no_checks[i]], "reason %d is a check's", no_checks[i]);
		seen[no_checks[i]] = true;
	}
	for (i = HCA_DROP_NAK_OPCODE; i <= HCA_DROP_NAK_RD_QP; i++)
		seen[i] = true; /* suite nak_reason */
	for (i = 0; i < NUM_REASONS; i++)
		ck_assert_msg(seen[i], "no packet is dropped for reason %d", i);
}
END_TEST

/*
 * VL15 has no credits: a packet that finds no buffer is only counted, as VL15 dropped (C4-190,
 * C4-336).
 */
START_TEST(vl15_full)
{
	static const struct row row = { "VL15 full", UD, 0, { { 0, 0xf0 } }, HCA_DROP_VL15_FULL,
					HCA_CTR_VL15_DROPPED };
	struct pair *pair = pair_new(&pair_ud);
	struct hca_port *port = &pair->end[1].ports[1];
	u64 before[HCA_NUM_COUNTERS];
	struct hca_packet pkt = { .packets = 1 }, *sent;

	atomic_set(&port->rx_buffer.vl15_queued, HCA_VL15_BUFFER);
	read_counters(port, before);
	drops.num = 0;
	shim_watch_drops = watch;
	ck_assert(!hca_port_admits_smp(port, &pkt));
	shim_watch_drops = NULL;
	check_drop(&row);
	check_counters(port, before, &row, false);
	/* The sender does not notice: it has sent what it has passed to the link. */
	local_bh_disable();
	sent = hca_packet_alloc(&pair->end[0].ca.pool);
	sent->h = headers_of(UD, 0);
	sent->h.lrh.vl = HCA_VL_MANAGEMENT;
	hca_packet_finish(sent);
	ck_assert(hca_port_send(&pair->end[0].ports[1], sent, NULL));
	hca_engine_run();
	local_bh_enable();
	ck_assert_uint_eq(hca_counter_read(&pair->end[0].ports[1], HCA_CTR_XMIT_PACKETS), 1);
	ck_assert_uint_eq(hca_counter_read(port, HCA_CTR_VL15_DROPPED), 2);
	atomic_set(&port->rx_buffer.vl15_queued, 0);
	pair_free(pair);
}
END_TEST

Suite *checks_suite(void)
{
	Suite *suite = suite_create("checks");
	TCase *tc = tcase_create("checks");

	tcase_add_loop_test(tc, adapter, 0, COUNT(rows));
	tcase_add_loop_test(tc, relay, 0, COUNT(relayed));
	tcase_add_test(tc, vl15_full);
	tcase_add_test(tc, reasons);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
