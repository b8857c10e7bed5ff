/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A node that is asked by MADs. libibmad, which the management tools are built on, writes and
 * reads the fields, so that it and not our own tables says where they are.
 */
#ifndef HCA_TESTS_AGENT_H
#define HCA_TESTS_AGENT_H

#include <linux/kernel.h>
#include <linux/string.h>
#include <check.h>
#include <infiniband/mad.h>
#include "fabric/node.h"
#include "sma/agent.h"
#include "wire/mad.h"

#define DATA 64 /* an attribute's place in the MAD, in every class there is */
#define M_KEY 0x1122334455667788ull
#define OTHER_KEY 0x8877665544332211ull

union agent_mad {
	struct hca_mad mad;
	u8 octets[HCA_MAD_BYTES];
};

/* An adapter with two ports, the first with a cable and so in Init, and a MAD layer above. */
extern struct hca_node agent_node;
/* Who is asked: this adapter, unless a test has another node. */
extern struct hca_node *agent_target;
extern struct hca_port agent_ports[3];
/* The latest request and its answer. */
extern union agent_mad agent_rq, agent_rsp;

/* The events there have been. */
struct agent_event {
	u8 port;
	enum hca_port_event event;
};

extern struct agent_event agent_seen[16];
extern unsigned int agent_num_seen;

/* A request, with an attribute of zeros. */
void agent_request(u8 class, u8 method, u16 attr, u32 mod);
void agent_put(enum MAD_FIELDS field, u32 value);
void agent_put64(enum MAD_FIELDS field, u64 value);
void agent_put_key(u64 m_key);

/* Ask at a port. An answer has what every answer takes over from its request. */
enum hca_agent_result agent_ask_at(u8 port);
/* Ask at port 1, for an answer: its status, direction bit and all. */
u16 agent_ask(void);
/* The same for a Get of subnet management. */
u16 agent_get(u16 attr, u32 mod);
u32 agent_got(enum MAD_FIELDS field);
u64 agent_got64(enum MAD_FIELDS field);

/* Make a request of the latest answer: a Set to what there is, for the test to change. */
void agent_change(void);

#define agent_assert_events(...)                                                                   \
	do {                                                                                       \
		static const enum hca_port_event want_[] = { __VA_ARGS__ };                        \
		unsigned int i_;                                                                   \
		ck_assert_uint_eq(agent_num_seen, ARRAY_SIZE(want_));                              \
		for (i_ = 0; i_ < agent_num_seen; i_++) {                                          \
			ck_assert_int_eq(agent_seen[i_].event, want_[i_]);                         \
			ck_assert_uint_eq(agent_seen[i_].port, 1);                                 \
		}                                                                                  \
		agent_num_seen = 0;                                                                \
	} while (0)

/* Add tests, the last one NULL, each of which finds the node fresh. */
void agent_add_tests(Suite *suite, const char *name, const TTest *const *tests);

/* One test that does so for each number below @count. */
void agent_add_loop_test(Suite *suite, const char *name, const TTest *test, int count);

#endif
