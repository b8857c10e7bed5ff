// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Unreliable datagrams: addressing, GRH space, Q_Key, P_Key, length; link credits are exhausted and
 * returned.
 */
#include <check.h>
#include <string.h>
#include "tests/unit/fixture/pair.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "wire/opcode.h"

static struct hca_send_wqe *datagram(struct pair *pair, u64 wr_id, u32 length)
{
	struct pair_end *a = &pair->end[0];
	struct hca_send_wqe *wqe = pair_wqe(a, wr_id, IB_UVERBS_WR_SEND_WITH_IMM, HCA_WQE_SIGNALED);

	wqe->imm_data = cpu_to_be32(0xabcd0000 + wr_id);
	wqe->ud.av.dlid = 2;
	wqe->ud.av.port_num = 1;
	wqe->ud.remote_qpn = pair->end[1].qp->qpn;
	wqe->ud.remote_qkey = 0x1111;
	pair_sge(a, wqe, 0, length);
	return wqe;
}

/* C4-038: the data that arrives, and the fields of the completion. */
START_TEST(arrives)
{
	static const u32 sizes[] = { 0, 1, 255, 256, 257, 2048, 4096 };
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u8 sent[4096], got[40 + 4096];
	struct hca_cqe cqe;
	unsigned int i, n;

	for (n = 0; n < sizeof(sent); n++)
		sent[n] = n * 7 + n / 256;
	pair_write(a, 0, sent, sizeof(sent));
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct hca_send_wqe *wqe;

		n = sizes[i];
		pair_recv(b, i, DST, 40 + n);
		wqe = datagram(pair, i, n);
		if (i & 1) {
			wqe->ud.av.has_grh = 1;
			wqe->ud.av.hop_limit = 9;
			wqe->ud.av.traffic_class = 0x12;
			wqe->ud.av.flow_label = 0x34567;
			wqe->ud.av.dgid[0] = 0xfe;
			wqe->ud.av.dgid[1] = 0x80;
			wqe->ud.av.dgid[15] = 2;
		}
		pair_post(a);
		ck_assert(pair_poll(&a->send_cq, &cqe));
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert(pair_poll(&b->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, i); /* B4-075, B4-308, C4-045 */
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert_uint_eq(cqe.byte_len, 40 + n); /* B4-409 */
		ck_assert_uint_eq(cqe.src_qp, a->qp->qpn); /* V3-014, V3-277 */
		ck_assert_uint_eq(cqe.slid, 1);
		ck_assert_uint_eq(cqe.flags, HCA_CQE_RECV | HCA_CQE_WITH_IMM |
						     (i & 1 ? HCA_CQE_GRH : 0)); /* B4-106 */
		ck_assert_uint_eq(be32_to_cpu(cqe.imm_data), 0xabcd0000 + i);
		pair_read(b, DST, got, 40 + n);
		ck_assert_mem_eq(got + 40, sent, n); /* B4-108 */
		if (i & 1) {
			/* IPVer 6, TClass 0x12, FlowLabel; then PayLen: BTH to ICRC. */
			static const u8 grh[] = { 0x61, 0x23, 0x45, 0x67 };
			u32 paylen = 12 + 8 + 4 + ((n + 3) & ~3u) + 4;

			ck_assert_mem_eq(got, grh, 4); /* C4-047 */
			ck_assert_uint_eq(got[4] << 8 | got[5], paylen);
			ck_assert_uint_eq(got[6], 0x1b);
			ck_assert_uint_eq(got[7], 9); /* V3-153 */
			ck_assert_uint_eq(got[8 + 15],
					  1); /* the sender's port GUID is its LID here */
			ck_assert_uint_eq(got[24 + 15], 2); /* V3-008 */
		}
	}
	pair_free(pair);
}
END_TEST

/* V3-277: the completion names which of the port's LIDs was addressed. */
START_TEST(path_bits)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;

	b->ports[1].info.lid = 8;
	b->ports[1].info.lmc = 2;
	pair_recv(b, 1, DST, 100);
	datagram(pair, 1, 10)->ud.av.dlid = 8 + _i;
	pair_post(a);
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.dlid_path_bits, _i); /* B4-130 */
	pair_free(pair);
}
END_TEST

static void wrong_qkey(struct pair *pair, struct hca_send_wqe *wqe)
{
	(void)pair;
	wqe->ud.remote_qkey = 0x1112;
}

static void wrong_qpn(struct pair *pair, struct hca_send_wqe *wqe)
{
	(void)pair;
	wqe->ud.remote_qpn += 1 << 14;
}

static void wrong_lid(struct pair *pair, struct hca_send_wqe *wqe)
{
	(void)pair;
	wqe->ud.av.dlid = 77;
}

static void wrong_pkey(struct pair *pair, struct hca_send_wqe *wqe)
{
	(void)wqe;
	pair->end[1].ports[1].tables.pkey[0] = 0x8001;
}

static void both_limited(struct pair *pair, struct hca_send_wqe *wqe)
{
	(void)wqe;
	pair->end[0].ports[1].tables.pkey[0] = 0x7fff;
	pair->end[1].ports[1].tables.pkey[0] = 0x7fff;
}

static const struct silent_case {
	void (*spoil)(struct pair *pair, struct hca_send_wqe *wqe);
	unsigned int qkey_violations, pkey_violations;
} silent_cases[] = {
	{ wrong_qkey, 1, 0 }, { wrong_qpn, 0, 0 },    { wrong_lid, 0, 0 }, /* B4-110, B4-132 */
	{ wrong_pkey, 0, 1 }, { both_limited, 0, 1 },
};

/*
 * B4-057, B4-311, B4-408, C4-053, V3-013: the drop is not reported to the sender; a violation is
 * counted; the next datagram arrives.
 */
START_TEST(is_dropped)
{
	const struct silent_case *c = &silent_cases[_i];
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;

	pair_recv(b, 5, DST, 140);
	c->spoil(pair, datagram(pair, 1, 100));
	pair_post(a);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS); /* C4-039 */
	ck_assert(!pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(b->ports[1].info.q_key_violations, c->qkey_violations);
	ck_assert_uint_eq(b->ports[1].info.p_key_violations, c->pkey_violations);
	a->ports[1].tables.pkey[0] = 0xffff;
	b->ports[1].tables.pkey[0] = 0x7fff;
	datagram(pair, 2, 100);
	pair_post(a);
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 5);
	pair_free(pair);
}
END_TEST

/* B4-084, V3-017: without a receive request the datagram is dropped. */
START_TEST(nobody_waits)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;

	datagram(pair, 1, 10);
	pair_post(a);
	pair_recv(b, 1, DST, 100);
	pair_wait(1000);
	ck_assert(!pair_poll(&b->recv_cq, &cqe));
	pair_free(pair);
}
END_TEST

/* V3-160, V3-084: the address vector names another port. */
START_TEST(wrong_port)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0];
	struct hca_cqe cqe;

	datagram(pair, 1, 10)->ud.av.port_num = 2;
	pair_post(a);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_LOC_QP_OP_ERR);
	pair_free(pair);
}
END_TEST

/* B4-405, C4-041, V3-017: a message must fit in one packet. */
START_TEST(too_long)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0];
	struct hca_cqe cqe;

	datagram(pair, 1, 4097);
	pair_post(a);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_LOC_LEN_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_SQE);
	pair_free(pair);
}
END_TEST

/* V3-012: the neighbor's MTU is the limit, not the port's own MTUCap. */
START_TEST(longer_than_neighbor_mtu)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0];
	struct hca_cqe cqe;

	a->ports[1].info.neighbor_mtu = IB_MTU_256;
	datagram(pair, 1, 256);
	pair_post(a);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	datagram(pair, 2, 257);
	pair_post(a);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_LOC_LEN_ERR);
	pair_free(pair);
}
END_TEST

/*
 * B4-240, C4-012: sends are flushed, receives continue, and the consumer moves the queue pair back
 * to RTS.
 */
START_TEST(send_queue_error)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp_attr rts = { .cur_state = IB_QPS_SQE, .state = IB_QPS_RTS };
	struct hca_send_wqe *wqe;
	struct hca_cqe cqe;

	wqe = datagram(pair, 1, 10);
	wqe->ud.pkey_index = HCA_PKEYS;
	pair_post(a);
	datagram(pair, 2, 10);
	pair_post(a);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_LOC_QP_OP_ERR);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 2);
	ck_assert_uint_eq(cqe.status, IB_WC_WR_FLUSH_ERR);

	pair_recv(a, 7, DST, 100);
	wqe = pair_wqe(b, 1, IB_UVERBS_WR_SEND, 0);
	wqe->ud.av.dlid = 1;
	wqe->ud.av.port_num = 1;
	wqe->ud.remote_qpn = a->qp->qpn;
	wqe->ud.remote_qkey = 0x1111;
	pair_post(b);
	ck_assert(pair_poll(&a->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 7);
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);

	ck_assert_int_eq(hca_qp_modify(a->qp, &rts, IB_QP_STATE), 0);
	pair_recv(b, 8, DST, 100);
	datagram(pair, 3, 10);
	pair_post(a);
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 8);
	pair_free(pair);
}
END_TEST

/*
 * A datagram that exceeds the receive buffer is dropped without effect: the receive request stays
 * posted.
 */
START_TEST(too_long_for_receiver)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;

	pair_recv(b, 7, DST, 139);
	datagram(pair, 1, 100);
	pair_post(a);
	ck_assert(!pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	datagram(pair, 2, 99);
	pair_post(a);
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 7);
	ck_assert_uint_eq(cqe.byte_len, 139);
	pair_free(pair);
}
END_TEST

/* V3-213: a datagram to the port's own LID arrives, and the port counts nothing. */
START_TEST(to_itself)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0];
	struct hca_send_wqe *wqe;
	struct hca_cqe cqe;
	unsigned int i;

	for (i = 0; i < 200; i++) {
		pair_recv(a, i, DST, 2040);
		wqe = datagram(pair, i, 2000);
		wqe->ud.av.dlid = 1;
		wqe->ud.remote_qpn = a->qp->qpn;
		pair_post(a);
		ck_assert(pair_poll(&a->send_cq, &cqe));
		ck_assert(pair_poll(&a->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.slid, 1);
	}
	ck_assert_uint_eq(hca_counter_read(&a->ports[1], HCA_CTR_XMIT_PACKETS), 0);
	ck_assert_uint_eq(hca_counter_read(&a->ports[1], HCA_CTR_RCV_PACKETS), 0);
	pair_free(pair);
}
END_TEST

/*
 * PortXmitData by formula: LRH 8, BTH 12, DETH 8, ImmDt 4, payload, pad, ICRC 4, in words of 4
 * octets.
 */
START_TEST(is_counted)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u64 dwords = 0;
	unsigned int i;
	struct hca_cqe cqe;

	for (i = 0; i < 50; i++) {
		datagram(pair, i, i);
		pair_post(a);
		pair_poll(&a->send_cq, &cqe);
		dwords += (8 + 12 + 8 + 4 + (i + 3) / 4 * 4 + 4) / 4;
	}
	ck_assert_uint_eq(hca_counter_read(&a->ports[1], HCA_CTR_XMIT_PACKETS), 50);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_RCV_PACKETS), 50);
	ck_assert_uint_eq(hca_counter_read(&a->ports[1], HCA_CTR_XMIT_DATA), dwords);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_RCV_DATA), dwords);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_XMIT_PACKETS), 0); /* C4-039 */
	pair_free(pair);
}
END_TEST

/*
 * B4-315, C4-042: a queue pair receives packets that come to its own port, and none that come to
 * another port.
 */
START_TEST(another_port_C4_042)
{
	struct pair_qp how = pair_ud;
	struct pair_end *a, *b;
	struct hca_packet *pkt;
	struct pair *pair;
	unsigned int port;

	how.ports = 2;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	pair_recv(b, 1, DST, 100);
	for (port = 2; port >= 1; port--) {
		pair_expect_none(&b->recv_cq);
		local_bh_disable();
		pkt = hca_packet_alloc(&a->ca.pool);
		pkt->h = (struct hca_headers){
			.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IBA_LOCAL },
			.bth = { .opcode = HCA_OPCODE(UD, SEND_ONLY), .pkey = 0xffff,
				 .destqp = b->qp->qpn },
			.deth = { .qkey = PAIR_QKEY, .srcqp = 5 },
		};
		hca_transport_receive(&b->ports[port], pkt);
		local_bh_enable();
		pair_settle();
	}
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

/* C4-044: the PSN of a datagram has no meaning. */
START_TEST(any_psn)
{
	static const u32 psns[] = { 7, 7, 6, 0xffffff, 0x800000, 0 };
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *b = &pair->end[1];
	struct hca_headers h = {
		.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IBA_LOCAL },
		.bth = { .opcode = HCA_OPCODE(UD, SEND_ONLY), .pkey = 0xffff,
			 .destqp = b->qp->qpn },
		.deth = { .qkey = PAIR_QKEY, .srcqp = 5 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(psns) / sizeof(psns[0]); i++) {
		pair_recv(b, i, DST, 100);
		h.bth.psn = psns[i];
		trace_inject(pair, 1, &h, 10);
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	}
	pair_free(pair);
}
END_TEST

Suite *datagram_suite(void)
{
	Suite *suite = suite_create("datagram");
	TCase *tc = tcase_create("ud");

	tcase_add_test(tc, arrives);
	tcase_add_loop_test(tc, path_bits, 0, 4);
	tcase_add_loop_test(tc, is_dropped, 0, sizeof(silent_cases) / sizeof(silent_cases[0]));
	tcase_add_test(tc, nobody_waits);
	tcase_add_test(tc, wrong_port);
	tcase_add_test(tc, another_port_C4_042);
	tcase_add_test(tc, any_psn);
	tcase_add_test(tc, too_long);
	tcase_add_test(tc, longer_than_neighbor_mtu);
	tcase_add_test(tc, send_queue_error);
	tcase_add_test(tc, too_long_for_receiver);
	tcase_add_test(tc, to_itself);
	tcase_add_test(tc, is_counted);
	suite_add_tcase(suite, tc);
	return suite;
}
