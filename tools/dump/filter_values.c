// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Tables of the keywords of filters, with the functions that get a keyword's value from a packet.
 */
#include "filter_values.h"
#include <string.h>
#include "linux/hca_tap.h"
#include "mark.h"
#include "syndrome.h"
#include "wire/opcode.h"

bool filter_has_bth(const struct packet *p)
{
	return p->has_headers && !p->is_raw;
}

static bool packet_has(const struct packet *p, u32 flag)
{
	return filter_has_bth(p) && hca_opcodes[p->h.bth.opcode].flags & flag;
}

static unsigned int get_lid(const struct packet *p, u64 *value)
{
	value[0] = p->h.lrh.slid;
	value[1] = p->h.lrh.dlid;
	return p->has_lrh ? 2 : 0;
}

static unsigned int get_qpn(const struct packet *p, u64 *value)
{
	if (p->is_stream) {
		*value = p->stream.qpn;
		return 1;
	}
	value[0] = p->h.bth.destqp;
	value[1] = p->h.deth.srcqp;
	return filter_has_bth(p) + packet_has(p, HCA_HAS_DETH);
}

/* Returns whether a packet is a tagged, or an untagged, segment of DDP. */
static bool is_tagged(const struct packet *p, bool tagged)
{
	return p->is_stream && p->fpdu.has_header && p->fpdu.ddp.tagged == tagged;
}

#define GET(name, condition, expression) \
	static unsigned int get_##name(const struct packet *p, u64 *value) \
	{ \
		*value = expression; \
		return condition; \
	}

GET(slid, p->has_lrh, p->h.lrh.slid)
GET(dlid, p->has_lrh, p->h.lrh.dlid)
GET(vl, p->has_lrh || p->has_flow, p->has_flow ? p->flow.vl : p->h.lrh.vl)
GET(sl, p->has_lrh, p->h.lrh.sl)
GET(srcqp, packet_has(p, HCA_HAS_DETH), p->h.deth.srcqp)
GET(destqp, filter_has_bth(p), p->h.bth.destqp)
GET(psn, filter_has_bth(p), p->h.bth.psn)
GET(pkey, filter_has_bth(p), p->h.bth.pkey)
GET(eecn, packet_has(p, HCA_HAS_RDETH), p->h.rdeth_eecn)
GET(srqn, packet_has(p, HCA_HAS_XRCETH), p->h.xrceth_srqn)
GET(length, true, p->length)
GET(stag, is_tagged(p, true), p->fpdu.ddp.stag)
GET(qn, is_tagged(p, false), p->fpdu.ddp.qn)
GET(msn, is_tagged(p, false), p->fpdu.ddp.msn)

static unsigned int get_tcp_port(const struct packet *p, u64 *value)
{
	value[0] = p->stream.local_port;
	value[1] = p->stream.remote_port;
	return p->is_stream ? 2 : 0;
}

const struct filter_field filter_fields[] = {
	{ "lid", 0xffff, false, get_lid },
	{ "slid", 0xffff, false, get_slid },
	{ "src", 0xffff, false, get_slid },
	{ "dlid", 0xffff, false, get_dlid },
	{ "dst", 0xffff, false, get_dlid },
	{ "vl", 15, false, get_vl },
	{ "sl", 15, false, get_sl },
	{ "qpn", HCA_QPN_MASK, false, get_qpn },
	{ "qp", HCA_QPN_MASK, false, get_qpn },
	{ "srcqp", HCA_QPN_MASK, false, get_srcqp },
	{ "destqp", HCA_QPN_MASK, false, get_destqp },
	{ "psn", HCA_PSN_MASK, true, get_psn },
	{ "pkey", 0xffff, false, get_pkey },
	{ "eecn", HCA_QPN_MASK, false, get_eecn },
	{ "srqn", HCA_QPN_MASK, false, get_srqn },
	{ "length", 0xffffffff, false, get_length },
	{ "stag", 0xffffffff, false, get_stag },
	{ "qn", 0xffffffff, false, get_qn },
	{ "msn", 0xffffffff, true, get_msn },
	{ "tcpport", 0xffff, false, get_tcp_port },
	{}
};

#define TEST(name, expression) \
	static bool test_##name(const struct packet *p) \
	{ \
		return expression; \
	}

TEST(smp, p->mad && p->is_smp)
TEST(gmp, p->mad && !p->is_smp)
TEST(multicast, p->has_lrh && hca_lid_is_multicast(p->h.lrh.dlid))
TEST(grh, p->has_headers && p->h.lrh.lnh == IB_LNH_IBA_GLOBAL)
TEST(raw, p->has_lrh && p->is_raw)
TEST(ackreq, filter_has_bth(p) && p->h.bth.flags & HCA_BTH_ACKREQ)
TEST(flow, p->is_flow)
TEST(in, p->direction == HCA_TAP_IN)
TEST(out, p->direction == HCA_TAP_OUT)

TEST(startup, p->is_stream && p->stream.flags & HCA_TAP_STARTUP)
TEST(tagged, is_tagged(p, true))
TEST(untagged, is_tagged(p, false))

static bool is_of(const struct packet *p, enum hca_transport transport)
{
	return filter_has_bth(p) && hca_opcode_transport(p->h.bth.opcode) == transport;
}

TEST(rc, is_of(p, HCA_TRANSPORT_RC))
TEST(uc, is_of(p, HCA_TRANSPORT_UC))
TEST(rd, is_of(p, HCA_TRANSPORT_RD))
TEST(ud, is_of(p, HCA_TRANSPORT_UD))
TEST(xrc, is_of(p, HCA_TRANSPORT_XRC))

static bool is_acknowledge(const struct packet *p, enum syndrome_kind kind)
{
	return packet_has(p, HCA_HAS_AETH) && syndrome_kind(p->h.aeth.syndrome) == kind;
}

TEST(ack, is_acknowledge(p, SYNDROME_ACK))
TEST(nak, is_acknowledge(p, SYNDROME_NAK))
TEST(rnr, is_acknowledge(p, SYNDROME_RNR_NAK))

TEST(retransmit, p->marks & MARK_RETRANSMIT)
TEST(duplicate, p->marks & MARK_DUPLICATE)
TEST(lost, p->marks & MARK_LOST)

static bool test_damaged(const struct packet *p)
{
	bool cut;

	return packet_fault(p, &cut);
}

const struct filter_flag filter_flags[] = {
	{ "smp", test_smp },
	{ "gmp", test_gmp },
	{ "multicast", test_multicast },
	{ "grh", test_grh },
	{ "raw", test_raw },
	{ "ackreq", test_ackreq },
	{ "flow", test_flow, .is_flow = true },
	{ "in", test_in },
	{ "out", test_out },
	{ "damaged", test_damaged },
	{ "startup", test_startup },
	{ "tagged", test_tagged },
	{ "untagged", test_untagged },
	{ "rc", test_rc },
	{ "uc", test_uc },
	{ "rd", test_rd },
	{ "ud", test_ud },
	{ "xrc", test_xrc },
	{ "ack", test_ack },
	{ "nak", test_nak },
	{ "rnr", test_rnr },
	{ "retransmit", test_retransmit, .marks = MARK_RETRANSMIT },
	{ "duplicate", test_duplicate, .marks = MARK_DUPLICATE },
	{ "lost", test_lost, .marks = MARK_LOST },
	{}
};

/* The names of RDMAP's messages, by their opcodes, as hcactl knows them, too. */
static const char *const messages[] = {
	"rdma-write", "rdma-read-request", "rdma-read-response", "send", "send-with-invalidate",
	"send-with-se", "send-with-se-and-invalidate", "terminate",
};

#define NUM_MESSAGES (sizeof(messages) / sizeof(messages[0]))

/* Returns the opcode that a name means, as a bit, or those whose names begin so before a hyphen. */
static u32 messages_of(const char *name, size_t length)
{
	u32 family = 0;
	size_t i;

	for (i = 0; i < NUM_MESSAGES; i++) {
		if (strncmp(messages[i], name, length))
			continue;
		if (strlen(messages[i]) == length)
			return 1u << i;
		if (messages[i][length] == '-')
			family |= 1u << i;
	}
	return length ? family : 0;
}

u32 filter_parse_messages(const char *text, size_t length)
{
	const char *end = text + length, *comma;
	u32 all = 0, these;

	for (;; text = comma + 1) {
		comma = memchr(text, ',', end - text) ?: end;
		these = messages_of(text, comma - text);
		all |= these;
		if (!these)
			return 0;
		if (comma == end)
			return all;
	}
}

/* Returns the length of a port's name without the suffix /1. The suffix is optional. */
static size_t length_of(const char *port)
{
	size_t length = strlen(port);

	return length > 2 && !strcmp(port + length - 2, "/1") ? length - 2 : length;
}

bool filter_is_port(const struct packet *p, const char *port)
{
	size_t length = length_of(port);

	return p->port && length_of(p->port) == length && !memcmp(p->port, port, length);
}
