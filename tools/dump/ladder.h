/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A sequence diagram of packets. It has a column for each port, a column for each LID whose port is
 * not captured, a column for each end of an RNIC's connections, and an arrow for each packet.
 */
#ifndef HCADUMP_LADDER_H
#define HCADUMP_LADDER_H

#include <stdio.h>
#include "packet.h"
#include "place.h"

/* The largest number of events in a diagram. Later events are left out. */
#define LADDER_MAX_EVENTS 10000
/*
 * The largest number of columns. If there are more ports and LIDs, the rest share the last column.
 */
#define LADDER_MAX_COLUMNS 12

enum ladder_place { LADDER_LID, LADDER_PORT, LADDER_END };

struct ladder_column {
	enum ladder_place place;
	u16 number; /* the LID, or the port's interface number; unused: the end of a connection */
	char name[PLACE_OCTETS];
	/*
	 * @qpn is valid; it is the destination QP of packets to this column, other than QP0, QP1
	 * and the multicast QPN
	 */
	bool has_qpn;
	bool has_qpns; /* packets to this column have several destination QPs */
	u32 qpn;
};

enum ladder_kind {
	LADDER_OTHER,
	LADDER_REQUEST,
	LADDER_RESPONSE,
	LADDER_REFUSAL, /* the packet is a NAK or an RNR NAK */
	LADDER_MANAGEMENT,
	LADDER_NUM_KINDS,
};

#define LADDER_NAME_OCTETS 80
#define LADDER_DETAIL_OCTETS 40

struct ladder_event {
	u64 time_ns;
	u8 from, to; /* indices of the columns */
	enum ladder_kind kind;
	u32 marks; /* enum mark */
	char name[LADDER_NAME_OCTETS];
	bool has_bth; /* psn and qpn are valid */
	u32 psn, qpn;
	char headers[LADDER_DETAIL_OCTETS]; /* of an FPDU; otherwise empty */
};

struct ladder {
	unsigned int num_columns;
	struct ladder_column columns[LADDER_MAX_COLUMNS];
	unsigned int num_events;
	struct ladder_event events[LADDER_MAX_EVENTS];
	u64 left_out; /* number of packets that are left out because the diagram is full */
};

struct ladder *ladder_new(void);
void ladder_free(struct ladder *ladder);

/*
 * Adds a packet that has an LRH, a start-up frame or an FPDU. If a packet was captured at both ends
 * of a cable, only the sent packet is added.
 */
void ladder_add(struct ladder *ladder, const struct packet *packet);

/*
 * Returns whether the queue pair of a column is printed at the column's head, instead of on each
 * arrow. This requires that the column has only one queue pair. It also requires that there are at
 * most two columns, because otherwise arrows may cross a column.
 */
bool ladder_has_qpn(const struct ladder *ladder, unsigned int column);

/*
 * Writes the text that follows the name of an event: the PSN and, unless the column's head shows
 * it, the destination QP, or what tells an FPDU from others of its kind. Return: @text, a buffer of
 * LADDER_DETAIL_OCTETS octets.
 */
const char *ladder_detail(const struct ladder *ladder, const struct ladder_event *event,
			  char *text);

#define LADDER_DURATION_OCTETS 32

/*
 * Writes the time between an event and the previous one, if it is much longer than @typical_ns.
 * Return: @text, a buffer of LADDER_DURATION_OCTETS octets; NULL if the time is not long.
 */
const char *ladder_pause(const struct ladder *ladder, unsigned int event, u64 typical_ns,
			 char *text);

/* Returns the median of the times between events. */
u64 ladder_typical_ns(const struct ladder *ladder);

void ladder_print_text(FILE *to, const struct ladder *ladder);
void ladder_print_svg(FILE *to, const struct ladder *ladder);

#endif
