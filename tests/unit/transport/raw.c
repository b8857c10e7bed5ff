// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Raw datagrams: packets of other protocols; which queue pairs receive them, and which checks are
 * omitted.
 */
#include <check.h>
#include <string.h>
#include <linux/err.h>
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/group.h"

#define ETHERTYPE 0x88b5
#define MLID 0xc010
#define BUFFER 8192u

static const union hca_gid mgid = { .raw = { 0xff, 0x12, 0x60, 0x1b, [15] = 1 } };

static const union hca_gid unicast = { .raw = { 0xfe, 0x80, [15] = 1 } };

static const u8 kinds[] = { IB_QPT_RAW_IPV6, IB_QPT_RAW_ETHERTYPE };

static struct pair_qp raw(u8 type)
{
	struct pair_qp how = pair_ud;

	how.type = type;
	return how;
}

static struct hca_send_wqe *request(struct pair *pair, u64 wr_id, u32 length)
{
	struct pair_end *a = &pair->end[0];
	struct hca_send_wqe *wqe = pair_wqe(a, wr_id, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);

	wqe->raw.av.dlid = 2;
	wqe->raw.av.port_num = 1;
	wqe->raw.ethertype = ETHERTYPE;
	if (length)
		pair_sge(a, wqe, SRC, length);
	return wqe;
}

/* PktLen is at most (MTU + 124) / 4, and counts LRH and RWH. */
static u32 limit(u32 mtu, u8 kind)
{
	return mtu + 124 - (kind == IB_QPT_RAW_ETHERTYPE ? 12 : 8);
}

static void post(struct pair *pair, u64 wr_id, u32 length)
{
	request(pair, wr_id, length);
	pair_post(&pair->end[0]);
}

/* Padded to whole words, and to a PktLen of at least 5 words, LRH and RWH included. */
static u32 padded(u32 length, bool ethertype)
{
	u32 dwords = (length + 3) / 4, least = ethertype ? 2 : 3;

	return 4 * (dwords < least ? least : dwords);
}

/*
 * Each message is one packet of whole words, without an ICRC or a response; the data is unchanged,
 * and zeros follow it.
 */
START_TEST(arrives)
{
	const u32 sizes[] = { 1, 2, 3, 4, 253, 255, 256, 257, 1021, 4096, limit(4096, kinds[_i]) };
	bool ethertype = kinds[_i] == IB_QPT_RAW_ETHERTYPE;
	const struct pair_qp how = raw(kinds[_i]);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	static const u8 zeros[12];
	struct hca_cqe cqe;
	u64 dwords = 0;
	unsigned int i;
	u8 tail[12];

	a->ports[1].info.lid = 8;
	a->ports[1].info.lmc = 2;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		u32 n = sizes[i], pad = padded(n, ethertype) - n;
		struct hca_av *av;

		pair_fill(a, SRC, n, i);
		pair_fill(b, DST, n + sizeof(tail), i + 99);
		pair_recv(b, i, DST, BUFFER);
		av = &request(pair, i, n)->raw.av;
		av->sl = 5;
		av->src_path_bits = i % 4;
		pair_post(a);
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS); /* B4-075, C4-067 */
		ck_assert(pair_poll(&b->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, i);
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert_uint_eq(cqe.byte_len, padded(n, ethertype)); /* B4-416, C4-072 */
		ck_assert_uint_eq(cqe.flags, HCA_CQE_RECV);
		ck_assert_uint_eq(cqe.slid, 8 + i % 4); /* C4-066 */
		ck_assert_uint_eq(cqe.sl, 5); /* B4-418 */
		ck_assert_uint_eq(cqe.ethertype, ethertype ? ETHERTYPE : 0); /* B4-415, C4-071 */
		ck_assert(pair_same(a, SRC, b, DST, n)); /* B4-005, B4-414, C4-056, C4-068 */
		pair_read(b, DST + n, tail, pad);
		ck_assert_mem_eq(tail, zeros, pad);
		pair_expect_none(&b->recv_cq);
		/* LRH, RWH, data; no ICRC. */
		dwords += (8 + (ethertype ? 4 : 0) + padded(n, ethertype)) / 4;
	}
	/* B4-412, C4-062 */
	ck_assert_uint_eq(hca_counter_read(&a->ports[1], HCA_CTR_XMIT_PACKETS), i);
	/* C4-069, V3-019 */
	ck_assert_uint_eq(hca_counter_read(&a->ports[1], HCA_CTR_XMIT_DATA), dwords);
	ck_assert_uint_eq(a->received, 0); /* B4-411, C4-060 */
	pair_free(pair);
}
END_TEST

static void to_state(struct hca_qp *qp, u8 last, u8 port)
{
	struct hca_qp_attr attr = { .iba.port_num = port };

	for (attr.state = IB_QPS_INIT; attr.state <= last; attr.state++)
		ck_assert_int_eq(hca_qp_modify(qp, &attr,
					       IB_QP_STATE |
						       (attr.state == IB_QPS_INIT ? IB_QP_PORT :
										     0)),
				 0);
}

/*
 * B4-083, B4-413, C4-070: LNH alone selects the receivers: all raw queue pairs of that kind at the
 * port.
 */
START_TEST(all_of_its_kind)
{
	enum { SAME, OTHER, OTHER_PORT, NOT_READY, DATAGRAM, MORE };
	const struct pair_qp kind[MORE] = {
		[SAME] = raw(kinds[_i]),      [OTHER] = raw(kinds[!_i]),
		[OTHER_PORT] = raw(kinds[_i]), [NOT_READY] = raw(kinds[_i]),
		[DATAGRAM] = pair_ud,
	};
	struct pair_qp how = raw(kinds[_i]);
	struct pair_end *b;
	struct pair *pair;
	struct hca_qp *own;
	struct hca_cqe cqe;
	unsigned int i, bits = 0;

	how.ports = 2;
	pair = pair_new(&how);
	b = &pair->end[1];
	own = b->qp;
	for (i = 0; i < MORE; i++) {
		b->more[i] = pair_create_qp(b, &kind[i]);
		if (i == NOT_READY)
			to_state(b->more[i], IB_QPS_INIT, 1);
		else if (i == OTHER_PORT)
			to_state(b->more[i], IB_QPS_RTS, 2);
		else
			pair_connect(b->more[i], &kind[i], 0, 0, 0, 0);
		b->qp = b->more[i];
		pair_recv(b, i, DST + BUFFER * i, BUFFER);
	}
	b->qp = own;
	pair_recv(b, MORE, DST + BUFFER * MORE, BUFFER);
	pair_fill(&pair->end[0], SRC, 1000, 7);
	post(pair, 1, 1000);
	while (pair_poll(&b->recv_cq, &cqe)) {
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert(pair_same(&pair->end[0], SRC, b, DST + BUFFER * cqe.wr_id, 1000));
		bits |= 1u << cqe.wr_id;
	}
	ck_assert_uint_eq(bits, 1u << SAME | 1u << MORE);
	pair_free(pair);
}
END_TEST

/*
 * B4-417, B4-419, C4-074, C4-091: the attached queue pairs receive it, at the sender's port as
 * well.
 */
START_TEST(multicast)
{
	const struct pair_qp how = raw(kinds[_i]);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	struct hca_qp *own;

	a->more[0] = pair_create_qp(a, &how);
	pair_connect(a->more[0], &how, 0, 0, 0, 0);
	b->more[0] = pair_create_qp(b, &how);
	pair_connect(b->more[0], &how, 0, 0, 0, 0);
	ck_assert_int_eq(hca_multicast_attach(b->qp, &unicast, MLID, NULL), -EINVAL);
	ck_assert_int_eq(hca_multicast_attach(b->qp, &mgid, 1, NULL), -EINVAL);
	ck_assert_int_eq(hca_multicast_attach(a->more[0], &mgid, MLID, NULL), 0);
	ck_assert_int_eq(hca_multicast_attach(b->qp, &mgid, MLID, NULL), 0);
	ck_assert_int_eq(hca_multicast_attach(b->more[0], &mgid, MLID + 1, NULL), 0);
	pair_recv(b, 1, DST, BUFFER);
	own = b->qp;
	b->qp = b->more[0];
	pair_recv(b, 2, DST + BUFFER, BUFFER);
	b->qp = own;
	own = a->qp;
	a->qp = a->more[0];
	pair_recv(a, 3, DST, BUFFER);
	a->qp = own;

	pair_fill(a, SRC, 300, 7);
	wqe = request(pair, 4, 300);
	wqe->raw.av.dlid = MLID;
	wqe->raw.av.has_grh = 1; /* a group's address vector requires a GRH, the packet has none */
	pair_post(a);
	pair_expect(&a->send_cq, 4, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_expect_none(&b->recv_cq);
	pair_expect(&a->recv_cq, 3, IB_WC_SUCCESS);
	pair_expect_none(&a->recv_cq);
	ck_assert(pair_same(a, SRC, b, DST, 300));
	ck_assert(pair_same(a, SRC, a, DST, 300));
	pair_free(pair);
}
END_TEST

/* B4-300, B4-317, B4-416, C4-073: raw packets belong to no partition, and have no key. */
START_TEST(no_keys)
{
	const struct pair_qp how = raw(kinds[_i]);
	struct pair *pair = pair_new(&how);
	struct pair_end *b = &pair->end[1];

	pair->end[0].ports[1].tables.pkey[0] = 0x8001;
	b->ports[1].tables.pkey[0] = 0x8002;
	pair_recv(b, 1, DST, BUFFER);
	post(pair, 1, 10);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(b->ports[1].info.p_key_violations, 0);
	ck_assert_uint_eq(b->ports[1].info.q_key_violations, 0);
	pair_free(pair);
}
END_TEST

static const u8 refused_opcodes[] = {
	IB_UVERBS_WR_RDMA_WRITE,	 IB_UVERBS_WR_RDMA_WRITE_WITH_IMM,
	IB_UVERBS_WR_SEND_WITH_IMM,	 IB_UVERBS_WR_SEND_WITH_INV,
	IB_UVERBS_WR_RDMA_READ,		 IB_UVERBS_WR_ATOMIC_CMP_AND_SWP,
	IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD,
};

/* B4-243, B4-411, C4-012, C4-061: only Send is valid; a refused request leads to SQE. */
START_TEST(only_send)
{
	const struct pair_qp how = raw(kinds[_i % 2]);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	const struct hca_qp_attr rts = { .state = IB_QPS_RTS };

	request(pair, 1, 100)->opcode = refused_opcodes[_i / 2];
	pair_post(a);
	pair_expect(&a->send_cq, 1, IB_WC_LOC_QP_OP_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_SQE);
	post(pair, 2, 100);
	pair_expect(&a->send_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(b->received, 0);
	ck_assert_int_eq(hca_qp_modify(a->qp, &rts, IB_QP_STATE), 0);
	pair_recv(b, 3, DST, BUFFER);
	post(pair, 3, 100);
	pair_expect(&b->recv_cq, 3, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

/*
 * C4-042, C4-062, C4-072: a raw message leaves by the queue pair's own port, and is no longer than
 * a packet, whose limit depends on the MTU of the link.
 */
START_TEST(refused_locally)
{
	const struct pair_qp how = raw(kinds[_i]);
	const struct hca_qp_attr rts = { .state = IB_QPS_RTS };
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0];

	post(pair, 1, limit(4096, kinds[_i]) + 1);
	pair_expect(&a->send_cq, 1, IB_WC_LOC_LEN_ERR);
	ck_assert_int_eq(hca_qp_modify(a->qp, &rts, IB_QP_STATE), 0);
	a->ports[1].info.neighbor_mtu = IB_MTU_256;
	post(pair, 1, limit(256, kinds[_i]));
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	post(pair, 1, limit(256, kinds[_i]) + 1);
	pair_expect(&a->send_cq, 1, IB_WC_LOC_LEN_ERR);
	ck_assert_int_eq(hca_qp_modify(a->qp, &rts, IB_QP_STATE), 0);
	request(pair, 2, 10)->raw.av.port_num = 2;
	pair_post(a);
	pair_expect(&a->send_cq, 2, IB_WC_LOC_QP_OP_ERR);
	pair_free(pair);
}
END_TEST

/*
 * B4-418, C4-075: without a receive request the packet is dropped; if it is too long for one, the
 * request stays posted; an invalid request is an error.
 */
START_TEST(receiver_errors)
{
	const struct pair_qp how = raw(kinds[_i]);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_recv_wqe *wqe;

	post(pair, 1, 100);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_OUT_OF_BUFFER), 1);
	pair_recv(b, 1, DST, 99);
	post(pair, 2, 100);
	pair_expect_none(&b->recv_cq);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_OUT_OF_BUFFER), 1);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_RECV_TOO_SHORT), 1);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	post(pair, 3, 96);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);

	wqe = hca_queue_entry(&b->qp->rq, b->qp->rq.ring->producer);
	pair_recv(b, 2, DST, 100);
	wqe->sge[0].lkey++;
	pair_recv(b, 3, DST, 100);
	post(pair, 4, 100);
	pair_expect(&b->recv_cq, 2, IB_WC_LOC_PROT_ERR);
	pair_settle();
	pair_expect(&b->recv_cq, 3, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_RTS);
	pair_free(pair);
}
END_TEST

/*
 * C4-058: each packet is offered to all raw queue pairs, and each of these looks through its
 * groups, so that both have limits, which destroying and detaching respect.
 */
START_TEST(limits)
{
	const struct pair_qp how = raw(kinds[_i]);
	struct pair *pair = pair_new(&how); /* each end has one */
	struct pair_end *a = &pair->end[0];
	struct hca_qp_init init = { .type = kinds[_i], .send_cq = &a->send_cq,
				    .recv_cq = &a->recv_cq };
	struct hca_qp *qp[HCA_MAX_RAW_QP - 1];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(qp); i++) {
		qp[i] = consumer_create_qp(a->ci, &init);
		ck_assert(!IS_ERR(qp[i]));
	}
	ck_assert_int_eq(PTR_ERR(consumer_create_qp(a->ci, &init)), -ENOMEM);
	init.type = IB_QPT_UD;
	hca_qp_destroy(consumer_create_qp(a->ci, &init));
	init.type = kinds[!_i];
	ck_assert_int_eq(PTR_ERR(consumer_create_qp(a->ci, &init)), -ENOMEM);
	hca_qp_destroy(qp[0]);
	qp[0] = consumer_create_qp(a->ci, &init);
	ck_assert(!IS_ERR(qp[0]));

	for (i = 0; i < HCA_MAX_RAW_QP_GROUPS; i++)
		ck_assert_int_eq(hca_multicast_attach(qp[0], &mgid, MLID + i, NULL), 0);
	ck_assert_int_eq(hca_multicast_attach(qp[0], &mgid, MLID + i, NULL), -ENOMEM);
	ck_assert_int_eq(hca_multicast_attach(qp[1], &mgid, MLID + i, NULL), 0);
	ck_assert_int_eq(hca_multicast_detach(qp[0], &mgid, MLID), 0);
	ck_assert_int_eq(hca_multicast_attach(qp[0], &mgid, MLID + i, NULL), 0);
	for (i = 0; i < ARRAY_SIZE(qp); i++)
		hca_qp_destroy(qp[i]);
	pair_free(pair);
}
END_TEST

Suite *raw_suite(void)
{
	Suite *suite = suite_create("raw");
	TCase *tc = tcase_create("raw");

	tcase_add_loop_test(tc, arrives, 0, 2);
	tcase_add_loop_test(tc, all_of_its_kind, 0, 2);
	tcase_add_loop_test(tc, multicast, 0, 2);
	tcase_add_loop_test(tc, no_keys, 0, 2);
	tcase_add_loop_test(tc, only_send, 0, 2 * sizeof(refused_opcodes));
	tcase_add_loop_test(tc, refused_locally, 0, 2);
	tcase_add_loop_test(tc, receiver_errors, 0, 2);
	tcase_add_loop_test(tc, limits, 0, 2);
	suite_add_tcase(suite, tc);
	return suite;
}
