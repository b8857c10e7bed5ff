// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Collects the columns and arrows of a sequence diagram. */
#include "ladder.h"
#include <stdlib.h>
#include <string.h>
#include "linux/hca_tap.h"
#include "mad.h"
#include "mark.h"
#include "syndrome.h"
#include "tools/lib/append.h"
#include "tools/lib/memory.h"
#include "wire/opcode.h"

struct ladder *ladder_new(void)
{
	return need(calloc(1, sizeof(struct ladder)));
}

void ladder_free(struct ladder *ladder)
{
	free(ladder);
}

/* --- columns ------------------------------------------------------------------------------ */

static bool is_column(const struct ladder_column *column, enum ladder_place place, u16 number,
		      const char *name)
{
	return column->place == place && column->number == number &&
	       (place != LADDER_END || !strcmp(column->name, name));
}

/*
 * Returns the column of a port, a LID or the end of a connection, which is added if there is none.
 * The caller sets the name of a new column. Only ends of connections are compared by @name.
 */
static u8 get_column(struct ladder *ladder, enum ladder_place place, u16 number, const char *name)
{
	struct ladder_column *column = ladder->columns;
	u8 i;

	for (i = 0; i < ladder->num_columns; i++, column++)
		if (is_column(column, place, number, name))
			return i;
	if (i == LADDER_MAX_COLUMNS) {
		strcpy(ladder->columns[i - 1].name, "others");
		return i - 1;
	}
	ladder->num_columns++;
	*column = (struct ladder_column){ .place = place, .number = number };
	return i;
}

static u8 port_column(struct ladder *ladder, u16 interface, const char *port)
{
	unsigned int before = ladder->num_columns;
	u8 i = get_column(ladder, LADDER_PORT, interface, NULL);

	if (ladder->num_columns > before)
		place_text(interface, port, ladder->columns[i].name);
	return i;
}

static u8 lid_column(struct ladder *ladder, u16 lid)
{
	unsigned int before = ladder->num_columns;
	u8 i = get_column(ladder, LADDER_LID, lid, NULL);

	if (ladder->num_columns == before)
		return i;
	if (lid == HCA_LID_PERMISSIVE)
		strcpy(ladder->columns[i].name, "other end");
	else
		snprintf(ladder->columns[i].name, PLACE_OCTETS,
			 lid < HCA_LID_MULTICAST ? "LID %u" : "LID 0x%04x", lid);
	return i;
}

/*
 * Returns the column for the other end of a packet's route: the peer port if it is known, otherwise
 * @lid.
 */
static u8 far_column(struct ladder *ladder, const struct packet *packet, u16 lid)
{
	return packet->has_peer ?
	       port_column(ladder, packet->peer_interface, packet->peer_port) :
	       lid_column(ladder, lid);
}

static void set_columns(struct ladder *ladder, struct ladder_event *event,
			const struct packet *packet)
{
	const struct hca_lrh *lrh = &packet->h.lrh;

	switch (packet->direction) {
	case HCA_TAP_OUT:
		event->from = port_column(ladder, packet->interface, packet->port);
		event->to = far_column(ladder, packet, lrh->dlid);
		break;
	case HCA_TAP_IN:
		event->from = far_column(ladder, packet, lrh->slid);
		event->to = port_column(ladder, packet->interface, packet->port);
		break;
	default:
		event->from = lid_column(ladder, lrh->slid);
		event->to = lid_column(ladder, lrh->dlid);
	}
}

static u8 end_column(struct ladder *ladder, const char *end)
{
	unsigned int before = ladder->num_columns;
	u8 i = get_column(ladder, LADDER_END, 0, end);

	if (ladder->num_columns > before)
		snprintf(ladder->columns[i].name, PLACE_OCTETS, "%s", end);
	return i;
}

static void set_ends(struct ladder *ladder, struct ladder_event *event,
		     const struct packet *packet)
{
	char end[FPDU_END_OCTETS];

	event->from = end_column(ladder, fpdu_source(packet, end));
	event->to = end_column(ladder, fpdu_destination(packet, end));
}

static void note_qpn(struct ladder_column *column, u32 qpn)
{
	if (qpn < 2 || qpn == HCA_QPN_MULTICAST)
		return;
	if (column->has_qpn && column->qpn != qpn)
		column->has_qpns = true;
	column->has_qpn = true;
	column->qpn = qpn;
}

/* --- events ------------------------------------------------------------------------------- */

static enum ladder_kind fpdu_kind(const struct packet *packet)
{
	const struct fpdu *fpdu = &packet->fpdu;

	if (fpdu->has_frame)
		return LADDER_MANAGEMENT;
	if (!fpdu->has_header)
		return LADDER_OTHER;
	if (fpdu->opcode == HCA_RDMAP_TERMINATE)
		return LADDER_REFUSAL;
	return fpdu->opcode == HCA_RDMAP_READ_RESPONSE ? LADDER_RESPONSE : LADDER_REQUEST;
}

static enum ladder_kind kind_of(const struct packet *packet)
{
	u32 has;

	if (packet->is_stream)
		return fpdu_kind(packet);
	if (packet->mad)
		return LADDER_MANAGEMENT;
	if (!packet->has_headers || packet->is_raw)
		return LADDER_OTHER;
	has = hca_opcodes[packet->h.bth.opcode].flags;
	if (has & HCA_HAS_AETH && syndrome_kind(packet->h.aeth.syndrome) != SYNDROME_ACK)
		return LADDER_REFUSAL;
	return has & HCA_IS_RESPONSE ? LADDER_RESPONSE : LADDER_REQUEST;
}

static bool is_acknowledge(const struct packet *packet)
{
	return packet->has_headers && !packet->is_raw &&
	       hca_opcode_operation(packet->h.bth.opcode) == IB_OPCODE_ACKNOWLEDGE;
}

/*
 * Writes the name of an acknowledgment with the meaning of its syndrome, as in "RC ACK credits 32".
 */
static void acknowledge_name(const struct packet *packet, char *name)
{
	const char *opcode = packet_name(packet);
	char text[SYNDROME_OCTETS];

	snprintf(name, LADDER_NAME_OCTETS, "%.*s %s", (int)strcspn(opcode, " "), opcode,
		 syndrome_text(packet->h.aeth.syndrome, text));
}

static void set_name(struct ladder_event *event, const struct packet *packet)
{
	struct mad mad;

	if (packet->mad) {
		mad = mad_parse(packet->mad);
		mad_text(&mad, event->name);
	} else if (is_acknowledge(packet)) {
		acknowledge_name(packet, event->name);
	} else {
		snprintf(event->name, sizeof(event->name), "%s", packet_name(packet));
	}
}

static void set_bth(struct ladder *ladder, struct ladder_event *event,
		    const struct packet *packet)
{
	const struct hca_headers *h = &packet->h;

	if (!packet->has_headers || packet->is_raw || packet->mad)
		return;
	event->has_bth = true;
	event->psn = h->bth.psn;
	event->qpn = h->bth.destqp;
	note_qpn(&ladder->columns[event->to], event->qpn);
}

/* Sets what tells an FPDU from others of its kind: the place of its payload, or its number. */
static void set_headers(struct ladder_event *event, const struct packet *packet)
{
	const struct hca_ddp *ddp = &packet->fpdu.ddp;

	if (!packet->fpdu.has_header)
		return;
	if (ddp->tagged)
		snprintf(event->headers, sizeof(event->headers), "stag 0x%08x", ddp->stag);
	else
		snprintf(event->headers, sizeof(event->headers), "msn %u", ddp->msn);
}

static void set_packet(struct ladder *ladder, struct ladder_event *event,
		       const struct packet *packet)
{
	set_columns(ladder, event, packet);
	set_name(event, packet);
	set_bth(ladder, event, packet);
}

static void set_fpdu(struct ladder *ladder, struct ladder_event *event,
		     const struct packet *packet)
{
	set_ends(ladder, event, packet);
	set_name(event, packet);
	set_headers(event, packet);
}

/* Returns whether a received packet already has an arrow, which was added for the sent packet. */
static bool is_drawn_as_sent(const struct packet *packet)
{
	return packet->is_shown || (packet->marks & MARK_DAMAGED && packet->has_peer &&
				    packet->direction == HCA_TAP_IN);
}

void ladder_add(struct ladder *ladder, const struct packet *packet)
{
	struct ladder_event *event;

	if ((!packet->has_lrh && !packet->is_stream) || is_drawn_as_sent(packet))
		return;
	if (ladder->num_events == LADDER_MAX_EVENTS) {
		ladder->left_out++;
		return;
	}
	event = &ladder->events[ladder->num_events++];
	*event = (struct ladder_event){
		.time_ns = packet->time_ns,
		.kind = kind_of(packet),
		.marks = packet->marks,
	};
	if (packet->is_stream)
		set_fpdu(ladder, event, packet);
	else
		set_packet(ladder, event, packet);
}

bool ladder_has_qpn(const struct ladder *ladder, unsigned int column)
{
	return ladder->num_columns <= 2 && ladder->columns[column].has_qpn &&
	       !ladder->columns[column].has_qpns;
}

const char *ladder_detail(const struct ladder *ladder, const struct ladder_event *event,
			  char *text)
{
	size_t used;

	memcpy(text, event->headers, LADDER_DETAIL_OCTETS);
	if (!event->has_bth)
		return text;
	used = text_append(text, LADDER_DETAIL_OCTETS, 0, "psn 0x%06x", event->psn);
	if (!ladder_has_qpn(ladder, event->to))
		text_append(text, LADDER_DETAIL_OCTETS, used, " qp %u", event->qpn);
	return text;
}

/* --- pauses ------------------------------------------------------------------------------- */

/* The smallest length of a pause in ns. */
#define PAUSE_NS 1000000
/* The smallest ratio of a pause to the median time between events. */
#define PAUSE_FACTOR 10

static u64 ladder_difference(const struct ladder *ladder, unsigned int event)
{
	u64 before = ladder->events[event - 1].time_ns, time = ladder->events[event].time_ns;

	return time > before ? time - before : 0;
}

static int compare_ns(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

u64 ladder_typical_ns(const struct ladder *ladder)
{
	unsigned int i, count = ladder->num_events ? ladder->num_events - 1 : 0;
	u64 *sorted = need(calloc(count + 1, sizeof(*sorted))), median;

	for (i = 0; i < count; i++)
		sorted[i] = ladder_difference(ladder, i + 1);
	qsort(sorted, count, sizeof(*sorted), compare_ns);
	median = sorted[count / 2];
	free(sorted);
	return median;
}

const char *ladder_pause(const struct ladder *ladder, unsigned int event, u64 typical_ns,
			 char *text)
{
	static const struct {
		u64 ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" } };
	u64 ns = event ? ladder_difference(ladder, event) : 0;
	unsigned int i = ns < units[0].ns;

	if (ns < PAUSE_NS || ns / PAUSE_FACTOR < typical_ns)
		return NULL;
	snprintf(text, LADDER_DURATION_OCTETS, "%.*f %s", ns < 10 * units[i].ns,
		 (double)ns / units[i].ns, units[i].name);
	return text;
}
