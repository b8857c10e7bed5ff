/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints a packet on one line, for people or for programs. */
#ifndef HCADUMP_LINE_H
#define HCADUMP_LINE_H

#include <stdio.h>
#include "packet.h"
#include "time_style.h"

struct line_style {
	struct time_style time;
	bool colored;
	bool verbose; /* all headers are printed */
	bool checked; /* errors of packets are printed */
};

void line_print(FILE *to, const struct packet *packet, struct line_style *style);

/* Prints a packet as a JSON object. Errors of the packet are included if @checked is true. */
void line_print_json(FILE *to, const struct packet *packet, bool checked);

#endif
