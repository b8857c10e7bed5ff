/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A record of the packets on the cable of a pair, with losses and packets injected by a test. */
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
	/* whether the newest packet is to be dropped; NULL: none is */
	bool (*lose)(struct trace *trace, const struct traced *t);
	int towards; /* direction for trace_lose_nth() and trace_cut(): 0 or 1, or -1 for both */
	unsigned int nth, seen;
};

/* Record all packets of a pair from now on; only one record exists at a time. */
struct trace *trace_on(struct pair *pair);

bool trace_lose_nth(struct trace *trace, const struct traced *t);
bool trace_pass_n(struct trace *trace, const struct traced *t); /* drops all but the first nth */
bool trace_cut(struct trace *trace, const struct traced *t);

/* Number of packets with this opcode that came to a receiver; opcode -1: any. */
unsigned int trace_count(const struct trace *trace, int receiver, int opcode);

/* The first packet with this opcode at index @from or later, or NULL. */
const struct traced *trace_find(const struct trace *trace, int receiver, int opcode,
				unsigned int from);

/* Number of acknowledgements with this kind of AETH syndrome (HCA_SYNDROME_KIND). */
unsigned int trace_count_kind(const struct trace *trace, int receiver, u8 kind);

/* Composes request @i, which occupies a responder resource, and does not post it. */
typedef void (*trace_compose)(struct pair_end *from, struct pair_end *to, int i);

/*
 * Post 40 requests with max_rd_atomic @depth at the first end. Assert that all complete, and that
 * at most @depth are outstanding at a time. Each is one packet and is answered by one.
 */
void trace_expect_depth(struct trace *trace, struct pair *pair, int depth, trace_compose compose);

/*
 * Post 8 requests although the responder permits one at a time. Assert that it refuses one of them.
 * Return the number of those before it.
 */
int trace_exceed_depth(struct pair *pair, trace_compose compose);

/* Pass a packet with these headers to an end; its payload is the low octet of its PSN. */
void trace_inject(struct pair *pair, int receiver, const struct hca_headers *h, u32 payload);

#endif
