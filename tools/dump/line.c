// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints a packet on one line for people. */
#include "line.h"
#include <arpa/inet.h>
#include "compat.h"
#include "linux/hca_tap.h"
#include "mad.h"
#include "mark.h"
#include "place.h"
#include "syndrome.h"
#include "wire/opcode.h"

#define PERMISSIVE_AND_GROUPS 0xc000

enum color { PLAIN, DIM, IN, OUT, NAME, WRONG };

static const char *const colors[] = {
	[PLAIN] = "\033[0m", [DIM] = "\033[2m", [IN] = "\033[32m", [OUT] = "\033[36m",
	[NAME] = "\033[1m", [WRONG] = "\033[31m",
};

static void line_color(FILE *to, const struct line_style *style, enum color which)
{
	if (style->colored)
		fputs(colors[which], to);
}

/*
 * Prints where a packet was captured: both ports if the packet was captured at both ends, otherwise
 * one port.
 */
static void print_place(FILE *to, const struct packet *packet, const struct line_style *style)
{
	char from[PLACE_OCTETS], peer[PLACE_OCTETS];

	if (!packet->direction)
		return;
	line_color(to, style, packet->direction == HCA_TAP_IN ? IN : OUT);
	if (packet->has_arrived) {
		fprintf(to, " %s > %s", place_text(packet->interface, packet->port, from),
			place_text(packet->peer_interface, packet->peer_port, peer));
	} else {
		if (packet->port)
			fprintf(to, " %s", packet->port);
		fputs(packet->direction == HCA_TAP_IN ? " in" : " out", to);
	}
	line_color(to, style, PLAIN);
}

static void print_lid(FILE *to, u16 lid)
{
	fprintf(to, lid < PERMISSIVE_AND_GROUPS ? "%u" : "0x%04x", lid);
}

static void print_lrh(FILE *to, const struct packet *packet)
{
	const struct hca_lrh *lrh = &packet->h.lrh;

	fputc(' ', to);
	print_lid(to, lrh->slid);
	fputs(" > ", to);
	print_lid(to, lrh->dlid);
	fprintf(to, " vl %u sl %u", lrh->vl, lrh->sl);
}

static void print_grh(FILE *to, const struct hca_grh *grh)
{
	char sgid[INET6_ADDRSTRLEN], dgid[INET6_ADDRSTRLEN];

	fprintf(to, " grh %s > %s", inet_ntop(AF_INET6, grh->sgid.raw, sgid, sizeof(sgid)),
		inet_ntop(AF_INET6, grh->dgid.raw, dgid, sizeof(dgid)));
}

static void print_aeth(FILE *to, const struct hca_aeth *aeth)
{
	char text[SYNDROME_OCTETS];

	fprintf(to, " %s msn %u", syndrome_text(aeth->syndrome, text), aeth->msn);
}

/* Prints the fields of extended headers, for --verbose. */
static void print_details(FILE *to, const struct packet *packet)
{
	const struct hca_headers *h = &packet->h;
	u32 has = hca_opcodes[h->bth.opcode].flags;

	fprintf(to, " pkey 0x%04x", h->bth.pkey);
	if (has & HCA_HAS_DETH)
		fprintf(to, " qkey 0x%08x", h->deth.qkey);
	if (has & HCA_HAS_FETH)
		fprintf(to, " placement %u selectivity %u", h->feth.placement, h->feth.selectivity);
	if (has & HCA_HAS_RETH)
		fprintf(to, " at 0x%llx rkey 0x%08x of %u", h->reth.va, h->reth.rkey,
			h->reth.length);
	if (has & HCA_HAS_ATOMICETH)
		fprintf(to, " at 0x%llx rkey 0x%08x swap 0x%llx compare 0x%llx",
			h->atomiceth.va, h->atomiceth.rkey, h->atomiceth.swap_add,
			h->atomiceth.compare);
	if (has & HCA_HAS_ATOMICACKETH)
		fprintf(to, " was 0x%llx", h->atomicack_original);
	if (has & HCA_HAS_IMMDT)
		fprintf(to, " imm 0x%08x", be32_to_cpu(h->immdt));
	if (has & HCA_HAS_IETH)
		fprintf(to, " invalidate 0x%08x", h->ieth_rkey);
	if (h->lrh.lnh == IB_LNH_IBA_GLOBAL)
		print_grh(to, &h->grh);
}

static void print_bth(FILE *to, const struct packet *packet, const struct line_style *style)
{
	const struct hca_headers *h = &packet->h;
	u32 has = hca_opcodes[h->bth.opcode].flags;

	fputs(" qp ", to);
	if (has & HCA_HAS_DETH)
		fprintf(to, "%u > ", h->deth.srcqp);
	fprintf(to, "%u", h->bth.destqp);
	if (has & HCA_HAS_RDETH)
		fprintf(to, " eec %u", h->rdeth_eecn);
	if (has & HCA_HAS_XRCETH)
		fprintf(to, " srq %u", h->xrceth_srqn);
	fprintf(to, " psn 0x%06x", h->bth.psn);
	if (h->bth.flags & HCA_BTH_ACKREQ)
		fputs(" ackreq", to);
	if (h->bth.flags & HCA_BTH_SOLICITED)
		fputs(" solicited", to);
	if (has & HCA_HAS_AETH)
		print_aeth(to, &h->aeth);
	if (style->verbose)
		print_details(to, packet);
}

static void print_mad(FILE *to, const struct packet *packet, const struct line_style *style)
{
	const struct mad mad = mad_parse(packet->mad);
	char text[MAD_TEXT_OCTETS];

	line_color(to, style, NAME);
	fprintf(to, " %s", mad_text(&mad, text));
	line_color(to, style, PLAIN);
	if (mad.modifier)
		fprintf(to, " modifier 0x%x", mad.modifier);
	if (mad.is_directed)
		fprintf(to, " hop %u of %u%s", mad.hop_pointer, mad.hop_count,
			mad.is_returning ? " back" : "");
	if (mad.status)
		fprintf(to, " status 0x%04x", mad.status);
	fprintf(to, " tid 0x%llx", mad.tid);
}

static void print_fault(FILE *to, const struct packet *packet, const struct line_style *style)
{
	const char *fault;
	bool cut;

	fault = packet_fault(packet, &cut);
	if (!fault)
		return;
	line_color(to, style, WRONG);
	fprintf(to, " [%s]", fault);
	line_color(to, style, PLAIN);
}

static void print_marks(FILE *to, const struct packet *packet, const struct line_style *style)
{
	char text[MARKS_TEXT_OCTETS];

	if (!packet->marks)
		return;
	line_color(to, style, WRONG);
	fprintf(to, " %s", marks_text(packet->marks, text));
	line_color(to, style, PLAIN);
}

/*
 * Prints the kind and contents of a packet, which is a MAD, another packet with a BTH, or a packet
 * without a BTH.
 */
static void print_contents(FILE *to, const struct packet *packet, const struct line_style *style)
{
	if (packet->mad)
		print_mad(to, packet, style);
	if (!packet->mad || style->verbose) {
		line_color(to, style, NAME);
		fprintf(to, " %s", packet_name(packet));
		line_color(to, style, PLAIN);
		if (packet->has_headers && !packet->is_raw)
			print_bth(to, packet, style);
	}
	if (packet->has_flow)
		fprintf(to, " vl %u fctbs %u fccl %u", packet->flow.vl, packet->flow.fctbs,
			packet->flow.fccl);
	if (packet->has_headers)
		fprintf(to, " payload %u", packet->payload_bytes);
	fprintf(to, " length %u", packet->length);
}

static void print_fpdu(FILE *to, const struct packet *packet, const struct line_style *style)
{
	char source[FPDU_END_OCTETS], destination[FPDU_END_OCTETS], text[FPDU_TEXT_OCTETS];
	bool is_startup = packet->stream.flags & HCA_TAP_STARTUP;

	if (packet->stream.qpn)
		fprintf(to, " qp %u", packet->stream.qpn);
	fprintf(to, " %s > %s", fpdu_source(packet, source), fpdu_destination(packet, destination));
	line_color(to, style, NAME);
	fprintf(to, " %s", fpdu_name(packet));
	line_color(to, style, PLAIN);
	fputs(fpdu_text(packet, text), to);
	if (packet->fpdu.has_header)
		fprintf(to, " payload %u", packet->fpdu.payload);
	fprintf(to, " length %u", packet->length);
	if (style->verbose)
		fprintf(to, " offset %llu", (unsigned long long)packet->stream.offset);
	if (style->verbose && packet->stream.flags & HCA_TAP_MARKERS)
		fputs(" markers", to);
	if (style->verbose && !is_startup)
		fprintf(to, " crc %s", fpdu_crc_text(packet));
	if (packet->stream.flags & HCA_TAP_KEPT)
		fputs(" (before the capture)", to);
}

static void print_duration(FILE *to, const struct packet *packet)
{
	fputs(" after ", to);
	time_print_difference(to, packet->time_ns, packet->arrived_ns);
}

void line_print(FILE *to, const struct packet *packet, struct line_style *style)
{
	if (packet->lost)
		fprintf(to, "(%u packets not captured)\n", packet->lost);
	line_color(to, style, DIM);
	time_print(to, &style->time, packet->time_ns);
	line_color(to, style, PLAIN);
	print_place(to, packet, style);
	if (packet->has_lrh)
		print_lrh(to, packet);
	if (packet->is_stream)
		print_fpdu(to, packet, style);
	else
		print_contents(to, packet, style);
	if (packet->has_arrived && style->verbose)
		print_duration(to, packet);
	print_marks(to, packet, style);
	if (style->checked)
		print_fault(to, packet, style);
	fputc('\n', to);
}
