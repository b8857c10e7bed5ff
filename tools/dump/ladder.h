/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A sequence diagram of packets: a column for each port, or for each LID whose port is not
 * captured, and an arrow for each packet.
 */
#ifndef HCADUMP_LADDER_H
#define HCADUMP_LADDER_H

#include <stdio.h>
#include "packet.h"
#include "place.h"

/* Limits of a diagram. Later events are left out; further ports and LIDs share the last column. */
#define LADDER_MAX_EVENTS 10000
#define LADDER_MAX_COLUMNS 12

struct ladder_column {
	bool is_port;
	u16 number; /* the port's interface, or a LID */
	char name[PLACE_OCTETS];
	bool has_qpn; /* qpn is the destination QP of packets, apart from QP0 and QP1 */
	bool has_qpns; /* packets have several destination QPs */
	u32 qpn;
};

enum ladder_kind {
	LADDER_OTHER,
	LADDER_REQUEST,
	LADDER_RESPONSE,
	LADDER_REFUSAL, /* NAK, RNR NAK */
	LADDER_MANAGEMENT,
	LADDER_NUM_KINDS,
};

#define LADDER_NAME_OCTETS 80

struct ladder_event {
	u64 time_ns;
	u8 from, to; /* columns */
	enum ladder_kind kind;
	u32 marks; /* enum mark */
	char name[LADDER_NAME_OCTETS];
	bool has_bth; /* psn and qpn are valid */
	u32 psn, qpn;
};

struct ladder {
	unsigned int num_columns;
	struct ladder_column columns[LADDER_MAX_COLUMNS];
	unsigned int num_events;
	struct ladder_event events[LADDER_MAX_EVENTS];
	u64 left_out; /* packets for which there was no room */
};

struct ladder *ladder_new(void);
void ladder_free(struct ladder *ladder);

/* Adds a packet, unless it is a flow-control packet. A packet that has arrived is added once. */
void ladder_add(struct ladder *ladder, const struct packet *packet);

/*
 * Returns whether the only queue pair of a column is printed in its head instead of on each arrow.
 * It is printed on the arrows if there are more than two columns, since packets may then pass a
 * column on their way.
 */
bool ladder_has_qpn(const struct ladder *ladder, unsigned int column);

#define LADDER_DETAIL_OCTETS 40

/*
 * Writes the text that an arrow has behind its name.
 * Return: @text, which has LADDER_DETAIL_OCTETS octets.
 */
const char *ladder_detail(const struct ladder *ladder, const struct ladder_event *event,
			  char *text);

#define LADDER_DURATION_OCTETS 32

/*
 * Writes the time between an event and the previous one, if it is long compared with the other
 * times.
 * Return: @text, which has LADDER_DURATION_OCTETS octets; otherwise NULL.
 */
const char *ladder_pause(const struct ladder *ladder, unsigned int event, u64 typical_ns,
			 char *text);

/* Returns the median of the times between events. */
u64 ladder_typical_ns(const struct ladder *ladder);

void ladder_print_text(FILE *to, const struct ladder *ladder);
void ladder_print_svg(FILE *to, const struct ladder *ladder);

#endif
