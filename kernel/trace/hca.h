/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Tracepoints of links, in events/hca of tracefs. A port is identified by its node GUID and its
 * number, since links do not know the names of devices. fabric/trace.c defines the tracepoints and
 * includes the definitions of ports and packets; users of the tracepoints need not include them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM hca

#if !defined(HCA_TRACE_HCA_H) || defined(TRACE_HEADER_MULTI_READ)
#define HCA_TRACE_HCA_H

#include <linux/string.h>
#include <linux/tracepoint.h>
#include "trace/drop.h"

struct hca_packet;
struct hca_port;

#define HCA_DROP_DEFINE(name, text) TRACE_DEFINE_ENUM(HCA_DROP_##name);
HCA_DROP_REASONS(HCA_DROP_DEFINE)
#undef HCA_DROP_DEFINE

/* __print_symbolic() allows no comma after the last element, which is therefore added by itself. */
#define HCA_DROP_TEXT(name, text) { HCA_DROP_##name, text },
#define hca_show_drop(reason) \
	__print_symbolic(reason, HCA_DROP_REASONS(HCA_DROP_TEXT) { -1, "?" })

#define HCA_OPCODE_NAME_OCTETS 40

#define HCA_PACKET_FIELDS \
	__field(u64, node) \
	__field(u32, qpn) \
	__field(u32, psn) \
	__field(u16, slid) \
	__field(u16, dlid) \
	__field(u16, octets) \
	__field(u8, port) \
	__field(u8, vl) \
	__field(u8, sl) \
	__array(char, opcode, HCA_OPCODE_NAME_OCTETS)

#define HCA_PACKET_ASSIGN \
	__entry->node = be64_to_cpu(port->node->node_guid); \
	__entry->port = port->num; \
	__entry->slid = pkt->h.lrh.slid; \
	__entry->dlid = pkt->h.lrh.dlid; \
	__entry->vl = pkt->h.lrh.vl; \
	__entry->sl = pkt->h.lrh.sl; \
	__entry->octets = hca_packet_bytes(pkt); \
	__entry->qpn = hca_packet_is_raw(pkt) ? 0 : pkt->h.bth.destqp; \
	__entry->psn = hca_packet_is_raw(pkt) ? 0 : pkt->h.bth.psn; \
	strscpy(__entry->opcode, hca_packet_is_raw(pkt) ? "raw" : \
		hca_opcodes[pkt->h.bth.opcode].name ?: "?", HCA_OPCODE_NAME_OCTETS)

#define HCA_PACKET_FORMAT \
	"node=0x%016llx port=%u slid=%u dlid=%u vl=%u sl=%u %s qpn=%u psn=%u octets=%u"

#define HCA_PACKET_ARGS \
	__entry->node, __entry->port, __entry->slid, __entry->dlid, __entry->vl, __entry->sl, \
	__entry->opcode, __entry->qpn, __entry->psn, __entry->octets

DECLARE_EVENT_CLASS(hca_packet,
	TP_PROTO(const struct hca_port *port, const struct hca_packet *pkt),
	TP_ARGS(port, pkt),
	TP_STRUCT__entry(HCA_PACKET_FIELDS),
	TP_fast_assign(HCA_PACKET_ASSIGN;),
	TP_printk(HCA_PACKET_FORMAT, HCA_PACKET_ARGS)
);

/* A port sends a packet on its link (hca_packet_out), or receives one from it (hca_packet_in). */
DEFINE_EVENT(hca_packet, hca_packet_out,
	TP_PROTO(const struct hca_port *port, const struct hca_packet *pkt),
	TP_ARGS(port, pkt)
);

DEFINE_EVENT(hca_packet, hca_packet_in,
	TP_PROTO(const struct hca_port *port, const struct hca_packet *pkt),
	TP_ARGS(port, pkt)
);

/* A packet is dropped. */
TRACE_EVENT(hca_drop,
	TP_PROTO(const struct hca_port *port, const struct hca_packet *pkt,
		 enum hca_drop_reason reason),
	TP_ARGS(port, pkt, reason),
	TP_STRUCT__entry(
		HCA_PACKET_FIELDS
		__field(int, reason)
	),
	TP_fast_assign(
		HCA_PACKET_ASSIGN;
		__entry->reason = reason;
	),
	TP_printk(HCA_PACKET_FORMAT " reason=\"%s\"", HCA_PACKET_ARGS,
		  hca_show_drop(__entry->reason))
);

DECLARE_EVENT_CLASS(hca_credit,
	TP_PROTO(const struct hca_port *port, u8 vl, u16 blocks),
	TP_ARGS(port, vl, blocks),
	TP_STRUCT__entry(
		__field(u64, node)
		__field(u8, port)
		__field(u8, vl)
		__field(u16, blocks)
	),
	TP_fast_assign(
		__entry->node = be64_to_cpu(port->node->node_guid);
		__entry->port = port->num;
		__entry->vl = vl;
		__entry->blocks = blocks;
	),
	TP_printk("node=0x%016llx port=%u vl=%u blocks=%u", __entry->node, __entry->port,
		  __entry->vl, __entry->blocks)
);

/*
 * A packet waits for credits (hca_credit_wait), or a receiver returns credits (hca_credit_back).
 * @blocks: number of credits, each for a block of 64 octets.
 */
DEFINE_EVENT(hca_credit, hca_credit_wait,
	TP_PROTO(const struct hca_port *port, u8 vl, u16 blocks),
	TP_ARGS(port, vl, blocks)
);

DEFINE_EVENT(hca_credit, hca_credit_back,
	TP_PROTO(const struct hca_port *port, u8 vl, u16 blocks),
	TP_ARGS(port, vl, blocks)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH trace
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE hca
#include <trace/define_trace.h>
