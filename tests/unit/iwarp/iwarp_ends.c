// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Start-up, errors and ends of an RNIC's connection, at whose other end is the model of a peer. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define A (&rnics.end[0])
#define B (&rnics.end[1])

static void ends_serve(void)
{
	rnics_setup();
	rnics_begin_peer(NULL);
	rnics_serve_peer();
}

/* Expect a Terminate message from the RNIC, and nothing behind it (req P1-131). */
static void ends_terminate(u16 error)
{
	const struct peer_terminate *t = &rnics.peer->fpdu.terminate;

	ck_assert(rnics_peer_fpdu());
	ck_assert_uint_eq(rnics.peer->fpdu.header.opcode, 7);
	ck_assert_uint_eq(rnics.peer->fpdu.header.qn, 2); /* P1-126 */
	ck_assert_uint_eq(rnics.peer->fpdu.header.msn, 1);
	ck_assert(rnics.peer->fpdu.has_crc);
	ck_assert_uint_eq(t->control[0] << 8 | t->control[1], error);
	ck_assert(!rnics_peer_fpdu());
	ck_assert_uint_eq(rnics_state(A), IB_QPS_SQE);
}

/* T0-124, P1-T04 to P1-T06, P1-T09, P1-T10: segments that end the stream, and how. */
static const struct {
	const char *script;
	u16 error;
} bad_segments[] = {
	{ "send opcode=8", HCA_ERR_RDMAP_OPCODE },
	{ "write opcode=15", HCA_ERR_RDMAP_OPCODE },
	{ "send rv=0", HCA_ERR_RDMAP_VERSION },
	{ "send dv=2", HCA_ERR_DDP_UNTAGGED_VERSION },
	{ "write dv=0", HCA_ERR_DDP_TAGGED_VERSION },
	{ "send qn=1", HCA_ERR_RDMAP_OPCODE },
	{ "send qn=3", HCA_ERR_DDP_QN },
	{ "send msn=2", HCA_ERR_DDP_MSN },
	{ "send mo=1", HCA_ERR_DDP_MO },
	{ "send", HCA_ERR_DDP_NO_BUFFER },
	{ "read mo=4", HCA_ERR_DDP_MO },
	{ "read more", HCA_ERR_DDP_TOO_LONG },
	{ "read cut=45", HCA_ERR_MPA_MARKER },
	{ "write cut=13", HCA_ERR_MPA_MARKER },
	{ "send bad-crc payload=10", HCA_ERR_MPA_CRC },
	{ "response", HCA_ERR_RDMAP_OPCODE },
	{ "write stag=0x1234 payload=8", HCA_ERR_DDP_STAG },
	{ "read src=0x1234 size=8", HCA_ERR_RDMAP_STAG },
	{ "send-inv inval=0x1234", HCA_ERR_DDP_NO_BUFFER },
	{ "write more payload=0; response", HCA_ERR_RDMAP_OPCODE },
	{ "terminate more error=0x1202", HCA_ERR_DDP_TOO_LONG },
};

START_TEST(bad_segment)
{
	ends_serve();
	rnics_peer(bad_segments[_i].script);
	ends_terminate(bad_segments[_i].error);
	ck_assert_uint_eq(A->it->origin, HCA_TERMINATE_LOCAL); /* T0-132 */
	rnics_peer("fin");
	ck_assert_uint_eq(rnics_state(A), IB_QPS_ERR);
	rnics_end();
}
END_TEST

/* P1-178, P1-T26, R0-205: the first of two errors is reported. */
START_TEST(first_error)
{
	ends_serve();
	rnics_peer("send rv=0; send dv=2");
	ends_terminate(HCA_ERR_RDMAP_VERSION);
	rnics_end();
}
END_TEST

/* P1-118, P1-T12: a Send that is too long fails the receive request, and writes nothing. */
START_TEST(send_too_long)
{
	u8 before[128];

	ends_serve();
	memcpy(before, A->memory, sizeof(before));
	rnics_recv(A, 1, 0, 100);
	rnics_peer("send payload=101");
	rnics_expect(&A->recv_cq, 1, IB_WC_LOC_LEN_ERR);
	ck_assert_mem_eq(before, A->memory, sizeof(before));
	ends_terminate(HCA_ERR_DDP_TOO_LONG);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL] + A->events[HCA_QP_REQUEST_ERROR], 0);
	rnics_end();
}
END_TEST

/* T0-127: an FPDU with a wrong CRC does not change memory. */
START_TEST(crc_error)
{
	char script[100];
	u8 before[64];

	ends_serve();
	memcpy(before, A->memory, sizeof(before));
	snprintf(script, sizeof(script), "write stag=%u to=%u payload=64 bad-crc", A->mr->key,
		 RNICS_BASE);
	rnics_peer(script);
	ends_terminate(HCA_ERR_MPA_CRC);
	ck_assert_mem_eq(before, A->memory, sizeof(before));
	rnics_end();
}
END_TEST

/* T0-123, R0-162: a Terminate that arrives is kept, and not answered. */
START_TEST(terminate_arrives)
{
	ends_serve();
	rnics_recv(A, 1, 0, 100);
	rnics_peer("terminate error=0x1205");
	ck_assert(!rnics_peer_fpdu());
	ck_assert_uint_eq(A->it->origin, HCA_TERMINATE_REMOTE);
	ck_assert_uint_eq(A->it->terminate.error, HCA_ERR_DDP_TOO_LONG);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 1);
	rnics_expect(&A->recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	rnics_end();
}
END_TEST

/* T0-122, R0-159: the consumer's SQE sends a Terminate 0/0/00 without an event (req R0-173). */
START_TEST(modify_sqe)
{
	ends_serve();
	rnics_peer("write"); /* a responder sends nothing before the first FPDU */
	ck_assert_int_eq(rnics_modify(A, IB_QPS_SQE), 0);
	ends_terminate(HCA_ERR_RDMAP_LOCAL);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 0);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_SQD), -EINVAL); /* R0-176 */
	rnics_end();
}
END_TEST

/* T0-130, R0-163: the consumer's Error resets the stream, without a Terminate. */
START_TEST(modify_err)
{
	ends_serve();
	rnics_peer("write");
	ck_assert_int_eq(rnics_modify(A, IB_QPS_ERR), 0);
	ck_assert(!rnics_peer_fpdu());
	ck_assert_ptr_null(A->it->ep);
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(A->close_status, -ECONNRESET);
	rnics_end();
}
END_TEST

/* T0-120, R0-196: a close without errors flushes receives, and is no fatal event. */
START_TEST(graceful_close)
{
	rnics_setup();
	rnics_begin(NULL);
	rnics_connect();
	rnics_recv(A, 1, 0, 100);
	rnics_recv(B, 2, 0, 100);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_SQD), 0);
	rnics_settle();
	rnics_expect(&A->recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	rnics_expect(&B->recv_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL] + B->events[HCA_QP_FATAL], 0);
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_DISCONNECT], 1);
	ck_assert_int_eq(A->close_status, 0);
	ck_assert_int_eq(B->close_status, 0);
	/* librdmacm disconnects so, also behind the end. */
	ck_assert_int_eq(rnics_modify(A, IB_QPS_SQD), 0);
	ck_assert_uint_eq(A->qp->common.state, IB_QPS_ERR);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_RESET), 0); /* R0-175 */
	rnics_end();
}
END_TEST

/* T0-121, R0-156: a peer that closes while requests are outstanding gets a Terminate. */
START_TEST(peer_closes_early)
{
	ends_serve();
	rnics_peer("write");
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 10, 1, 0);
	ck_assert(rnics_peer_fpdu());
	rnics_peer("fin");
	ck_assert(rnics_peer_fpdu());
	ck_assert_uint_eq(rnics.peer->fpdu.terminate.code, 7);
	rnics_settle();
	rnics_expect(&A->send_cq, 1, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 1);
	rnics_end();
}
END_TEST

/* R0-245, T0-126: Reads that cannot be, without ORD or with two sinks. */
START_TEST(refused_read)
{
	rnics_setup();
	rnics.connect.ord = 0;
	rnics_begin(NULL);
	rnics_connect();
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 10, 1, 0);
	rnics_settle();
	rnics_expect(&A->send_cq, 1, IB_WC_LOC_QP_OP_ERR);
	ck_assert_uint_eq(B->it->origin, HCA_TERMINATE_REMOTE);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 0); /* R0-174 */
	rnics_end();
}
END_TEST

/* RFC 5044, 7.1: what is not a request ends the stream without an answer. */
static const char *const bad_starts[] = {
	"reply rev=1", "request rev=0", "request rev=3", "request rev=1 length=513",
	"request rev=2 enhanced length=3", "raw 00",
};

START_TEST(bad_start)
{
	rnics_setup();
	rnics_begin_peer(NULL);
	hca_startup_listen(&A->ep);
	rnics_peer(bad_starts[_i]);
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CONNECT_REQUEST], 0);
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CLOSE], 1);
	ck_assert(!peer_next_start(rnics.peer));
	rnics_end();
}
END_TEST

/* The initiator learns of a rejection, and its queue pair stays in Init. */
START_TEST(rejected)
{
	const struct hca_connect no = { .private_data = "no", .private_length = 2 };

	rnics_setup();
	rnics_begin(NULL);
	rnics_request();
	ck_assert_int_eq(hca_startup_reject(&B->ep, &no), 0);
	rnics_settle();
	ck_assert_int_eq(A->reply_status, -ECONNREFUSED);
	ck_assert_uint_eq(A->ep.peer.private_length, 2);
	ck_assert_uint_eq(rnics_state(A), IB_QPS_INIT);
	ck_assert_ptr_null(A->it->ep); /* R0-142 */
	rnics_end();
}
END_TEST

/* The other end has received the Send, and then the end of the connection, without an error. */
static void ends_in_order(void)
{
	rnics_settle();
	rnics_expect(&B->recv_cq, 2, IB_WC_SUCCESS);
	ck_assert_uint_eq(B->events[HCA_QP_FATAL], 0);
	ck_assert_int_eq(B->close_status, 0);
	rnics_end();
}

/* A Send that has completed reaches the peer, though its queue pair is destroyed behind a close. */
START_TEST(destroyed_after_close)
{
	const struct sim_stream_options slow = { .delay = 10, .segment = 10, .seed = _i };

	rnics_setup();
	rnics_begin(&slow);
	rnics_connect();
	rnics_recv(B, 2, 0, 100);
	rnics_send(A, 1, 0, 100);
	rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_SQD), 0);
	rnics_destroy(A);
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CLOSE], 1);
	ends_in_order();
}
END_TEST

/* Octets that have arrived are received, though a RST came behind them before anybody looked. */
START_TEST(reset_behind_octets)
{
	rnics_setup();
	rnics_begin(&(struct sim_stream_options){ .late = 3, .hides = _i % 2 * 2, .segment = 40,
						  .seed = _i });
	rnics_connect();
	rnics_recv(B, 2, 0, 100);
	rnics_send(A, 1, 0, 100);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_ERR), 0);
	rnics_settle();
	rnics_expect(&B->recv_cq, 2, IB_WC_SUCCESS);
	ck_assert_uint_eq(B->events[HCA_QP_FATAL], 1);
	ck_assert_int_eq(B->close_status, -ECONNRESET);
	rnics_end();
}
END_TEST

/* A rejection is read, though a RST came behind it before anybody looked. */
START_TEST(reset_behind_reply)
{
	const struct hca_connect no = { .private_data = "no", .private_length = 2 };

	rnics_setup();
	rnics_begin(&(struct sim_stream_options){ .late = 4, .seed = _i });
	rnics_request();
	ck_assert_int_eq(hca_startup_reject(&B->ep, &no), 0);
	sim_stream_reset_at(&rnics.pair.end[1], rnics.pair.end[1].sent);
	rnics_settle();
	ck_assert_int_eq(A->reply_status, -ECONNREFUSED);
	ck_assert_uint_eq(A->ep.peer.private_length, 2);
	rnics_end();
}
END_TEST

/* A FIN does not cut off octets that could not be shown for want of memory (R0-156). */
START_TEST(close_behind_hidden_octets)
{
	rnics_setup();
	rnics_begin(&(struct sim_stream_options){ .late = 3, .hides = 2, .segment = 40,
						  .seed = _i });
	rnics_connect();
	rnics_recv(B, 2, 0, 100);
	rnics_send(A, 1, 0, 100);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_SQD), 0);
	ends_in_order();
}
END_TEST

Suite *iwarp_ends_suite(void)
{
	Suite *suite = suite_create("iwarp_ends");
	TCase *tc = tcase_create("ends");

	tcase_set_timeout(tc, 20);
	tcase_add_loop_test(tc, bad_segment, 0, ARRAY_SIZE(bad_segments));
	tcase_add_test(tc, first_error);
	tcase_add_test(tc, send_too_long);
	tcase_add_test(tc, crc_error);
	tcase_add_test(tc, terminate_arrives);
	tcase_add_test(tc, modify_sqe);
	tcase_add_test(tc, modify_err);
	tcase_add_test(tc, graceful_close);
	tcase_add_test(tc, peer_closes_early);
	tcase_add_test(tc, refused_read);
	tcase_add_loop_test(tc, bad_start, 0, ARRAY_SIZE(bad_starts));
	tcase_add_test(tc, rejected);
	tcase_add_loop_test(tc, destroyed_after_close, 0, 20);
	tcase_add_loop_test(tc, reset_behind_octets, 0, 50);
	tcase_add_loop_test(tc, reset_behind_reply, 0, 20);
	tcase_add_loop_test(tc, close_behind_hidden_octets, 0, 50);
	suite_add_tcase(suite, tc);
	return suite;
}
