/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The reasons why a port or a switch drops a packet, with texts for the tracepoint hca_drop. */
#ifndef HCA_TRACE_DROP_H
#define HCA_TRACE_DROP_H

#define HCA_DROP_REASONS(REASON) \
	/* the sending port, before the link */ \
	REASON(NO_CABLE, "no cable") \
	REASON(SL, "SL without VL") \
	REASON(TOO_LONG, "longer than the MTU") \
	REASON(NO_CREDIT, "no credit, and nobody waits for it") \
	REASON(LOOPBACK, "multicast, no room at its own port") \
	REASON(AGED, "older than the limit at the head of its queue") \
	REASON(LIFETIME, "older than the limit of its time in the switch") \
	REASON(BLOCKED, "no credit until its time in the switch was over") \
	REASON(STALLED, "VL stalled") \
	REASON(LINK_CHANGED, "link or VL closed while it waited") \
	/* the sending or the receiving port */ \
	REASON(PORT_STATE, "port state") \
	REASON(VL15_FULL, "VL15 buffer full") \
	/* the link */ \
	REASON(UNPLUGGED, "cable pulled") \
	REASON(LOST, "lost by a fault") \
	/* the receiving port, in the order of its checks (IBA 7.3, req C4-158) */ \
	REASON(MARKED_BAD, "marked bad by a switch") \
	REASON(DAMAGED, "CRC wrong") \
	REASON(LVER, "LVer not 0") \
	REASON(LENGTH, "length wrong") \
	REASON(NOT_OURS, "DLID of no one here") \
	REASON(VL, "VL not operational") \
	REASON(VL15, "VL15 with GRH, or raw") \
	REASON(OVERRUN, "VL's buffer full") \
	REASON(NO_MEMORY, "no memory") \
	REASON(PORT_GONE, "port deleted") \
	/* the relay of a switch */ \
	REASON(NO_ROUTE, "no port for the DLID") \
	REASON(WAY_BACK, "to the port it came in by") \
	REASON(HOPS, "more switches behind it than a path has") \
	REASON(NO_MEMBER, "nobody else in the group") \
	REASON(P_KEY, "P_Key wrong") /* the port or the queue pair refuses the P_Key */ \
	REASON(RAW, "raw filter") \
	/* the transports of a CA, in the order of their checks (IBA 9.6.1) */ \
	REASON(GRH, "GRH wrong") \
	REASON(OPCODE, "no such opcode, or transport version") \
	REASON(NO_QP, "no queue pair for it") \
	REASON(QP_STATE, "queue pair of another state, service or port") \
	REASON(NOT_PEERS, "not by the peer's path") \
	REASON(Q_KEY, "Q_Key wrong") \
	REASON(NO_RECEIVE, "no receive request") \
	REASON(RECV_TOO_SHORT, "receive request too short") \
	/* requests that a responder refuses by a NAK, in the order of enum hca_nak_reason */ \
	REASON(NAK_OPCODE, "NAK: no operation of the service") \
	REASON(NAK_ORDER, "NAK: out of place in its message") \
	REASON(NAK_PACKET_LENGTH, "NAK: not as long as the path MTU") \
	REASON(NAK_MESSAGE_LENGTH, "NAK: longer than 2^31 octets") \
	REASON(NAK_WRITE_LENGTH, "NAK: other length than the RETH's") \
	REASON(NAK_RECV_LENGTH, "NAK: receive request too short") \
	REASON(NAK_QP_ACCESS, "NAK: not in qp_access_flags") \
	REASON(NAK_RD_ATOMIC, "NAK: more than max_dest_rd_atomic") \
	REASON(NAK_ALIGNMENT, "NAK: address no multiple of 8") \
	REASON(NAK_ATOMIC_LENGTH, "NAK: Atomic Write not of 8 octets") \
	REASON(NAK_FLUSH, "NAK: no such kind of Flush") \
	REASON(NAK_XRC_SRQ, "NAK: no such XRC SRQ") \
	REASON(NAK_RKEY, "NAK: nothing has the R_Key") \
	REASON(NAK_RKEY_INVALID, "NAK: R_Key invalid") \
	REASON(NAK_RKEY_PD, "NAK: R_Key of another domain") \
	REASON(NAK_RKEY_QP, "NAK: window of another queue pair") \
	REASON(NAK_RKEY_ACCESS, "NAK: R_Key lacks the right") \
	REASON(NAK_RKEY_BOUNDS, "NAK: outside of the R_Key's memory") \
	REASON(NAK_RKEY_CHANGED, "NAK: R_Key changed meanwhile") \
	REASON(NAK_PAGE, "NAK: page cannot be had") \
	REASON(NAK_INVALIDATE, "NAK: key may not be invalidated") \
	REASON(NAK_XRC_SRQ_GONE, "NAK: XRC SRQ destroyed meanwhile") \
	REASON(NAK_RECV_SGE, "NAK: SGE of the receive request") \
	REASON(NAK_RECV_QUEUE, "NAK: receive queue failed") \
	REASON(NAK_CQ, "NAK: no room in the CQ") \
	REASON(NAK_ATOMIC_MEMORY, "NAK: memory not aligned") \
	REASON(NAK_RD_QP, "NAK: no such queue pair of the RDD") \
	/* management */ \
	REASON(NO_MAD, "no management datagram") \
	REASON(DIRECTED_ROUTE, "directed route wrong") \
	REASON(NO_MANAGER, "nobody behind QP0")

enum hca_drop_reason {
#define HCA_DROP_ENUM(name, text) HCA_DROP_##name,
	HCA_DROP_REASONS(HCA_DROP_ENUM)
#undef HCA_DROP_ENUM
};

#endif
