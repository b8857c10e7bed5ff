// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Adds the fields of start-up frames and FPDUs to JSON objects. */
#include "json_add.h"

static void add_stream(struct json_object *to, const struct packet *packet)
{
	char end[FPDU_END_OCTETS];

	if (packet->stream.qpn)
		add_number(to, "qp", packet->stream.qpn);
	add_text(to, "source", fpdu_source(packet, end));
	add_text(to, "destination", fpdu_destination(packet, end));
	add_number(to, "offset", packet->stream.offset);
	add_flag(to, "markers", packet->stream.flags & HCA_TAP_MARKERS);
	if (packet->stream.flags & HCA_TAP_KEPT)
		add_flag(to, "kept", true);
}

static void add_frame(struct json_object *to, const struct hca_mpa_frame *frame)
{
	struct json_object *mpa = json_object_new_object();

	add_number(mpa, "revision", frame->revision);
	add_flag(mpa, "crc", frame->crc);
	add_flag(mpa, "markers", frame->markers);
	add_flag(mpa, "rejected", frame->rejected);
	add_number(mpa, "private", frame->private_length);
	if (frame->enhanced) {
		add_number(mpa, "ird", frame->ird);
		add_number(mpa, "ord", frame->ord);
		add_flag(mpa, "peer_to_peer", frame->peer_to_peer);
	}
	json_object_object_add(to, "mpa", mpa);
}

static void add_ddp(struct json_object *to, const struct fpdu *fpdu)
{
	const struct hca_ddp *ddp = &fpdu->ddp;

	add_number(to, "payload", fpdu->payload);
	add_flag(to, "last", ddp->last);
	if (ddp->tagged) {
		add_number(to, "stag", ddp->stag);
		add_number(to, "to", ddp->to);
		return;
	}
	add_number(to, "qn", ddp->qn);
	add_number(to, "msn", ddp->msn);
	add_number(to, "mo", ddp->mo);
	if (hca_rdmap_ops[fpdu->opcode].invalidates)
		add_number(to, "invalidate_stag", ddp->ulp_tail);
}

static void add_read(struct json_object *to, const struct hca_read_request *read)
{
	add_number(to, "size", read->size);
	add_number(to, "sink_stag", read->sink_stag);
	add_number(to, "sink_to", read->sink_to);
	add_number(to, "source_stag", read->source_stag);
	add_number(to, "source_to", read->source_to);
}

static void add_terminate(struct json_object *to, const struct hca_terminate *terminate)
{
	const char *name = hca_iwarp_error_str(terminate->error);

	add_number(to, "error", terminate->error);
	if (name)
		add_text(to, "error_name", name);
}

void fpdu_add_json(struct json_object *to, const struct packet *packet)
{
	const struct fpdu *fpdu = &packet->fpdu;

	add_text(to, "opcode", fpdu_name(packet));
	add_stream(to, packet);
	if (fpdu->has_frame)
		add_frame(to, &fpdu->frame);
	if (!(packet->stream.flags & HCA_TAP_STARTUP))
		add_text(to, "crc", fpdu_crc_text(packet));
	if (fpdu->has_header)
		add_ddp(to, fpdu);
	if (fpdu->has_read)
		add_read(to, &fpdu->read);
	if (fpdu->has_terminate)
		add_terminate(to, &fpdu->terminate);
}
