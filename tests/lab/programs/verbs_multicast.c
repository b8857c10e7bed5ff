// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_multicast [DEVICE [DEVICE]]
 * Checks that multicast groups can be attached and detached, and that each member receives a copy,
 * also members at the sender's own port. The devices are cabled to each other, so the group needs
 * no subnet manager.
 */
#include "verbs_pair.h"

#define MLID 0xc123
#define MESSAGE 1000u
#define BUFFER 4096u
#define DEST (1u << 20)
#define MEMBERS 3

static struct pair pair;
static struct setup setup;
static const union ibv_gid mgid = { .raw = { 0xff, 0x12, 0xa0, 0x1b, [15] = 0x55 } };
static const union ibv_gid other = { .raw = { 0xff, 0x12, 0xa0, 0x1b, [15] = 0x56 } };

static struct ibv_qp *member[MEMBERS];

/* --- attaching -------------------------------------------------------------------------------- */

static const struct attaching {
	const char *what;
	union ibv_gid gid;
	uint16_t lid;
	int error;
} attachings[] = {
	{ "a unicast GID", { .raw = { 0xfe, 0x80, [15] = 1 } }, MLID, EINVAL },
	{ "a unicast LID", { .raw = { 0xff, 0x12, [15] = 1 } }, 0xbfff, EINVAL },
	{ "the permissive LID", { .raw = { 0xff, 0x12, [15] = 1 } }, 0xffff, EINVAL },
	{ "the first multicast LID", { .raw = { 0xff, 0x12, [15] = 1 } }, 0xc000, 0 },
	{ "the last multicast LID", { .raw = { 0xff, 0x12, [15] = 1 } }, 0xfffe, 0 },
};

/* V3-030, V3-351, V3-352 */
static void attaching(void)
{
	struct setup rc = default_setup;
	struct ibv_qp *qp;
	unsigned int i;

	pair.a.qp = end_create_qp(&pair.a, &setup);
	if (!expect_made(pair.a.qp, "create_qp"))
		give_up("create_qp");
	for (i = 0; i < COUNT(attachings); i++) {
		const struct attaching *c = &attachings[i];

		expect_error(ibv_attach_mcast(pair.a.qp, &c->gid, c->lid), c->error,
			     "attach_mcast");
		expect_error(ibv_detach_mcast(pair.a.qp, &c->gid, c->lid), c->error,
			     "detach_mcast");
		verdict("attach and detach: %s (C4-089, C4-092)", c->what);
	}

	expect_error(ibv_detach_mcast(pair.a.qp, &mgid, MLID), EINVAL, "detach_mcast");
	expect_ok(ibv_attach_mcast(pair.a.qp, &mgid, MLID), "attach_mcast");
	expect_ok(ibv_attach_mcast(pair.a.qp, &mgid, MLID), "attach_mcast again");
	expect_ok(ibv_attach_mcast(pair.a.qp, &other, MLID), "attach_mcast, another MGID");
	expect_error(ibv_destroy_qp(pair.a.qp), EBUSY, "destroy_qp");
	expect_ok(ibv_detach_mcast(pair.a.qp, &mgid, MLID), "detach_mcast");
	expect_error(ibv_detach_mcast(pair.a.qp, &mgid, MLID), EINVAL, "detach_mcast again");
	expect_ok(ibv_detach_mcast(pair.a.qp, &other, MLID), "detach_mcast, another MGID");
	expect_ok(ibv_destroy_qp(pair.a.qp), "destroy_qp");
	pair.a.qp = NULL;
	verdict("attached twice is attached once; several MGIDs of one MLID (V3-098, V3-196)");

	qp = end_create_qp(&pair.a, &rc);
	if (expect_made(qp, "create_qp")) {
		expect_error(ibv_attach_mcast(qp, &mgid, MLID), EINVAL, "attach_mcast");
		expect_ok(to_init(qp, &rc), "to INIT");
		pair.b.port.lid = MLID;
		expect_error(to_rtr(qp, &rc, &pair.b, 2), EINVAL, "to RTR with a multicast LID");
		expect_ok(ibv_query_port(pair.b.context, 1, &pair.b.port), "query_port");
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	}
	verdict("a connection has no part in multicast (C4-085)");
}

/* V3-097 */
static void limits(void)
{
	struct ibv_device_attr attr;

	if (expect_ok(ibv_query_device(pair.a.context, &attr), "query_device"))
		expect(attr.max_mcast_grp > 0 && attr.max_mcast_qp_attach > 0 &&
			       attr.max_total_mcast_qp_attach > 0,
		       "a limit is 0");
	verdict("query_device says how many groups and members (C4-082, C4-083, V3-239)");
}

/* --- sending ---------------------------------------------------------------------------------- */

static struct ibv_ah_attr path_to_group(void)
{
	struct ibv_ah_attr path = path_to(&pair.b, true);

	path.dlid = MLID;
	path.grh.dgid = mgid;
	return path;
}

static void without_grh(void)
{
	struct ibv_ah_attr path = path_to_group();

	path.is_global = 0;
	expect_refused(ibv_create_ah(pair.a.pd, &path), EINVAL, "create_ah");
	verdict("an address handle for a group has a GRH (C4-090)");
}

static bool is_ready(struct end *end, struct ibv_qp **qp)
{
	end->qp = *qp = end_create_qp(end, &setup);
	return expect_made(*qp, "create_qp") && end_ready(end, &setup, end, 0);
}

/* Sends to the group by a queue pair of @from. */
static void send_to_group(struct end *from, struct ibv_qp *qp)
{
	struct ibv_ah_attr path = path_to_group();
	struct ibv_ah *ah = ibv_create_ah(from->pd, &path);
	struct ibv_sge sge = sge_of(from, 0, MESSAGE);
	struct ibv_send_wr wr = send_wr(99, &sge);
	struct ibv_wc wc;

	if (!expect_made(ah, "create_ah"))
		return;
	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = 0xffffff;
	wr.wr.ud.remote_qkey = QKEY;
	from->qp = qp;
	post_wr(from, &wr);
	completes(from->send_cq, 99, IBV_WC_SUCCESS, &wc);
	expect_ok(ibv_destroy_ah(ah), "destroy_ah");
}

static void post_buffers(void)
{
	unsigned int i;

	for (i = 0; i < MEMBERS; i++) {
		pair.b.qp = member[i];
		post_recv(&pair.b, i, DEST + i * BUFFER, 40 + MESSAGE);
	}
}

/* Expects that exactly the members in @bits have received the message. */
static void expect_received(unsigned int bits)
{
	struct ibv_wc wc[MEMBERS];
	unsigned int got = 0, i;
	int n = collect(pair.b.recv_cq, wc, __builtin_popcount(bits), PATIENCE_MS);

	while (n-- > 0) {
		i = wc[n].wr_id;
		if (!expect(wc[n].status == IBV_WC_SUCCESS && i < MEMBERS, "a failed completion"))
			return;
		expect_value(wc[n].qp_num, member[i]->qp_num, "qp_num");
		expect_value(wc[n].byte_len, 40 + MESSAGE, "byte_len");
		expect_value(wc[n].wc_flags & IBV_WC_GRH, IBV_WC_GRH, "the GRH's flag");
		expect(!memcmp(pair.b.memory + DEST + i * BUFFER + 24, &mgid, 16), "another DGID");
		expect(!memcmp(pair.b.memory + DEST + i * BUFFER + 40, pair.a.memory, MESSAGE),
		       "other data");
		got |= 1u << i;
	}
	expect_value(got, bits, "the set of members that received");
	silent(pair.b.recv_cq, "more than that");
}

/* V3-238 */
static void members(void)
{
	const unsigned int all = (1u << MEMBERS) - 1;
	struct ibv_qp *sender;
	unsigned int i;

	for (i = 0; i < MESSAGE; i++)
		pair.a.memory[i] = pair.b.memory[i] = i * 13 + i / 256;
	if (!is_ready(&pair.a, &sender))
		give_up("queue pairs");
	for (i = 0; i < MEMBERS; i++)
		if (!is_ready(&pair.b, &member[i]) ||
		    !expect_ok(ibv_attach_mcast(member[i], &mgid, MLID), "attach_mcast"))
			give_up("queue pairs");

	post_buffers();
	send_to_group(&pair.a, sender);
	expect_received(all);
	verdict("from one that is no member to each member (C4-078, C4-084)");

	post_buffers();
	send_to_group(&pair.b, member[1]);
	expect_received(all);
	verdict("from a member to those at its own port, itself included (C4-091, B4-422)");

	expect_ok(ibv_detach_mcast(member[1], &mgid, MLID), "detach_mcast");
	post_buffers();
	send_to_group(&pair.a, sender);
	expect_received(all & ~2u);
	verdict("no more to one that is detached (C4-092)");

	for (i = 0; i < MEMBERS; i++) {
		if (i != 1)
			expect_ok(ibv_detach_mcast(member[i], &mgid, MLID), "detach_mcast");
		expect_ok(ibv_destroy_qp(member[i]), "destroy_qp");
	}
	expect_ok(ibv_destroy_qp(sender), "destroy_qp");
	pair.a.qp = pair.b.qp = NULL;
	poll_all(pair.b.recv_cq);
}

/* A queue pair that blocks loopback of its own multicasts is attached at the other end's port. */
static void blocked(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = pair.b.send_cq,
		.recv_cq = pair.b.recv_cq,
		.cap = { .max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_UD,
		.sq_sig_all = 1,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS,
		.pd = pair.b.pd,
		.create_flags = IBV_QP_CREATE_BLOCK_SELF_MCAST_LB,
	};
	struct ibv_qp *loopback_blocked = ibv_create_qp_ex(pair.b.context, &attr), *other;
	struct ibv_wc wc;

	pair.b.qp = loopback_blocked;
	if (!expect_made(loopback_blocked, "create_qp_ex") ||
	    !end_ready(&pair.b, &setup, &pair.b, 0) ||
	    !is_ready(&pair.b, &other))
		give_up("queue pairs");
	expect_ok(ibv_attach_mcast(loopback_blocked, &mgid, MLID), "attach_mcast");
	expect_ok(ibv_attach_mcast(other, &mgid, MLID), "attach_mcast");
	post_recv(&pair.b, 1, DEST, 40 + MESSAGE);
	pair.b.qp = loopback_blocked;
	post_recv(&pair.b, 2, DEST + BUFFER, 40 + MESSAGE);
	send_to_group(&pair.b, loopback_blocked);
	completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
	silent(pair.b.recv_cq, "one's own message");
	send_to_group(&pair.b, other);
	if (completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc))
		expect_value(wc.qp_num, loopback_blocked->qp_num, "qp_num");
	expect_ok(ibv_detach_mcast(loopback_blocked, &mgid, MLID), "detach_mcast");
	expect_ok(ibv_detach_mcast(other, &mgid, MLID), "detach_mcast");
	expect_ok(ibv_destroy_qp(loopback_blocked), "destroy_qp");
	expect_ok(ibv_destroy_qp(other), "destroy_qp");
	verdict("IBV_QP_CREATE_BLOCK_SELF_MCAST_LB: not itself, but all others (B4-422)");
}

/*
 * Attachments that a process leaves behind are removed with it; the caller of this program counts
 * the objects.
 */
static void left_behind(void)
{
	struct ibv_qp *qp = end_create_qp(&pair.b, &setup);

	if (expect_made(qp, "create_qp"))
		expect_ok(ibv_attach_mcast(qp, &mgid, MLID), "attach_mcast");
	verdict("a process may end while attached");
}

int main(int argc, char **argv)
{
	setup = default_setup;
	setup.type = IBV_QPT_UD;
	pair_open(&pair, argc, argv);
	limits();
	attaching();
	without_grh();
	members();
	blocked();
	left_behind();
	return lab_status();
}
