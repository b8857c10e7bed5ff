// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints packets as JSON, one on each line. Fields that a packet does not have are omitted. */
#include <arpa/inet.h>
#include <json-c/json.h>
#include "json_add.h"
#include "line.h"
#include "linux/hca_tap.h"
#include "mad.h"
#include "mark.h"
#include "place.h"
#include "syndrome.h"
#include "wire/opcode.h"

#define JSON_FLAGS (JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

/* Adds the name of a value, or the value itself if it does not have a name. */
static void add_named(struct json_object *to, const char *key, const char *name, u64 number)
{
	if (name)
		add_text(to, key, name);
	else
		add_number(to, key, number);
}

/*
 * Adds a time as two integers. Many JSON parsers read numbers as doubles, which can represent each
 * of the two integers exactly.
 */
static void add_time(struct json_object *to, const char *seconds, const char *nanoseconds, u64 ns)
{
	add_number(to, seconds, ns / 1000000000);
	add_number(to, nanoseconds, ns % 1000000000);
}

static void add_marks(struct json_object *to, u32 marks)
{
	struct json_object *names = json_object_new_array();
	const char *reason = NULL;
	const struct mark_text *row;

	for (row = mark_texts; row->name; row++) {
		if ((marks & row->marks) != row->marks)
			continue;
		marks &= ~row->marks;
		json_object_array_add(names, json_object_new_string(row->name));
		if (row->reason)
			reason = row->reason;
	}
	json_object_object_add(to, "marks", names);
	if (reason)
		add_text(to, "reason", reason);
}

/*
 * Adds the port at the other end of a packet's route. If the packet was also captured at that port,
 * adds the time of its arrival.
 */
static void add_peer(struct json_object *to, const struct packet *packet)
{
	char text[PLACE_OCTETS];

	add_text(to, "peer", place_text(packet->peer_interface, packet->peer_port, text));
	if (packet->has_arrived)
		add_time(to, "arrival_seconds", "arrival_nanoseconds", packet->arrived_ns);
}

static void add_capture(struct json_object *to, const struct packet *packet)
{
	add_time(to, "seconds", "nanoseconds", packet->time_ns);
	if (packet->port)
		add_text(to, "port", packet->port);
	if (packet->direction)
		add_text(to, "direction", packet->direction == HCA_TAP_IN ? "in" : "out");
	if (packet->has_peer)
		add_peer(to, packet);
	if (packet->lost)
		add_number(to, "lost", packet->lost);
	add_number(to, "length", packet->length);
	add_number(to, "captured", packet->captured);
	if (packet->marks)
		add_marks(to, packet->marks);
}

static void add_lrh(struct json_object *to, const struct hca_lrh *lrh)
{
	add_number(to, "slid", lrh->slid);
	add_number(to, "dlid", lrh->dlid);
	add_number(to, "vl", lrh->vl);
	add_number(to, "sl", lrh->sl);
}

static void add_flow(struct json_object *to, const struct hca_flow *flow)
{
	add_number(to, "vl", flow->vl);
	add_number(to, "fctbs", flow->fctbs);
	add_number(to, "fccl", flow->fccl);
}

static void add_grh(struct json_object *to, const struct hca_grh *grh)
{
	char gid[INET6_ADDRSTRLEN];

	add_text(to, "sgid", inet_ntop(AF_INET6, grh->sgid.raw, gid, sizeof(gid)));
	add_text(to, "dgid", inet_ntop(AF_INET6, grh->dgid.raw, gid, sizeof(gid)));
}

static void add_bth(struct json_object *to, const struct hca_bth *bth)
{
	add_number(to, "pkey", bth->pkey);
	add_number(to, "destqp", bth->destqp);
	add_number(to, "psn", bth->psn);
	add_flag(to, "ackreq", bth->flags & HCA_BTH_ACKREQ);
	add_flag(to, "solicited", bth->flags & HCA_BTH_SOLICITED);
}

static void add_rdeth(struct json_object *to, const struct hca_headers *h)
{
	add_number(to, "eecn", h->rdeth_eecn);
}

static void add_deth(struct json_object *to, const struct hca_headers *h)
{
	add_number(to, "srcqp", h->deth.srcqp);
	add_number(to, "qkey", h->deth.qkey);
}

static void add_xrceth(struct json_object *to, const struct hca_headers *h)
{
	add_number(to, "srqn", h->xrceth_srqn);
}

static void add_feth(struct json_object *to, const struct hca_headers *h)
{
	add_number(to, "placement", h->feth.placement);
	add_number(to, "selectivity", h->feth.selectivity);
}

static void add_reth(struct json_object *to, const struct hca_headers *h)
{
	add_number(to, "va", h->reth.va);
	add_number(to, "rkey", h->reth.rkey);
	add_number(to, "message_length", h->reth.length);
}

static void add_atomiceth(struct json_object *to, const struct hca_headers *h)
{
	add_number(to, "va", h->atomiceth.va);
	add_number(to, "rkey", h->atomiceth.rkey);
	add_number(to, "swap_add", h->atomiceth.swap_add);
	add_number(to, "compare", h->atomiceth.compare);
}

static void add_aeth(struct json_object *to, const struct hca_headers *h)
{
	u8 syndrome = h->aeth.syndrome;
	char text[SYNDROME_OCTETS];

	add_number(to, "syndrome", syndrome);
	add_text(to, "acknowledge", syndrome_text(syndrome, text));
	if (syndrome_kind(syndrome) == SYNDROME_RNR_NAK)
		add_number(to, "rnr_timer_us", syndrome_rnr_us(syndrome));
	add_number(to, "msn", h->aeth.msn);
}

static void add_atomicacketh(struct json_object *to, const struct hca_headers *h)
{
	add_number(to, "original", h->atomicack_original);
}

static void add_immdt(struct json_object *to, const struct hca_headers *h)
{
	add_number(to, "immediate", be32_to_cpu(h->immdt));
}

static void add_ieth(struct json_object *to, const struct hca_headers *h)
{
	add_number(to, "invalidate_rkey", h->ieth_rkey);
}

static void add_extended_headers(struct json_object *to, const struct hca_headers *h)
{
	static const struct {
		u32 flag;
		void (*add)(struct json_object *to, const struct hca_headers *h);
	} headers[] = {
		{ HCA_HAS_DETH, add_deth },
		{ HCA_HAS_RDETH, add_rdeth },
		{ HCA_HAS_XRCETH, add_xrceth },
		{ HCA_HAS_FETH, add_feth },
		{ HCA_HAS_RETH, add_reth },
		{ HCA_HAS_ATOMICETH, add_atomiceth },
		{ HCA_HAS_AETH, add_aeth },
		{ HCA_HAS_ATOMICACKETH, add_atomicacketh },
		{ HCA_HAS_IMMDT, add_immdt },
		{ HCA_HAS_IETH, add_ieth },
	};
	size_t i;

	for (i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		if (hca_opcodes[h->bth.opcode].flags & headers[i].flag)
			headers[i].add(to, h);
}

static struct json_object *mad_object(const struct packet *packet)
{
	const struct mad mad = mad_parse(packet->mad);
	struct json_object *to = json_object_new_object();

	add_named(to, "class", mad_class_name(&mad), mad.class);
	add_named(to, "method", mad_method_name(&mad), mad.method);
	add_named(to, "attribute", mad_attribute_name(&mad), mad.attribute);
	add_number(to, "modifier", mad.modifier);
	add_number(to, "status", mad.status);
	add_number(to, "tid", mad.tid);
	if (mad.is_directed) {
		add_flag(to, "returning", mad.is_returning);
		add_number(to, "hop_pointer", mad.hop_pointer);
		add_number(to, "hop_count", mad.hop_count);
	}
	return to;
}

static void add_headers(struct json_object *to, const struct packet *packet)
{
	add_text(to, "opcode", packet_name(packet));
	add_number(to, "payload", packet->payload_bytes);
	if (packet->h.lrh.lnh == IB_LNH_IBA_GLOBAL)
		add_grh(to, &packet->h.grh);
	if (packet->is_raw)
		return;
	add_bth(to, &packet->h.bth);
	add_extended_headers(to, &packet->h);
}

void line_print_json(FILE *to, const struct packet *packet, bool checked)
{
	struct json_object *line = json_object_new_object();
	const char *fault;
	bool cut;

	add_capture(line, packet);
	if (packet->is_stream)
		fpdu_add_json(line, packet);
	if (packet->has_lrh)
		add_lrh(line, &packet->h.lrh);
	if (packet->has_flow) {
		add_text(line, "opcode", packet_name(packet));
		add_flow(line, &packet->flow);
	}
	if (packet->has_headers)
		add_headers(line, packet);
	if (packet->mad)
		json_object_object_add(line, packet->is_smp ? "smp" : "gmp", mad_object(packet));
	fault = checked ? packet_fault(packet, &cut) : NULL;
	if (fault)
		add_text(line, "fault", fault);
	fprintf(to, "%s\n", json_object_to_json_string_ext(line, JSON_FLAGS));
	json_object_put(line);
}
