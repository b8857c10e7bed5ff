// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Scripts of the model of an iWARP peer: what it sends, as text (peer.h lists the commands). */
#include <check.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>
#include "tests/unit/iwarp/peer.h"

#define LINE_MAX_OCTETS 4096
#define NOT_GIVEN (-1)

/* The options of a command. */
struct line {
	struct peer_start start;
	struct peer_read_request read;
	struct peer_faults faults;
	u32 stag, invalidate, error;
	u64 to;
	u8 ddp_reserved, rdmap_reserved;
	s64 opcode, tagged, dv, rv, qn, msn, length, cut, octets;
	u32 mo, payload;
	u64 first;
	bool more;
	const char *hex;
};

struct command {
	const char *name;
	void (*run)(struct peer *peer, const struct command *c, struct line *line);
	bool is_reply;
	u8 opcode;
	bool tagged;
	u8 qn;
};

#define NUMBER(name, member) \
	{ name, offsetof(struct line, member), sizeof(((struct line *)0)->member) }
#define FLAG(name, member) { name, offsetof(struct line, member), 0 }

static const struct option {
	const char *name;
	size_t offset;
	u32 size; /* 0: a flag, without a value */
} script_options[] = {
	FLAG("crc", start.crc), FLAG("markers", start.markers), FLAG("reject", start.rejected),
	FLAG("enhanced", start.enhanced), FLAG("p2p", start.peer_to_peer),
	FLAG("rtr-send", start.rtr_send), FLAG("rtr-write", start.rtr_write),
	FLAG("rtr-read", start.rtr_read), FLAG("more", more),
	FLAG("bad-crc", faults.crc), FLAG("bad-marker", faults.marker),
	FLAG("bad-pad", faults.pad),
	NUMBER("rev", start.revision), NUMBER("reserved", start.reserved),
	NUMBER("ird", start.ird), NUMBER("ord", start.ord),
	NUMBER("stag", stag), NUMBER("to", to), NUMBER("inval", invalidate),
	NUMBER("error", error), NUMBER("sink", read.sink_stag), NUMBER("sinkto", read.sink_to),
	NUMBER("size", read.size), NUMBER("src", read.source_stag),
	NUMBER("srcto", read.source_to), NUMBER("payload", payload), NUMBER("first", first),
	NUMBER("opcode", opcode), NUMBER("tagged", tagged), NUMBER("dv", dv), NUMBER("rv", rv),
	NUMBER("ddpreserved", ddp_reserved), NUMBER("rdmapreserved", rdmap_reserved),
	NUMBER("qn", qn), NUMBER("msn", msn), NUMBER("mo", mo), NUMBER("length", length),
	NUMBER("cut", cut), NUMBER("octets", octets),
};

static void script_store(struct line *line, const struct option *option, u64 value)
{
	void *member = (u8 *)line + option->offset;

	switch (option->size) {
	case 0:
		*(bool *)member = true;
		break;
	case 1:
		*(u8 *)member = value;
		break;
	case 2:
		*(u16 *)member = value;
		break;
	case 4:
		*(u32 *)member = value;
		break;
	default:
		*(u64 *)member = value;
	}
}

static u32 script_hex(const char *text, u8 *octets, u32 max)
{
	char digits[3] = "";
	u32 count = 0;

	for (; text && text[0] && text[1]; text += 2) {
		ck_assert_uint_lt(count, max);
		memcpy(digits, text, 2);
		octets[count++] = strtoul(digits, NULL, 16);
	}
	return count;
}

static void script_option(struct line *line, char *token)
{
	char *value = strchr(token, '='), *end;
	u32 i;

	if (value)
		*value++ = '\0';
	if (!strcmp(token, "hex") && value) {
		line->hex = value;
		return;
	}
	if (!strcmp(token, "pd") && value) {
		line->start.private_length = script_hex(value, line->start.private_data,
							PEER_PRIVATE_MAX);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(script_options); i++)
		if (!strcmp(script_options[i].name, token) && !!value == !!script_options[i].size)
			break;
	ck_assert_msg(i < ARRAY_SIZE(script_options), "peer script: option %s", token);
	if (value) {
		script_store(line, &script_options[i], strtoull(value, &end, 0));
		ck_assert_msg(*value && !*end, "peer script: %s=%s", token, value);
	} else {
		script_store(line, &script_options[i], 1);
	}
}

static void script_start(struct peer *peer, const struct command *c, struct line *line)
{
	struct peer_start *start = &line->start;
	u32 before = peer->out_length;

	start->is_reply = c->is_reply;
	start->pd_length = line->length != NOT_GIVEN ? line->length :
			   start->private_length + (start->enhanced ? 4 : 0);
	peer_put_start(peer, start);
	if (line->octets != NOT_GIVEN)
		peer->out_length = before + line->octets;
}

static u64 script_or(s64 given, u64 usual)
{
	return given == NOT_GIVEN ? usual : (u64)given;
}

/* The header of a segment; its queue's MSN is used up by a last segment. */
static void script_header(struct peer *peer, const struct command *c, const struct line *line,
			  struct peer_header *header)
{
	u32 qn = script_or(line->qn, c->qn);

	*header = (struct peer_header){
		.tagged = script_or(line->tagged, c->tagged), .last = !line->more,
		.ddp_reserved = line->ddp_reserved, .dv = script_or(line->dv, 1),
		.rv = script_or(line->rv, 1), .rdmap_reserved = line->rdmap_reserved,
		.opcode = script_or(line->opcode, c->opcode), .stag = line->stag, .to = line->to,
		.invalidate = line->invalidate, .qn = qn, .mo = line->mo,
	};
	if (header->tagged)
		return;
	header->msn = script_or(line->msn, qn < PEER_QUEUES ? peer->msn[qn] : 1);
	if (line->msn == NOT_GIVEN && header->last && qn < PEER_QUEUES)
		peer->msn[qn]++;
}

/* The octets behind the header: those of the command, then those of the options. */
static u32 script_payload(const struct command *c, const struct line *line, u8 *payload, u32 max)
{
	u32 length = 0, i;

	if (c->opcode == 1 && !c->tagged && line->opcode == NOT_GIVEN) {
		peer_read_pack(&line->read, payload);
		length = 28;
	} else if (c->opcode == 7) {
		payload[0] = line->error >> 8;
		payload[1] = line->error;
		payload[2] = 0;
		payload[3] = 0;
		length = 4;
	}
	length += script_hex(line->hex, payload + length, max - length);
	ck_assert_uint_le(line->payload, max - length);
	for (i = 0; i < line->payload; i++)
		payload[length++] = peer_pattern(line->first + i);
	return length;
}

static void script_fpdu(struct peer *peer, const struct command *c, struct line *line)
{
	static u8 payload[PEER_ULPDU_MAX - 18], ulpdu[PEER_ULPDU_MAX]; /* static for their size */
	struct peer_header header;
	u32 length;

	script_header(peer, c, line, &header);
	length = script_payload(c, line, payload, sizeof(payload));
	length = peer_ulpdu_pack(&header, payload, length, ulpdu);
	if (line->cut != NOT_GIVEN)
		length = line->cut;
	if (line->length != NOT_GIVEN) {
		line->faults.has_length = true;
		line->faults.length = line->length;
	}
	peer_put_fpdu(peer, ulpdu, length, &line->faults);
}

static void script_agree(struct peer *peer, const struct command *c, struct line *line)
{
	peer_agree(peer);
}

static void script_fin(struct peer *peer, const struct command *c, struct line *line)
{
	peer->fin = true;
}

static void script_reset(struct peer *peer, const struct command *c, struct line *line)
{
	peer->reset = true;
}

static const struct command commands[] = {
	{ "request", script_start, .is_reply = false },
	{ "reply", script_start, .is_reply = true },
	{ "agree", script_agree },
	{ "write", script_fpdu, .opcode = 0, .tagged = true },
	{ "read", script_fpdu, .opcode = 1, .qn = 1 },
	{ "response", script_fpdu, .opcode = 2, .tagged = true },
	{ "send", script_fpdu, .opcode = 3 },
	{ "send-inv", script_fpdu, .opcode = 4 },
	{ "send-se", script_fpdu, .opcode = 5 },
	{ "send-se-inv", script_fpdu, .opcode = 6 },
	{ "terminate", script_fpdu, .opcode = 7, .qn = 2 },
	{ "fin", script_fin },
	{ "reset", script_reset },
};

static void script_raw(struct peer *peer, const char *hex)
{
	u8 octets[LINE_MAX_OCTETS / 2];

	ck_assert_msg(hex != NULL, "peer script: raw without octets");
	peer_put(peer, octets, script_hex(hex, octets, sizeof(octets)));
}

static void script_line(struct peer *peer, char *text)
{
	struct line line = {
		.start.revision = 1, .stag = 1, .read.sink_stag = 1, .read.source_stag = 1,
		.opcode = NOT_GIVEN, .tagged = NOT_GIVEN, .dv = NOT_GIVEN, .rv = NOT_GIVEN,
		.qn = NOT_GIVEN, .msn = NOT_GIVEN, .length = NOT_GIVEN, .cut = NOT_GIVEN,
		.octets = NOT_GIVEN,
	};
	char *token, *rest = text, *name = strtok_r(rest, " \t", &rest);
	u32 i;

	if (!name)
		return;
	if (!strcmp(name, "raw")) {
		script_raw(peer, strtok_r(rest, " \t", &rest));
		return;
	}
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			break;
	ck_assert_msg(i < ARRAY_SIZE(commands), "peer script: command %s", name);
	while ((token = strtok_r(NULL, " \t", &rest)))
		script_option(&line, token);
	commands[i].run(peer, &commands[i], &line);
}

void peer_run(struct peer *peer, const char *script)
{
	char text[LINE_MAX_OCTETS];
	size_t length;

	while (*script) {
		length = strcspn(script, ";\n");
		ck_assert_uint_lt(length, sizeof(text));
		memcpy(text, script, length);
		text[length] = '\0';
		script_line(peer, text);
		script += length + (script[length] != '\0');
	}
}
