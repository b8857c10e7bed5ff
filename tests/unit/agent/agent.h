/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A node that MADs manage. libibmad, which the management tools are built on, writes and reads the
 * fields of the MADs, so that it and not the project's own tables defines where they are.
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

#define DATA 64 /* offset of the attribute's data in the MAD, for every class */
#define M_KEY 0x1122334455667788ull
#define OTHER_KEY 0x8877665544332211ull

union agent_mad {
	struct hca_mad mad;
	u8 octets[HCA_MAD_BYTES];
};

/*
 * An adapter with two ports, the first with a cable and therefore in Init, and a MAD layer above.
 */
extern struct hca_node agent_node;
/* The node that requests are sent to: agent_node, unless a test sets another. */
extern struct hca_node *agent_dest;
extern struct hca_port agent_ports[3];
/* The latest request and its response. */
extern union agent_mad agent_rq, agent_rsp;

/* Port events in the order of their occurrence. */
struct agent_event {
	u8 port;
	enum hca_port_event event;
};

extern struct agent_event agent_seen[16];
extern unsigned int agent_num_seen;

/* Begin a request, whose attribute is zeros. */
void agent_request(u8 class, u8 method, u16 attr, u32 mod);
void agent_put(enum MAD_FIELDS field, u32 value);
void agent_put64(enum MAD_FIELDS field, u64 value);
void agent_put_key(u64 m_key);

/* Send the request at a port. Asserts that a response has the fields that every response copies. */
enum hca_agent_result agent_ask_at(u8 port);
/*
 * Send the request at port 1 and assert a response. Returns its status, the direction bit included.
 */
u16 agent_ask(void);
/* Send a Get of subnet management at port 1 and assert a response. Returns its status. */
u16 agent_get(u16 attr, u32 mod);
u32 agent_got(enum MAD_FIELDS field);
u64 agent_got64(enum MAD_FIELDS field);

/*
 * Make the latest response the next request: a Set to the present values, for the test to change.
 */
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

/* Add tests to a suite, the last one NULL; each of them begins with a new node. */
void agent_add_tests(Suite *suite, const char *name, const TTest *const *tests);

/* Add one test that is run for each number below @count, each time with a new node. */
void agent_add_loop_test(Suite *suite, const char *name, const TTest *test, int count);

#endif
