// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints packets as JSON, one on each line. Fields that a packet does not have are omitted. */
#include <json-c/json.h>
#include "line.h"
#include "linux/hca_tap.h"
#include "mad.h"
#include "wire/opcode.h"

static void add_number(struct json_object *to, const char *key, u64 value)
{
	json_object_object_add(to, key, json_object_new_uint64(value));
}

static void add_text(struct json_object *to, const char *key, const char *value)
{
	json_object_object_add(to, key, json_object_new_string(value));
}

/* Adds a name, or the number if it has no name. */
static void add_named(struct json_object *to, const char *key, const char *name, u64 number)
{
	if (name)
		add_text(to, key, name);
	else
		add_number(to, key, number);
}

static void add_capture(struct json_object *to, const struct packet *packet)
{
	add_number(to, "time_ns", packet->time_ns);
	if (packet->port)
		add_text(to, "port", packet->port);
	if (packet->direction)
		add_text(to, "direction", packet->direction == HCA_TAP_IN ? "in" : "out");
	if (packet->lost)
		add_number(to, "lost", packet->lost);
	add_number(to, "length", packet->length);
	add_number(to, "captured", packet->captured);
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

static void add_bth(struct json_object *to, const struct hca_headers *h)
{
	u32 has = hca_opcodes[h->bth.opcode].flags;

	add_number(to, "pkey", h->bth.pkey);
	add_number(to, "destqp", h->bth.destqp);
	add_number(to, "psn", h->bth.psn);
	json_object_object_add(to, "ackreq",
			       json_object_new_boolean(!!(h->bth.flags & HCA_BTH_ACKREQ)));
	if (has & HCA_HAS_DETH) {
		add_number(to, "srcqp", h->deth.srcqp);
		add_number(to, "qkey", h->deth.qkey);
	}
	if (has & HCA_HAS_RDETH)
		add_number(to, "eecn", h->rdeth_eecn);
	if (has & HCA_HAS_XRCETH)
		add_number(to, "srqn", h->xrceth_srqn);
	if (has & HCA_HAS_FETH) {
		add_number(to, "placement", h->feth.placement);
		add_number(to, "selectivity", h->feth.selectivity);
	}
	if (has & HCA_HAS_RETH) {
		add_number(to, "va", h->reth.va);
		add_number(to, "rkey", h->reth.rkey);
		add_number(to, "message_length", h->reth.length);
	}
	if (has & HCA_HAS_AETH) {
		add_number(to, "syndrome", h->aeth.syndrome);
		add_number(to, "msn", h->aeth.msn);
	}
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
		add_number(to, "hop_pointer", mad.hop_pointer);
		add_number(to, "hop_count", mad.hop_count);
	}
	return to;
}

void line_print_json(FILE *to, const struct packet *packet, const struct line_style *style)
{
	struct json_object *line = json_object_new_object();
	const char *fault;
	bool cut;

	add_capture(line, packet);
	if (packet->has_lrh)
		add_lrh(line, &packet->h.lrh);
	if (packet->has_flow) {
		add_text(line, "opcode", packet_name(packet));
		add_flow(line, &packet->flow);
	}
	if (packet->has_headers) {
		add_text(line, "opcode", packet_name(packet));
		add_number(line, "payload", packet->payload_bytes);
		if (!packet->is_raw)
			add_bth(line, &packet->h);
	}
	if (packet->mad)
		json_object_object_add(line, packet->is_smp ? "smp" : "gmp", mad_object(packet));
	fault = style->checked ? packet_fault(packet, &cut) : NULL;
	if (fault)
		add_text(line, "fault", fault);
	fprintf(to, "%s\n", json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN));
	json_object_put(line);
}
