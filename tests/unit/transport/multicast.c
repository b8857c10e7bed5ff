// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Multicast: attachment, delivery of copies, and the isolation of each member's failure. */
#include <check.h>
#include <string.h>
#include <linux/errno.h>
#include "link/rx/rx.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "trace/hca.h"
#include "transport/group.h"
#include "transport/iba_qp.h"
#include "wire/opcode.h"

#define MLID 0xc004
#define BUFFER 4096u /* size of each member's receive buffer */
#define MEMBERS 4

static const union hca_gid mgid = { .raw = { 0xff, 0x12, 0x40, 0x1b, [15] = 1 } };
static const union hca_gid other = { .raw = { 0xff, 0x12, 0x40, 0x1b, [15] = 2 } };
static const union hca_gid unicast = { .raw = { 0xfe, 0x80, [15] = 1 } };

/* Queue pairs of end b in addition to the first, each with a buffer at DST + BUFFER * index. */
struct group {
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_qp *qp[MEMBERS];
};

static void buffer(struct group *g, unsigned int i, u64 wr_id, u32 length)
{
	struct hca_qp *own = g->b->qp;

	g->b->qp = g->qp[i];
	pair_recv(g->b, wr_id, DST + BUFFER * i, length);
	g->b->qp = own;
}

static void group_new(struct group *g)
{
	unsigned int i;

	g->pair = pair_new(&pair_ud);
	g->a = &g->pair->end[0];
	g->b = &g->pair->end[1];
	for (i = 0; i < MEMBERS; i++) {
		g->qp[i] = pair_qp_new(g->b, &pair_ud, NULL);
		pair_connect(g->qp[i], &pair_ud, 0, 0, 0, 0);
		ck_assert_int_eq(hca_multicast_attach(g->qp[i], &mgid, MLID, NULL), 0);
	}
}

static void group_free(struct group *g)
{
	unsigned int i;

	for (i = 0; i < MEMBERS; i++)
		if (g->qp[i])
			hca_qp_destroy(g->qp[i]);
	ck_assert_uint_eq(g->a->ca.groups.num_groups + g->b->ca.groups.num_groups, 0);
	ck_assert_uint_eq(g->b->ca.groups.num_members, 0);
	pair_free(g->pair);
}

static struct hca_send_wqe *to_group(struct pair_end *from, u64 wr_id, u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);

	wqe->ud.av.dlid = MLID;
	wqe->ud.av.port_num = 1;
	wqe->ud.av.has_grh = 1;
	memcpy(wqe->ud.av.dgid, &mgid, sizeof(mgid));
	wqe->ud.remote_qpn = HCA_QPN_MULTICAST;
	wqe->ud.remote_qkey = 0x1111;
	pair_sge(from, wqe, SRC, length);
	return wqe;
}

static void send_to_group(struct pair_end *from, u64 wr_id, u32 length)
{
	to_group(from, wr_id, length);
	pair_post(from);
	pair_expect(&from->send_cq, wr_id, IB_WC_SUCCESS);
}

/* Poll all completions of b. Return: bits by index of the queue pairs that received. */
static unsigned int received(struct group *g, u32 length)
{
	unsigned int bits = 0, i;
	struct hca_cqe cqe;

	while (pair_poll(&g->b->recv_cq, &cqe)) {
		for (i = 0; i < MEMBERS && g->qp[i]->qpn != cqe.qp_num; i++)
			;
		ck_assert_uint_lt(i, MEMBERS);
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert_uint_eq(cqe.byte_len, 40 + length);
		ck_assert_uint_eq(cqe.flags, HCA_CQE_RECV | HCA_CQE_GRH);
		ck_assert(pair_same(g->a, SRC, g->b, DST + BUFFER * i + 40, length));
		ck_assert(!(bits & 1u << i));
		bits |= 1u << i;
	}
	return bits;
}

#define ALL ((1u << MEMBERS) - 1)

/*
 * C4-078, C4-084: a sender that is no member reaches each member; GRH and data are in each buffer.
 */
START_TEST(to_each_member)
{
	static const u32 sizes[] = { 0, 100, 256, 257, 2048 };
	struct group g;
	unsigned int n, i;
	u8 dgid[16];

	group_new(&g);
	for (n = 0; n < sizeof(sizes) / sizeof(sizes[0]); n++) {
		pair_fill(g.a, SRC, sizes[n], n);
		for (i = 0; i < MEMBERS; i++)
			buffer(&g, i, n, BUFFER);
		send_to_group(g.a, n, sizes[n]);
		ck_assert_uint_eq(received(&g, sizes[n]), ALL);
		pair_read(g.b, DST + BUFFER + 24, dgid, sizeof(dgid));
		ck_assert_mem_eq(dgid, &mgid, sizeof(dgid));
	}
	/* C4-076 */
	ck_assert_uint_eq(hca_counter_read(&g.a->ports[1], HCA_CTR_MULTICAST_XMIT_PACKETS), n);
	ck_assert_uint_eq(hca_counter_read(&g.b->ports[1], HCA_CTR_MULTICAST_RCV_PACKETS), n);
	group_free(&g);
}
END_TEST

static bool run_once(struct hca_port *port)
{
	int budget = HCA_RUN_BUDGET;

	return hca_rx_run(&port->rx.run, &budget);
}

/* C4-093 among others: each of these conditions keeps member 1 from its copy, and no other. */
/* One run of a port has a budget of 64 copies, however many packets they come from. */
START_TEST(copies_are_counted)
{
	struct hca_port *port;
	unsigned int n, i;
	struct hca_cqe cqe;
	struct group g;

	group_new(&g);
	port = &g.b->ports[1];
	for (n = 0; n < 20; n++)
		for (i = 0; i < MEMBERS; i++)
			buffer(&g, i, n, 200);
	/* as if the run were active on another CPU: arriving packets are queued */
	atomic_set(&port->rx.run.state, 2);
	for (n = 0; n < 20; n++)
		send_to_group(g.a, n, 100);
	local_bh_disable();
	ck_assert(run_once(port));
	for (n = 0; pair_poll(&g.b->recv_cq, &cqe); n++)
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(n, 64);
	ck_assert(!run_once(port));
	for (n = 0; pair_poll(&g.b->recv_cq, &cqe); n++)
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(n, 80 - 64);
	local_bh_enable();
	atomic_set(&port->rx.run.state, 0);
	group_free(&g);
}
END_TEST

static void no_request(struct group *g)
{
	(void)g;
}

static void too_short(struct group *g)
{
	buffer(g, 1, 1, 139);
}

static void other_qkey(struct group *g)
{
	buffer(g, 1, 1, BUFFER);
	hca_qp_eec(g->qp[1])->attr.iba.qkey = 0x1112;
}

static void other_pkey(struct group *g)
{
	buffer(g, 1, 1, BUFFER);
	g->b->ports[1].tables.pkey[1] = 0x8001;
	hca_qp_eec(g->qp[1])->attr.iba.pkey_index = 1;
}

static void not_ready(struct group *g)
{
	struct hca_qp_attr reset = { .state = IB_QPS_RESET, .cur_state = IB_QPS_RTS };

	ck_assert_int_eq(hca_qp_modify(g->qp[1], &reset, IB_QP_STATE), 0);
}

static void detached(struct group *g)
{
	buffer(g, 1, 1, BUFFER);
	ck_assert_int_eq(hca_multicast_detach(g->qp[1], &mgid, MLID), 0);
}

static const struct {
	void (*spoil)(struct group *g);
	unsigned int qkey_violations, pkey_violations;
} spoiled[] = {
	{ no_request, 0, 0 }, { too_short, 0, 0 }, { other_qkey, 1, 0 },
	{ other_pkey, 0, 1 }, { not_ready, 0, 0 }, { detached, 0, 0 },
};

START_TEST(one_fails)
{
	struct group g;
	unsigned int i;

	group_new(&g);
	for (i = 0; i < MEMBERS; i++)
		if (i != 1)
			buffer(&g, i, i, BUFFER);
	spoiled[_i].spoil(&g);
	send_to_group(g.a, 1, 100);
	ck_assert_uint_eq(received(&g, 100), ALL & ~2u);
	ck_assert_uint_eq(g.b->ports[1].info.q_key_violations, spoiled[_i].qkey_violations);
	ck_assert_uint_eq(g.b->ports[1].info.p_key_violations, spoiled[_i].pkey_violations);
	group_free(&g);
}
END_TEST

/* A member whose buffer is invalid enters Error, alone. */
START_TEST(one_has_a_bad_buffer)
{
	struct hca_recv_wqe *wqe;
	struct hca_cqe cqe;
	struct group g;
	unsigned int i, good = 0, bad = 0;

	group_new(&g);
	for (i = 0; i < MEMBERS; i++)
		buffer(&g, i, i, BUFFER);
	wqe = hca_queue_entry(&g.qp[2]->rq, 0);
	wqe->sge[0].lkey++;
	send_to_group(g.a, 1, 100);
	while (pair_poll(&g.b->recv_cq, &cqe)) {
		good += cqe.status == IB_WC_SUCCESS;
		bad += cqe.status == IB_WC_LOC_PROT_ERR && cqe.wr_id == 2;
	}
	ck_assert_uint_eq(good, MEMBERS - 1);
	ck_assert_uint_eq(bad, 1);
	for (i = 0; i < MEMBERS; i++)
		ck_assert_uint_eq(g.qp[i]->common.state, i == 2 ? IB_QPS_ERR : IB_QPS_RTS);
	group_free(&g);
}
END_TEST

static void other_mgid(struct hca_send_wqe *wqe)
{
	memcpy(wqe->ud.av.dgid, &other, sizeof(other));
}

static void other_mlid(struct hca_send_wqe *wqe)
{
	wqe->ud.av.dlid = MLID + HCA_GROUP_BUCKETS;
}

static void to_one_qpn(struct hca_send_wqe *wqe)
{
	wqe->ud.remote_qpn = 2;
}

static void by_unicast_lid(struct hca_send_wqe *wqe)
{
	wqe->ud.av.dlid = 2;
}

static void (*const astray[])(struct hca_send_wqe *wqe) = {
	other_mgid, other_mlid, to_one_qpn, by_unicast_lid,
};

/*
 * B4-421, C4-087, V3-098: MGID, MLID and the destination QP FFFFFFh are used together, or the
 * packet is for nobody.
 */
START_TEST(goes_astray)
{
	struct group g;
	unsigned int i;

	group_new(&g);
	for (i = 0; i < MEMBERS; i++)
		buffer(&g, i, i, BUFFER);
	astray[_i](to_group(g.a, 1, 100));
	pair_post(g.a);
	pair_expect(&g.a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(received(&g, 100), 0);
	send_to_group(g.a, 2, 100);
	ck_assert_uint_eq(received(&g, 100), ALL);
	group_free(&g);
}
END_TEST

static bool strip_grh(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	if (receiver == 1)
		((struct hca_packet *)pkt)->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	return true;
}

/* B4-105, C4-090: without a GRH a multicast is neither sent nor received. */
START_TEST(without_grh)
{
	struct group g;
	unsigned int i;

	group_new(&g);
	for (i = 0; i < MEMBERS; i++)
		buffer(&g, i, i, BUFFER);
	g.pair->filter = strip_grh;
	send_to_group(g.a, 1, 100);
	ck_assert_uint_eq(received(&g, 100), 0);
	to_group(g.a, 2, 100)->ud.av.has_grh = 0;
	pair_post(g.a);
	pair_expect(&g.a->send_cq, 2, IB_WC_LOC_QP_OP_ERR);
	group_free(&g);
}
END_TEST

/*
 * B4-422, C4-091: members at the sender's port receive a copy, the sender included; only the cable
 * counts.
 */
START_TEST(sender_hears_too)
{
	struct hca_qp *own;
	struct group g;
	unsigned int i, n;

	group_new(&g);
	own = g.b->qp;
	pair_fill(g.a, SRC, 1500, 1);
	pair_fill(g.b, SRC, 1500, 1);
	for (n = 0; n < 300; n++) { /* the credit of the loopback is returned */
		for (i = 0; i < MEMBERS; i++)
			buffer(&g, i, i, BUFFER);
		g.b->qp = g.qp[0];
		send_to_group(g.b, n, 1500);
		g.b->qp = own;
		ck_assert_uint_eq(received(&g, 1500), ALL);
	}
	ck_assert_uint_eq(hca_counter_read(&g.b->ports[1], HCA_CTR_XMIT_PACKETS), n);
	ck_assert_uint_eq(hca_counter_read(&g.b->ports[1], HCA_CTR_RCV_PACKETS), 0);
	ck_assert_uint_eq(hca_counter_read(&g.a->ports[1], HCA_CTR_MULTICAST_RCV_PACKETS), n);
	group_free(&g);
}
END_TEST

/*
 * B4-422: no copy goes to a queue pair that was created to block its own; it receives others'
 * multicasts.
 */
START_TEST(sender_blocks_loopback)
{
	struct hca_qp *own;
	struct group g;
	unsigned int i;

	group_new(&g);
	hca_iba_qp(g.qp[0])->block_loopback = true;
	pair_fill(g.a, SRC, 100, 1);
	pair_fill(g.b, SRC, 100, 1);
	for (i = 0; i < MEMBERS; i++)
		buffer(&g, i, i, BUFFER);
	own = g.b->qp;
	g.b->qp = g.qp[0];
	send_to_group(g.b, 1, 100);
	g.b->qp = own;
	ck_assert_uint_eq(received(&g, 100), ALL & ~1u);
	for (i = 1; i < MEMBERS; i++)
		buffer(&g, i, i, BUFFER);
	send_to_group(g.a, 2, 100);
	ck_assert_uint_eq(received(&g, 100), ALL);
	group_free(&g);
}
END_TEST

static unsigned int drops[3]; /* NO_QP at a port, by its LID; any other drop at [0] */

static void count_drop(const struct hca_port *port, const struct hca_packet *pkt,
		       enum hca_drop_reason reason)
{
	(void)pkt;
	drops[reason == HCA_DROP_NO_QP ? port->info.lid : 0]++;
}

/*
 * B4-422: a port loses nothing if no queue pair of its own wants a copy of what it sends itself:
 * all members block the loopback, as IPoIB's does (_i 0), or the group has members elsewhere only.
 */
START_TEST(own_copy_is_no_drop)
{
	struct hca_send_wqe *wqe;
	struct pair_end *b;
	struct hca_qp *own;
	struct group g;
	unsigned int i;

	group_new(&g);
	b = g.b;
	for (i = 0; i < MEMBERS; i++) {
		hca_iba_qp(g.qp[i])->block_loopback = true;
		if (i)
			ck_assert_int_eq(hca_multicast_detach(g.qp[i], &mgid, MLID), 0);
	}
	buffer(&g, 0, 0, BUFFER);
	memset(drops, 0, sizeof(drops));
	own = b->qp;
	b->qp = g.qp[0];
	shim_watch_drops = count_drop;
	wqe = to_group(b, 1, 100);
	if (_i)
		memcpy(wqe->ud.av.dgid, &other, sizeof(other));
	pair_post(b);
	pair_expect(&b->send_cq, 1, IB_WC_SUCCESS);
	shim_watch_drops = NULL;
	b->qp = own;
	ck_assert_uint_eq(received(&g, 100), 0);
	ck_assert_uint_eq(drops[0], 0);
	ck_assert_uint_eq(drops[1], 1); /* at the peer nobody is a member */
	ck_assert_uint_eq(drops[2], 0);
	group_free(&g);
}
END_TEST

/* C4-089, C4-092, C4-085: which attachments and detachments are valid. */
START_TEST(attach_and_detach)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_qp *qp = pair_qp_new(a, &pair_ud, NULL);

	ck_assert_int_eq(hca_multicast_attach(a->qp, &mgid, MLID, NULL), -EINVAL);
	ck_assert_int_eq(hca_multicast_attach(qp, &unicast, MLID, NULL), -EINVAL);
	ck_assert_int_eq(hca_multicast_attach(qp, &mgid, 0xbfff, NULL), -EINVAL);
	ck_assert_int_eq(hca_multicast_attach(qp, &mgid, HCA_LID_PERMISSIVE, NULL), -EINVAL);
	ck_assert_int_eq(hca_multicast_detach(qp, &mgid, MLID), -EINVAL);
	ck_assert_int_eq(hca_multicast_attach(qp, &mgid, MLID, NULL), 0);
	ck_assert_int_eq(hca_multicast_attach(qp, &mgid, MLID, NULL), -EINVAL);
	ck_assert_int_eq(hca_multicast_attach(qp, &other, MLID, NULL), 0); /* V3-098 */
	ck_assert_int_eq(hca_multicast_attach(qp, &mgid, MLID + 1, NULL), 0);
	ck_assert_int_eq(hca_multicast_detach(qp, &other, MLID + 1), -EINVAL);
	ck_assert_int_eq(hca_multicast_detach(qp, &mgid, MLID), 0);
	ck_assert_int_eq(hca_multicast_detach(qp, &mgid, MLID), -EINVAL);
	ck_assert_uint_eq(a->ca.groups.num_groups, 2);
	hca_qp_destroy(qp); /* V3-196 */
	ck_assert_uint_eq(a->ca.groups.num_groups, 0);
	pair_free(pair);
}
END_TEST

/*
 * C4-082: the number of attachments is limited to the advertised one; a failure for lack of memory
 * leaks nothing.
 */
START_TEST(limits)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0];
	union hca_gid gid = mgid;
	unsigned int i;

	for (i = 0; i < HCA_MAX_GROUPS; i++) {
		gid.raw[14] = i >> 8;
		gid.raw[15] = i;
		ck_assert_int_eq(hca_multicast_attach(a->qp, &gid, MLID + i % 1000, NULL), 0);
	}
	gid.raw[13] = 1;
	ck_assert_int_eq(hca_multicast_attach(a->qp, &gid, MLID, NULL), -ENOMEM);
	ck_assert_uint_eq(a->ca.groups.num_groups, HCA_MAX_GROUPS);
	pair_free(pair);
}
END_TEST

static unsigned int longest_bucket(const struct hca_groups *groups)
{
	unsigned int i, count, longest = 0;
	const struct list_head *node;

	for (i = 0; i < HCA_GROUP_BUCKETS; i++) {
		count = 0;
		list_for_each(node, &groups->bucket[i])
			count++;
		longest = max(longest, count);
	}
	return longest;
}

/*
 * Each multicast packet looks through a bucket with bottom halves disabled: whoever attaches, to
 * groups whose MGIDs differ in any octet, or in the MLID, cannot have them all in a few of these.
 */
START_TEST(crowded)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0];
	union hca_gid gid = mgid;
	unsigned int i;

	for (i = 0; i < HCA_MAX_GROUPS; i++) {
		if (_i < 15) {
			gid.raw[_i] = i >> 8;
			gid.raw[_i + 1] = i;
		}
		ck_assert_int_eq(hca_multicast_attach(a->qp, &gid,
						      _i < 15 ? MLID : MLID + i, NULL), 0);
	}
	ck_assert_uint_le(longest_bucket(&a->ca.groups), HCA_MAX_GROUPS / 32);
	pair_free(pair);
}
END_TEST

START_TEST(group_limit)
{
	struct pair_qp small = pair_ud;
	struct hca_qp *qp[HCA_MAX_GROUP_MEMBERS + 1];
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0];
	unsigned int i;

	small.send_wr = 1;
	small.recv_wr = 1;
	for (i = 0; i <= HCA_MAX_GROUP_MEMBERS; i++) {
		qp[i] = pair_qp_new(a, &small, NULL);
		ck_assert_int_eq(hca_multicast_attach(qp[i], &mgid, MLID, NULL),
				 i < HCA_MAX_GROUP_MEMBERS ? 0 : -ENOMEM);
	}
	ck_assert_int_eq(hca_multicast_attach(qp[HCA_MAX_GROUP_MEMBERS], &other, MLID, NULL), 0);
	for (i = 0; i <= HCA_MAX_GROUP_MEMBERS; i++)
		hca_qp_destroy(qp[i]);
	ck_assert_uint_eq(a->ca.groups.num_groups, 0);
	pair_free(pair);
}
END_TEST

/* Users leave groups to root, and a user leaves places of a group to the other users. */
START_TEST(user_limits)
{
	struct pair_qp small = pair_ud;
	struct hca_qp *qp[HCA_MAX_GROUP_MEMBERS];
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0];
	static const char users[2];
	union hca_gid gid = mgid;
	unsigned int i;

	small.send_wr = 1;
	small.recv_wr = 1;
	for (i = 0; i < HCA_MAX_GROUP_MEMBERS; i++)
		qp[i] = pair_qp_new(a, &small, NULL);
	for (i = 0; i <= HCA_MAX_USER_MEMBERS; i++)
		ck_assert_int_eq(hca_multicast_attach(qp[i], &mgid, MLID, &users[0]),
				 i < HCA_MAX_USER_MEMBERS ? 0 : -ENOMEM);
	for (i--; i <= HCA_FOR_USERS(HCA_MAX_GROUP_MEMBERS); i++)
		ck_assert_int_eq(hca_multicast_attach(qp[i], &mgid, MLID, &users[1]),
				 i < HCA_FOR_USERS(HCA_MAX_GROUP_MEMBERS) ? 0 : -ENOMEM);
	for (i--; i < HCA_MAX_GROUP_MEMBERS; i++)
		ck_assert_int_eq(hca_multicast_attach(qp[i], &mgid, MLID, NULL), 0);
	gid.raw[13] = 1;
	for (i = 1; i <= HCA_FOR_USERS(HCA_MAX_GROUPS); i++) {
		gid.raw[14] = i >> 8;
		gid.raw[15] = i;
		ck_assert_int_eq(hca_multicast_attach(a->qp, &gid, MLID, &users[i % 2]),
				 i < HCA_FOR_USERS(HCA_MAX_GROUPS) ? 0 : -ENOMEM);
	}
	ck_assert_int_eq(hca_multicast_attach(a->qp, &gid, MLID, NULL), 0);
	for (i = 0; i < HCA_MAX_GROUP_MEMBERS; i++)
		hca_qp_destroy(qp[i]);
	pair_free(pair);
}
END_TEST

Suite *multicast_suite(void)
{
	Suite *suite = suite_create("multicast");
	TCase *tc = tcase_create("multicast");

	tcase_add_test(tc, to_each_member);
	tcase_add_test(tc, copies_are_counted);
	tcase_add_loop_test(tc, one_fails, 0, sizeof(spoiled) / sizeof(spoiled[0]));
	tcase_add_test(tc, one_has_a_bad_buffer);
	tcase_add_loop_test(tc, goes_astray, 0, sizeof(astray) / sizeof(astray[0]));
	tcase_add_test(tc, without_grh);
	tcase_add_test(tc, sender_hears_too);
	tcase_add_test(tc, sender_blocks_loopback);
	tcase_add_loop_test(tc, own_copy_is_no_drop, 0, 2);
	tcase_add_test(tc, attach_and_detach);
	tcase_add_test(tc, limits);
	tcase_add_test(tc, group_limit);
	tcase_add_loop_test(tc, crowded, 2, 16);
	tcase_add_test(tc, user_limits);
	suite_add_tcase(suite, tc);
	return suite;
}
