// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The records that sdprun's library keeps of sockets that may still become TCP sockets. */
#include <check.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/suites.h"
#include "tools/sdp/pending.h"

static int make_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static unsigned int count_recorded(const struct pending *pending)
{
	unsigned int i, count = 0;

	for (i = 0; i < PENDING_OPTIONS; i++)
		count += pending->options[i].complete;
	return count;
}

START_TEST(a_socket_is_found_until_it_is_closed)
{
	int fd = make_socket(), other;

	ck_assert_ptr_null(pending_find(fd));
	ck_assert(pending_add(fd, AF_INET6));
	ck_assert_ptr_nonnull(pending_find(fd));
	ck_assert_int_eq(pending_find(fd)->domain, AF_INET6);
	other = make_socket();
	ck_assert_int_eq(dup2(other, fd), fd);
	ck_assert_ptr_null(pending_find(fd));
	close(other);
	close(fd);
	ck_assert_ptr_null(pending_find(fd));
}
END_TEST

START_TEST(a_socket_is_removed)
{
	int fd = make_socket();

	ck_assert(pending_add(fd, AF_INET));
	pending_remove(pending_find(fd));
	ck_assert_ptr_null(pending_find(fd));
	close(fd);
}
END_TEST

START_TEST(descriptors_without_a_record)
{
	ck_assert(!pending_add(PENDING_DESCRIPTORS, AF_INET));
	ck_assert_ptr_null(pending_find(PENDING_DESCRIPTORS));
	ck_assert_ptr_null(pending_find(-1));
}
END_TEST

START_TEST(options_that_are_recorded)
{
	unsigned char value[PENDING_VALUE + 1] = { 7 };
	struct pending *pending;
	int fd = make_socket(), i;

	ck_assert(pending_add(fd, AF_INET));
	pending = pending_find(fd);
	pending_record(pending, SOL_SOCKET, SO_ATTACH_FILTER, value, 16);
	pending_record(pending, IPPROTO_IP, 1, value, PENDING_VALUE + 1);
	ck_assert_uint_eq(count_recorded(pending), 0);
	/* of another level, it is no filter */
	pending_record(pending, IPPROTO_IP, SO_ATTACH_FILTER, value, PENDING_VALUE);
	pending_record(pending, IPPROTO_TCP, 2, NULL, 0);
	ck_assert_uint_eq(count_recorded(pending), 2);
	ck_assert_int_eq(pending->options[0].level, IPPROTO_IP);
	ck_assert_int_eq(pending->options[0].name, SO_ATTACH_FILTER);
	ck_assert_uint_eq(pending->options[0].length, PENDING_VALUE);
	ck_assert_mem_eq(pending->options[0].value, value, PENDING_VALUE);
	for (i = 0; i < 2 * PENDING_OPTIONS; i++)
		pending_record(pending, SOL_SOCKET, i, value, 4);
	ck_assert_uint_eq(count_recorded(pending), PENDING_OPTIONS);
	ck_assert_int_eq(pending->options[PENDING_OPTIONS - 1].name, PENDING_OPTIONS - 3);
	/* another socket of that descriptor begins anew */
	ck_assert(pending_add(fd, AF_INET));
	ck_assert_uint_eq(count_recorded(pending), 0);
	close(fd);
}
END_TEST

Suite *sdp_pending_suite(void)
{
	Suite *suite = suite_create("sdp_pending");
	TCase *tc = tcase_create("sdp_pending");

	tcase_add_test(tc, a_socket_is_found_until_it_is_closed);
	tcase_add_test(tc, a_socket_is_removed);
	tcase_add_test(tc, descriptors_without_a_record);
	tcase_add_test(tc, options_that_are_recorded);
	suite_add_tcase(suite, tc);
	return suite;
}
