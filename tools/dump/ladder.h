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

/* What is beyond is left out; others share the last column. */
#define LADDER_MAX_EVENTS 10000
#define LADDER_MAX_COLUMNS 12

struct ladder_column {
	bool is_port;
	u16 number; /* the port's interface, or a LID */
	char name[PLACE_OCTETS];
	bool has_qpn; /* packets are for the queue pair of this number, except QP0 and QP1 */
	bool has_qpns; /* ... and for others */
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
	bool has_bth; /* the next two members */
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

/* Adds a packet, but no flow-control packet. A packet that has arrived is added once. */
void ladder_add(struct ladder *ladder, const struct packet *packet);

/*
 * Whether the one queue pair of a column is printed in its head, in place of on each arrow. With
 * more than two columns, packets may only pass there.
 */
bool ladder_has_qpn(const struct ladder *ladder, unsigned int column);

#define LADDER_DETAIL_OCTETS 40

/* Writes what an arrow has behind its name. Return: @text, which has LADDER_DETAIL_OCTETS. */
const char *ladder_detail(const struct ladder *ladder, const struct ladder_event *event,
			  char *text);

#define LADDER_DURATION_OCTETS 32

/*
 * Writes the time between an event and the one before, if it is long beside the others.
 * Return: @text, which has LADDER_DURATION_OCTETS octets, or NULL.
 */
const char *ladder_pause(const struct ladder *ladder, unsigned int event, u64 typical_ns,
			 char *text);

/* Returns the median of the times between events. */
u64 ladder_typical_ns(const struct ladder *ladder);

void ladder_print_text(FILE *to, const struct ladder *ladder);
void ladder_print_svg(FILE *to, const struct ladder *ladder);

#endif
