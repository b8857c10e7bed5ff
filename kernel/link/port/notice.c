// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Functions that raise notices, with the contents that IBA 14.2.5.1 defines for each trap. */
#include "link/port/notice.h"
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>
#include "wire/opcode.h"

static const struct {
	u16 trap; /* enum hca_trap */
	u8 type; /* enum hca_notice_type */
} hca_notice_types[] = {
	{ HCA_TRAP_LINK_STATE, HCA_NOTICE_URGENT },
	{ HCA_TRAP_LINK_INTEGRITY, HCA_NOTICE_URGENT },
	{ HCA_TRAP_BUFFER_OVERRUN, HCA_NOTICE_URGENT },
	{ HCA_TRAP_FLOW_UPDATE, HCA_NOTICE_URGENT },
	{ HCA_TRAP_LOCAL_CHANGE, HCA_NOTICE_INFORMATIONAL },
	{ HCA_TRAP_SYSTEM_IMAGE_GUID, HCA_NOTICE_INFORMATIONAL },
	{ HCA_TRAP_M_KEY, HCA_NOTICE_SECURITY },
	{ HCA_TRAP_P_KEY, HCA_NOTICE_SECURITY },
	{ HCA_TRAP_Q_KEY, HCA_NOTICE_SECURITY },
	{ HCA_TRAP_SWITCH_P_KEY, HCA_NOTICE_SECURITY },
};

static u8 notice_type(enum hca_trap trap)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hca_notice_types); i++)
		if (hca_notice_types[i].trap == trap)
			return hca_notice_types[i].type;
	return HCA_NOTICE_INFORMATIONAL;
}

void hca_notice_raise(struct hca_port *port, enum hca_trap trap, const void *details, size_t bytes)
{
	struct hca_notice notice = {
		.type = HCA_NOTICE_GENERIC | notice_type(trap),
		.producer[2] = port->node_type,
		.trap = cpu_to_be16(trap),
		.issuer_lid = cpu_to_be16(READ_ONCE(hca_port_home(port)->info.lid)),
	};

	if (!port->ops->notice)
		return;
	memcpy(notice.details, details, bytes);
	port->ops->notice(port, &notice);
}

static __be16 notice_lid(struct hca_port *port)
{
	return cpu_to_be16(READ_ONCE(hca_port_home(port)->info.lid));
}

void hca_notice_port(struct hca_port *port, enum hca_trap trap)
{
	struct {
		__be16 switch_lid; /* the only field of trap 128 */
		__be16 lid;
		u8 port;
	} __packed details = {};

	if (trap == HCA_TRAP_LINK_STATE) {
		details.switch_lid = notice_lid(port);
	} else {
		details.lid = notice_lid(port);
		details.port = port->num;
	}
	hca_notice_raise(port, trap, &details, sizeof(details));
}

void hca_notice_local_change(struct hca_port *port, u16 changes)
{
	struct {
		__be16 reserved;
		__be16 lid;
		u8 reserved2;
		u8 other_local_changes;
		__be32 capability_mask;
		__be16 changes;
		__be16 capability_mask2;
	} __packed details = {
		.lid = notice_lid(port),
		.other_local_changes = !!changes,
		.capability_mask = cpu_to_be32(READ_ONCE(port->info.capability_mask)),
		.changes = cpu_to_be16(changes),
	};

	hca_notice_raise(port, HCA_TRAP_LOCAL_CHANGE, &details, sizeof(details));
}

void hca_notice_system_image_guid(struct hca_port *port, __be64 guid)
{
	struct {
		__be16 reserved;
		__be16 lid;
		__be16 reserved2;
		__be64 guid;
	} __packed details = {
		.lid = notice_lid(port),
		.guid = guid,
	};

	hca_notice_raise(port, HCA_TRAP_SYSTEM_IMAGE_GUID, &details, sizeof(details));
}

/* Sender and receiver of a packet, as the details of traps 257 to 259 contain them. */
struct notice_parties {
	/* SL in the upper 4 bits; source QP in the lower 24 bits, 0 if the packet has no DETH. */
	__be32 sl_qp1;
	__be32 qp2; /* destination QP, 24 bits */
	u8 gid1[16]; /* source GID; 0 without a GRH */
	u8 gid2[16]; /* destination GID; 0 without a GRH */
} __packed;

static void notice_parties(struct notice_parties *parties, const struct hca_packet *pkt)
{
	const struct hca_headers *h = &pkt->h;
	bool has_source = hca_opcodes[h->bth.opcode].flags & HCA_HAS_DETH;

	static_assert(sizeof(parties->gid1) == sizeof(h->grh.sgid));
	parties->sl_qp1 = cpu_to_be32((u32)h->lrh.sl << 28 | (has_source ? h->deth.srcqp : 0));
	parties->qp2 = cpu_to_be32(h->bth.destqp);
	if (hca_packet_has_grh(pkt)) {
		memcpy(parties->gid1, &h->grh.sgid, sizeof(parties->gid1));
		memcpy(parties->gid2, &h->grh.dgid, sizeof(parties->gid2));
	}
}

/*
 * Return: DataValid of trap 259, a bit for each field of the details that is valid: LIDs, P_Key,
 * SL, QPs and GIDs.
 */
static u16 notice_valid(const struct hca_packet *pkt)
{
	u16 valid = 0x2f;

	if (hca_opcodes[pkt->h.bth.opcode].flags & HCA_HAS_DETH)
		valid |= 0x10;
	if (hca_packet_has_grh(pkt))
		valid |= 0xc0;
	return valid;
}

static void notice_switch_key(struct hca_port *port, const struct hca_packet *pkt)
{
	struct {
		__be16 valid;
		__be16 lid1;
		__be16 lid2;
		__be16 key;
		struct notice_parties parties;
		__be16 switch_lid;
		u8 port;
	} __packed details = {
		.valid = cpu_to_be16(notice_valid(pkt)),
		.lid1 = cpu_to_be16(pkt->h.lrh.slid),
		.lid2 = cpu_to_be16(pkt->h.lrh.dlid),
		.key = cpu_to_be16(pkt->h.bth.pkey),
		.switch_lid = notice_lid(port),
		.port = port->num,
	};

	notice_parties(&details.parties, pkt);
	hca_notice_raise(port, HCA_TRAP_SWITCH_P_KEY, &details, sizeof(details));
}

static void notice_key(struct hca_port *port, enum hca_trap trap, const struct hca_packet *pkt,
		       u32 key)
{
	struct {
		__be16 reserved;
		__be16 lid1;
		__be16 lid2;
		__be32 key;
		struct notice_parties parties;
	} __packed details = {
		.lid1 = cpu_to_be16(pkt->h.lrh.slid),
		.lid2 = cpu_to_be16(pkt->h.lrh.dlid),
		.key = cpu_to_be32(key),
	};

	notice_parties(&details.parties, pkt);
	hca_notice_raise(port, trap, &details, sizeof(details));
}

static void port_violation(struct hca_port *port, u16 *counter)
{
	spin_lock(&port->lock);
	if (*counter != U16_MAX)
		++*counter;
	spin_unlock(&port->lock);
}

void hca_port_pkey_violation(struct hca_port *port, const struct hca_packet *pkt)
{
	port_violation(port, &port->info.p_key_violations);
	if (hca_port_home(port) == port)
		notice_key(port, HCA_TRAP_P_KEY, pkt, pkt->h.bth.pkey);
	else
		notice_switch_key(port, pkt);
}

void hca_port_qkey_violation(struct hca_port *port, const struct hca_packet *pkt)
{
	port_violation(port, &port->info.q_key_violations);
	notice_key(port, HCA_TRAP_Q_KEY, pkt, pkt->h.deth.qkey);
}
