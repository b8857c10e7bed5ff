// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Messages between two RNICs: Send, Write and Read, their order, and their completions. */
#include <check.h>
#include <stdlib.h>
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define A (&rnics.end[0])
#define B (&rnics.end[1])

START_TEST(one_send)
{
	rnics_setup();
	rnics_begin(NULL);
	rnics_connect();
	rnics_recv(B, 1, 0, 100);
	rnics_send(A, 2, 1000, 60);
	rnics_settle();
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert(rnics_same(1000, 0, 60));
	ck_assert(!rnics_same(1000, 0, 61));
	rnics_end();
}
END_TEST

Suite *iwarp_messages_suite(void)
{
	Suite *suite = suite_create("iwarp_messages");
	TCase *tc = tcase_create("messages");

	tcase_add_test(tc, one_send);
	suite_add_tcase(suite, tc);
	return suite;
}
