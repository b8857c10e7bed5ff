// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The texts of the addresses and headers of FPDUs and start-up frames. */
#include <arpa/inet.h>
#include <stdio.h>
#include "fpdu.h"
#include "packet.h"
#include "tools/lib/append.h"

static const char *end_text(u8 family, const u8 *address, u16 port, char *text)
{
	char host[INET6_ADDRSTRLEN];

	if (family != HCA_TAP_IPV4 && family != HCA_TAP_IPV6) {
		text_append(text, FPDU_END_OCTETS, 0, "unknown:%u", port);
		return text;
	}
	inet_ntop(family == HCA_TAP_IPV6 ? AF_INET6 : AF_INET, address, host, sizeof(host));
	text_append(text, FPDU_END_OCTETS, 0, family == HCA_TAP_IPV6 ? "[%s]:%u" : "%s:%u", host,
		    port);
	return text;
}

static const char *stream_end(const struct packet *packet, bool is_local, char *text)
{
	const struct hca_tap_stream *stream = &packet->stream;

	return is_local ? end_text(stream->family, stream->local, stream->local_port, text) :
			  end_text(stream->family, stream->remote, stream->remote_port, text);
}

const char *fpdu_source(const struct packet *packet, char *text)
{
	return stream_end(packet, packet->direction != HCA_TAP_IN, text);
}

const char *fpdu_destination(const struct packet *packet, char *text)
{
	return stream_end(packet, packet->direction == HCA_TAP_IN, text);
}

#define ADD(...) (used = text_append(text, FPDU_TEXT_OCTETS, used, __VA_ARGS__))

static const char *frame_text(const struct hca_mpa_frame *frame, char *text)
{
	size_t used = 0;

	ADD(" revision %u", frame->revision);
	if (frame->crc)
		ADD(" crc");
	if (frame->markers)
		ADD(" markers");
	if (frame->enhanced)
		ADD(" ird %u ord %u", frame->ird, frame->ord);
	if (frame->enhanced && frame->peer_to_peer)
		ADD(" rtr%s%s%s", frame->rtr_send ? " send" : "", frame->rtr_write ? " write" : "",
		    frame->rtr_read ? " read" : "");
	ADD(" private %u", frame->private_length);
	return text;
}

static size_t ddp_text(const struct fpdu *fpdu, char *text)
{
	const struct hca_ddp *ddp = &fpdu->ddp;
	size_t used = 0;

	if (!hca_rdmap_ops[fpdu->opcode].name)
		ADD(" %u", fpdu->opcode);
	if (ddp->tagged)
		ADD(" stag 0x%08x to 0x%llx", ddp->stag, (unsigned long long)ddp->to);
	else
		ADD(" qn %u msn %u mo %u", ddp->qn, ddp->msn, ddp->mo);
	if (!ddp->tagged && hca_rdmap_ops[fpdu->opcode].invalidates)
		ADD(" invalidate 0x%08x", ddp->ulp_tail);
	if (ddp->last)
		ADD(" last");
	return used;
}

static void message_text(const struct fpdu *fpdu, size_t used, char *text)
{
	const struct hca_read_request *read = &fpdu->read;
	const char *error;

	if (fpdu->has_read)
		ADD(" of %u sink 0x%08x at 0x%llx source 0x%08x at 0x%llx", read->size,
		    read->sink_stag, (unsigned long long)read->sink_to, read->source_stag,
		    (unsigned long long)read->source_to);
	if (!fpdu->has_terminate)
		return;
	error = hca_iwarp_error_str(fpdu->terminate.error);
	ADD(" error 0x%04x (%s)", fpdu->terminate.error, error ? error : "unknown");
}

const char *fpdu_text(const struct packet *packet, char *text)
{
	const struct fpdu *fpdu = &packet->fpdu;
	size_t used = 0;

	text[0] = 0;
	if (fpdu->has_frame)
		return frame_text(&fpdu->frame, text);
	if (!fpdu->has_header)
		return text;
	used = ddp_text(fpdu, text);
	message_text(fpdu, used, text);
	return text;
}
