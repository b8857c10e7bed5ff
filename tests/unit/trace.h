/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What went over the cable, what of it got lost, and what is put on it by hand. */
#ifndef HCA_TESTS_TRACE_H
#define HCA_TESTS_TRACE_H

#include "pair.h"
#include "transport/aeth.h"
#include "wire/opcode.h"

#define TRACE_PACKETS 8192

struct traced {
	int receiver; /* 0 or 1 */
	bool lost;
	u32 payload;
	struct hca_headers h;
};

struct trace {
	struct traced packet[TRACE_PACKETS];
	unsigned int n;
	/* Is this one, the newest, lost? NULL: none is. */
	bool (*lose)(struct trace *trace, const struct traced *t);
	int towards; /* for trace_lose_nth() and trace_cut(): 0 or 1, or -1 for both */
	unsigned int nth, seen;
};

/* Begin to note all packets of a pair; one at a time. */
struct trace *trace_on(struct pair *pair);

bool trace_lose_nth(struct trace *trace, const struct traced *t);
bool trace_pass_n(struct trace *trace, const struct traced *t); /* all but the first nth */
bool trace_cut(struct trace *trace, const struct traced *t);

/* How many such packets came to a receiver; opcode -1: any. */
unsigned int trace_count(const struct trace *trace, int receiver, int opcode);

/* The first such packet from @from on, or NULL. */
const struct traced *trace_find(const struct trace *trace, int receiver, int opcode,
				unsigned int from);

/* How many acknowledgements of this kind of syndrome (HCA_SYNDROME_KIND). */
unsigned int trace_count_kind(const struct trace *trace, int receiver, u8 kind);

/* Have an end take a packet with these headers; its payload is the low octet of its PSN. */
void trace_inject(struct pair *pair, int receiver, const struct hca_headers *h, u32 payload);

#endif
