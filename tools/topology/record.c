// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Parses records. A record is the line of a node, followed by a line for each port that has a link.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include "reader.h"
#include "scan.h"
#include "tools/lib/memory.h"

/* Texts that ibnetdiscover writes after a description. */
static const char *const description_ends[] = {
	" enhanced port 0", " base port 0", " lid ", " lmc ",
};

/*
 * Parses a description after '#', with or without quotes. *text is set to its beginning, and *rest
 * to its end. Return: the length of the description.
 */
static size_t scan_description(const char **rest, const char **text)
{
	const char *end, *last;
	size_t i, length;

	scan_blanks(rest);
	*text = *rest;
	/* A description may contain quotes, so it ends with the last one. */
	last = strrchr(*rest, '"');
	if (**rest == '"' && last > *rest) {
		*text = *rest + 1;
		*rest = last + 1;
		return last - *text;
	}
	length = strlen(*text);
	for (i = 0; i < sizeof(description_ends) / sizeof(description_ends[0]); i++) {
		end = strstr(*text, description_ends[i]);
		if (end && (size_t)(end - *text) < length)
			length = end - *text;
	}
	*rest = *text + length;
	while (length && strchr(" \t", (*text)[length - 1]))
		length--;
	return length;
}

/* Parses "lid 3 lmc 0"; both parts are optional. Return: false if a number is out of range. */
static bool read_lid(struct reader *reader, const char **rest, struct topology_port *port)
{
	uint64_t number;

	scan_blanks(rest);
	if (scan_mark(rest, "lid ")) {
		/* All 16-bit LIDs are accepted, even those above 0xbfff, which are not unicast. */
		if (!scan_number(rest, 0xffff, &number))
			return fault(reader, "a LID must be 0 to 65535"), false;
		port->lid = number;
	}
	if (scan_mark(rest, "lmc ")) {
		if (!scan_number(rest, 7, &number))
			return fault(reader, "an LMC must be 0 to 7"), false;
		port->lmc = number;
	}
	return true;
}

/*
 * Parses the comment after a node, which may have a description, and for a switch also a LID and
 * an LMC.
 */
static void read_node_comment(struct reader *reader, struct topology_node *node, const char *rest)
{
	const char *text;
	size_t length;

	if (!scan_mark(&rest, "#")) {
		read_end(reader, rest);
		return;
	}
	length = scan_description(&rest, &text);
	if (length > TOPOLOGY_DESCRIPTION_MAX) {
		fault(reader, "the description has %zu octets; a NodeDescription has %d", length,
		      TOPOLOGY_DESCRIPTION_MAX);
		return;
	}
	if (length)
		node->description = need(strndup(text, length));
	if (node->type != NODE_SWITCH)
		return;
	node->enhanced = scan_mark(&rest, "enhanced port 0");
	if (node->enhanced || scan_mark(&rest, "base port 0"))
		read_lid(reader, &rest, &node->ports[0]);
}

static void add_node(struct reader *reader, enum node_type type, const char *name, size_t length,
		     unsigned int ports, const char *rest)
{
	char copy[TOPOLOGY_NAME_MAX + 1];
	struct topology_node *node;

	memcpy(copy, name, length);
	copy[length] = '\0';
	node = topology_add_node(reader->topology, type, copy, reader->next_guid[type], ports);
	node->place = reader->place;
	node->system_guid = reader->system_guid;
	node->vendor = reader->vendor;
	node->device = reader->device;
	if (type == NODE_SWITCH && reader->switch_port_guid)
		node->ports[0].guid = reader->switch_port_guid;
	reader->node = reader->topology->num_nodes - 1;
	/* The next default GUID is the one that ibsim assigns. */
	reader->next_guid[type] += type == NODE_SWITCH ? 1 : ports + 1;
	reader->switch_port_guid = 0;
	reader->system_guid = 0;
	reader->vendor = 0;
	reader->device = 0;
	read_node_comment(reader, node, rest);
}

/*
 * Parses the line of a node, such as:
 *
 * Switch	36 "S-0002c90300001234"		# "description" enhanced port 0 lid 3 lmc 0
 */
static void read_node(struct reader *reader, enum node_type type, const char *rest,
		      unsigned int max)
{
	const char *name;
	size_t i, length;
	uint64_t ports;

	reader->node = NO_NODE;
	scan_blanks(&rest);
	if (!scan_number(&rest, max, &ports) || !ports) {
		fault(reader, "behind the type there must be a number of ports, 1 to %u", max);
		return;
	}
	scan_blanks(&rest);
	if (!scan_quoted(&rest, &name, &length)) {
		fault(reader, "behind the number of ports there must be a name, as in \"node1\"");
		return;
	}
	if (!length || length > TOPOLOGY_NAME_MAX) {
		fault(reader, "the name has %zu octets; it must have 1 to %d", length,
		      TOPOLOGY_NAME_MAX);
		return;
	}
	for (i = 0; i < length; i++)
		if (name[i] < ' ' || name[i] > '~' || strchr("#@", name[i])) {
			fault(reader, "a name must be printable ASCII without '#' and '@'");
			return;
		}
	add_node(reader, type, name, length, ports, rest);
}

void read_switch(struct reader *reader, const char *rest)
{
	read_node(reader, NODE_SWITCH, rest, TOPOLOGY_SWITCH_PORTS);
}

void read_ca(struct reader *reader, const char *rest)
{
	read_node(reader, NODE_CA, rest, TOPOLOGY_CA_PORTS);
}

/* Parses a heading above a group of nodes. It is ignored, because each node has a record. */
void read_heading(struct reader *reader, const char *rest)
{
	(void)rest;
	reader->node = NO_NODE;
}

/*
 * Parses the optional details of a port: [ext 3], which is its number on the chassis, and
 * (2c90300001235), which is its GUID.
 */
static bool read_port_details(struct reader *reader, const char **rest, uint64_t *guid)
{
	uint64_t number;

	*guid = 0;
	if (scan_mark(rest, "[ext ") &&
	    !(scan_number(rest, UINT32_MAX, &number) && scan_text(rest, "]"))) {
		fault(reader, "behind '[ext' there must be a number and ']'");
		return false;
	}
	if (scan_mark(rest, "(") && !(scan_hex(rest, guid) && *guid && scan_text(rest, ")"))) {
		fault(reader, "in parentheses there must be the port's GUID, as in "
		      "(2c90300001235)");
		return false;
	}
	return true;
}

static const struct {
	char letter;
	const char *keyword;
	unsigned int min, max;
	size_t offset; /* offset of the mask in struct rate_masks */
} port_options[] = {
	{ 'w', "width", 1, RATE_WIDTH_MAX, offsetof(struct rate_masks, width) },
	{ 's', "speed", 1, RATE_SPEED_MAX, offsetof(struct rate_masks, speed) },
	{ 'e', "extspeed", 0, RATE_EXTENDED_MASK, offsetof(struct rate_masks, extended) },
};

#define NUM_PORT_OPTIONS (sizeof(port_options) / sizeof(port_options[0]))

/* Parses a port's mask in the form w=2, s=7 or e=0, or with a long keyword, as in width=2. */
static bool read_port_option(struct reader *reader, const char **rest, struct claim *claim)
{
	const char *keyword;
	uint64_t number;
	size_t i, length;

	scan_keyword(rest, &keyword, &length);
	for (i = 0; i < NUM_PORT_OPTIONS; i++)
		if ((length == 1 && *keyword == port_options[i].letter) ||
		    (length == strlen(port_options[i].keyword) &&
		     !memcmp(keyword, port_options[i].keyword, length)))
			break;
	if (i == NUM_PORT_OPTIONS || !scan_mark(rest, "=")) {
		fault(reader, "'%.40s' is none of: w=MASK, s=MASK, e=MASK, # comment", keyword);
		return false;
	}
	if (port_options[i].offset == offsetof(struct rate_masks, extended) &&
	    read_extended(reader, rest, &claim->masks.extended))
		return true;
	if (!scan_number(rest, port_options[i].max, &number) || number < port_options[i].min) {
		fault(reader, "%c= must have a mask behind it, %u to %u", port_options[i].letter,
		      port_options[i].min, port_options[i].max);
		return false;
	}
	*(unsigned int *)((char *)&claim->masks + port_options[i].offset) = number;
	return true;
}

/*
 * Parses the comment of a port's line. For a switch's port, the comment has the peer's description
 * and LID, and the rate: "description" lid 4 4xEDR. For an adapter's port, the port's own LID comes
 * first: lid 4 lmc 0 "description" lid 3 4xEDR. Other comments are ignored.
 */
static void read_port_comment(struct reader *reader, struct topology_port *port,
			      struct claim *claim, const char *rest)
{
	const char *own = rest, *last = strrchr(rest, '"'), *rate;
	char highest[RATE_TEXT];
	uint64_t lid;

	if (!last)
		return;
	if (!read_lid(reader, &own, port))
		return;
	rest = last + 1;
	if (!scan_mark(&rest, "lid ") || !scan_number(&rest, 0xffff, &lid))
		return;
	scan_blanks(&rest);
	rate = rest;
	rest += strcspn(rest, " \t");
	/* ibnetdiscover writes question marks if it does not know the rate. */
	if (rate == rest || memchr(rate, '?', rest - rate) ||
	    rate_parse(rate, rest - rate, &claim->rate))
		return;
	if (rate_parse_unknown(rate, rest - rate, &claim->rate))
		oddity(reader, "the rate %.*s is not known; %s is taken", (int)(rest - rate), rate,
		       rate_format(&claim->rate, highest));
	else
		fault(reader, "'%.*s' is not a rate, as in 4xEDR", (int)(rest - rate), rate);
}

/* Parses the rest of a port's line after the peer's name. */
static void read_claim(struct reader *reader, struct topology_port *port, struct claim *claim,
		       const char *rest)
{
	uint64_t number = 1;

	if (scan_mark(&rest, "[") &&
	    !(scan_number(&rest, UINT32_MAX, &number) && scan_text(&rest, "]"))) {
		fault(reader, "behind the peer's name there must be its port, as in [1]");
		return;
	}
	claim->peer_port = number;
	if (!read_port_details(reader, &rest, &claim->peer_guid))
		return;
	for (;;) {
		scan_blanks(&rest);
		if (!*rest)
			return;
		if (scan_text(&rest, "#")) {
			read_port_comment(reader, port, claim, rest);
			return;
		}
		if (!read_port_option(reader, &rest, claim))
			return;
	}
}

/*
 * Parses the line of a port, such as:
 *
 * [1](2c90300001235) "S-0002c90300001234"[5] # lid 4 lmc 0 "description" lid 3 4xEDR
 */
void read_port(struct reader *reader, const char *rest)
{
	struct topology_node *node;
	struct claim *claim;
	uint64_t number, guid;
	const char *peer;
	size_t length;

	if (reader->node == NO_NODE) {
		fault(reader, "no node is above this port; there must be a line Switch, Ca or Hca "
			      "and no empty one between");
		return;
	}
	node = &reader->topology->nodes[reader->node];
	if (!scan_number(&rest, node->num_ports, &number) || !number || !scan_text(&rest, "]")) {
		fault(reader, "the line must begin with a port of \"%s\", [1] to [%u]", node->name,
		      node->num_ports);
		return;
	}
	if (!read_port_details(reader, &rest, &guid))
		return;
	scan_blanks(&rest);
	if (!scan_quoted(&rest, &peer, &length) || !length) {
		fault(reader, "behind the port there must be its peer, as in \"node1\"[1]");
		return;
	}
	if (guid && node->type == NODE_CA)
		node->ports[number].guid = guid;
	claim = claims_add(&reader->claims, peer, length);
	claim->from = (struct topology_end){ reader->node, number };
	claim->place = reader->place;
	claim->masks = reader->masks;
	read_claim(reader, &node->ports[number], claim, rest);
}
