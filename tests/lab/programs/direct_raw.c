// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: direct_raw [DEVICE [DEVICE]]
 * Checks raw datagrams by direct verbs: packets of an EtherType and IPv6 packets, and their
 * multicast groups. Runs in the guest with Active ports, as root; direct_objects checks the
 * privilege. The devices are cabled to each other, so a group needs no subnet manager.
 */
#include "verbs_pair.h"
#include <infiniband/hcadv.h>

#define DEST (1u << 20)
#define SLOT 8192u
#define UNTOUCHED 0xa5
#define LONGEST (4096 + 124 - 12) /* what PktLen allows beside LRH and RWH, by the MTU */
#define ETHERTYPE 0x88b5 /* for local experiments (IEEE 802) */
#define IPV6_HEADER 40u
#define MLID 0xc055

static const union ibv_gid mgid = { .raw = { 0xff, 0x12, [15] = 0x55 } };
static struct pair pair;
static struct ibv_ah *ah; /* from a to b */

static struct ibv_qp *make(struct end *end, enum hcadv_qp_type type)
{
	struct ibv_qp_init_attr_ex init = {
		.send_cq = end->send_cq,
		.recv_cq = end->recv_cq,
		.cap = { .max_send_wr = 9, .max_recv_wr = 9, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_DRIVER,
		.sq_sig_all = 1,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = end->pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND,
	};
	const struct hcadv_qp_init_attr hca_init = { .type = type };
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
	struct ibv_qp *qp = hcadv_create_qp(end->context, &init, &hca_init);

	if (!expect_made(qp, "create_qp"))
		give_up("a raw queue pair");
	expect_ok(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT), "to INIT");
	attr.qp_state = IBV_QPS_RTR;
	expect_ok(ibv_modify_qp(qp, &attr, IBV_QP_STATE), "to RTR");
	attr.qp_state = IBV_QPS_RTS;
	expect_ok(ibv_modify_qp(qp, &attr, IBV_QP_STATE), "to RTS");
	return qp;
}

static void destroy(struct ibv_qp *qp)
{
	expect_ok(ibv_destroy_qp(qp), "destroy_qp");
}

static int raw_send(struct ibv_qp *qp, struct ibv_ah *to, uint64_t wr_id, uint32_t length,
		    uint16_t ethertype)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);

	ibv_wr_start(ex);
	ex->wr_id = wr_id;
	ex->wr_flags = 0;
	ibv_wr_send(ex);
	hcadv_wr_set_raw(hcadv_qp_ex_from_ibv_qp_ex(ex), to, ethertype);
	ibv_wr_set_sge(ex, pair.a.mr->lkey, (uintptr_t)pair.a.memory, length);
	return ibv_wr_complete(ex);
}

/* Sends a datagram, whose completion says only that it has left (C4-060). */
static bool sends(struct ibv_qp *qp, struct ibv_ah *to, uint64_t wr_id, uint32_t length,
		  uint16_t ethertype)
{
	struct ibv_wc wc;

	return expect_ok(raw_send(qp, to, wr_id, length, ethertype), "post_send") &&
	       completes(pair.a.send_cq, wr_id, IBV_WC_SUCCESS, &wc);
}

static bool expects(struct end *end, struct ibv_qp *qp, uint64_t wr_id, uint32_t slot)
{
	struct ibv_sge sge = sge_of(end, DEST + slot * SLOT, SLOT);
	struct ibv_recv_wr wr = { .wr_id = wr_id, .sg_list = &sge, .num_sge = 1 }, *bad;

	memset(end->memory + DEST + slot * SLOT, UNTOUCHED, SLOT);
	return expect_ok(ibv_post_recv(qp, &wr, &bad), "post_recv");
}

/*
 * Expects the next receive to have @length octets as sent, and zeros up to a multiple of 4 octets;
 * LRH, RWH and payload together are at least five such units.
 */
static void receives(struct end *end, struct ibv_qp *qp, uint64_t wr_id, uint32_t slot,
		     uint32_t length, uint16_t ethertype)
{
	const uint8_t *at = end->memory + DEST + slot * SLOT;
	uint32_t padded = (length + 3) & ~3u, least = ethertype ? 8 : 12, i;
	uint64_t deadline = now_ms() + PATIENCE_MS;
	struct hcadv_wc wc;
	int n;

	if (padded < least)
		padded = least;
	while (!(n = hcadv_poll_cq(end->recv_cq, 1, &wc)) && now_ms() < deadline)
		usleep(50);
	if (!expect(n == 1, "%u octets do not arrive at queue pair %#x", length, qp->qp_num))
		return;
	expect_wc(&wc.wc, wr_id, IBV_WC_SUCCESS);
	expect_value(wc.wc.qp_num, qp->qp_num, "qp_num");
	expect_value(wc.wc.opcode, IBV_WC_RECV, "opcode");
	expect_value(wc.wc.byte_len, padded, "byte_len");
	expect_value(wc.wc.slid, pair.a.port.lid, "slid");
	expect_value(wc.wc.sl, 3, "sl");
	expect_value(wc.wc.wc_flags, 0, "wc_flags");
	expect_value(wc.ethertype, ethertype, "the EtherType");
	expect(!memcmp(at, pair.a.memory, length), "what arrives is not what was sent");
	for (i = length; i < padded; i++)
		expect_value(at[i], 0, "an octet of padding");
	for (; i < SLOT; i++)
		expect_value(at[i], UNTOUCHED, "an octet behind it");
}

static void expect_quiet(void)
{
	silent(pair.b.recv_cq, "a receive of the other end");
	silent(pair.a.recv_cq, "a receive of one's own");
}

/* --- cases ------------------------------------------------------------------------------------ */

/* Each raw queue pair of the type at the port receives a copy; others receive none (B4-413). */
static void by_type(enum hcadv_qp_type type, const char *name)
{
	const bool is_ipv6 = type == HCADV_QPT_RAW_IPV6;
	struct ibv_qp *from = make(&pair.a, type), *to = make(&pair.b, type);
	struct ibv_qp *also = make(&pair.b, type);
	struct ibv_qp *other = make(&pair.b, is_ipv6 ? HCADV_QPT_RAW_ETHERTYPE :
						       HCADV_QPT_RAW_IPV6);
	uint16_t ethertype = is_ipv6 ? 0 : ETHERTYPE;

	expects(&pair.a, from, 1, 0);
	expects(&pair.b, to, 2, 1);
	expects(&pair.b, other, 3, 2);
	sends(from, ah, 4, IPV6_HEADER + 100, ETHERTYPE);
	receives(&pair.b, to, 2, 1, IPV6_HEADER + 100, ethertype);
	expect_quiet();
	verdict("%s: received with its type, by no other (B4-413, B4-415)", name);

	expects(&pair.b, to, 5, 1);
	expects(&pair.b, also, 6, 3);
	sends(from, ah, 7, 1000, 0x86dd);
	receives(&pair.b, to, 5, 1, 1000, is_ipv6 ? 0 : 0x86dd);
	receives(&pair.b, also, 6, 3, 1000, is_ipv6 ? 0 : 0x86dd);
	expect_quiet();
	verdict("%s: a copy for each (B4-413)", name);

	sends(from, ah, 8, 100, ETHERTYPE); /* no receive is posted for it */
	expects(&pair.b, to, 9, 1);
	sends(from, ah, 10, 104, ETHERTYPE);
	receives(&pair.b, to, 9, 1, 104, ethertype);
	verdict("%s: what nobody waits for is lost (B4-411)", name);
	destroy(from);
	destroy(to);
	destroy(also);
	destroy(other);
}

static void lengths(void)
{
	struct ibv_qp *from = make(&pair.a, HCADV_QPT_RAW_ETHERTYPE);
	struct ibv_qp *to = make(&pair.b, HCADV_QPT_RAW_ETHERTYPE);
	static const uint32_t length[] = { 1, 2, 3, 4, 5, 255, 4093, 4096, 4097, LONGEST };
	struct ibv_wc wc;
	unsigned int i;

	for (i = 0; i < COUNT(length); i++) {
		expects(&pair.b, to, i, 1);
		sends(from, ah, 100 + i, length[i], ETHERTYPE);
		receives(&pair.b, to, i, 1, length[i], ETHERTYPE);
	}
	verdict("padded with zeros to whole words, and to the shortest packet that there is (C4-072)");

	expects(&pair.b, to, 1, 1);
	if (expect_ok(raw_send(from, ah, 2, LONGEST + 1, ETHERTYPE), "post_send"))
		completes(pair.a.send_cq, 2, IBV_WC_LOC_LEN_ERR, &wc);
	expect_quiet();
	verdict("a message is one packet: more is an error, and nothing leaves (C4-062)");
	destroy(from);
	destroy(to);
}

/* A receive that is too short for a packet stays posted, since anybody can send such a packet. */
static void too_short(void)
{
	struct ibv_qp *from = make(&pair.a, HCADV_QPT_RAW_ETHERTYPE);
	struct ibv_qp *to = make(&pair.b, HCADV_QPT_RAW_ETHERTYPE);
	struct ibv_sge sge = sge_of(&pair.b, DEST, 64);
	struct ibv_recv_wr wr = { .wr_id = 1, .sg_list = &sge, .num_sge = 1 }, *bad;
	struct ibv_wc wc;

	expect_ok(ibv_post_recv(to, &wr, &bad), "post_recv");
	sends(from, ah, 2, 65, ETHERTYPE);
	silent(pair.b.recv_cq, "a receive that is too short");
	sends(from, ah, 3, 64, ETHERTYPE);
	if (completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc))
		expect_value(wc.byte_len, 64, "byte_len");
	expect_state(to, IBV_QPS_RTS);
	verdict("a receive that is too short waits for another (B4-418)");
	destroy(from);
	destroy(to);
}

/* Q_Keys and partitions do not apply, and no operation but Send is allowed (B4-416, C4-061). */
static void refused(void)
{
	struct ibv_qp *qp = make(&pair.a, HCADV_QPT_RAW_ETHERTYPE);
	struct ibv_sge sge = sge_of(&pair.a, 0, 8);
	struct ibv_send_wr wr = send_wr(1, &sge), *bad;
	struct ibv_qp_attr attr = {};

	expect_error(ibv_post_send(qp, &wr, &bad), EINVAL, "ibv_post_send(), which has no address");
	expect_error(ibv_modify_qp(qp, &attr, IBV_QP_QKEY), EINVAL, "a Q_Key");
	expect_error(ibv_modify_qp(qp, &attr, IBV_QP_PKEY_INDEX), EINVAL, "a P_Key");
	/* Linux supports this verb for datagrams only */
	expect_error(ibv_attach_mcast(qp, &mgid, MLID), EINVAL, "attach_mcast");
	destroy(qp);
	verdict("no Q_Key, no P_Key, no Send without an address (B4-416)");
}

/* --- groups ----------------------------------------------------------------------------------- */

static const struct {
	const char *what;
	union ibv_gid gid;
	uint16_t lid;
	int error;
} groups[] = {
	{ "a unicast GID", { .raw = { 0xfe, 0x80, [15] = 1 } }, MLID, EINVAL },
	{ "a unicast LID", { .raw = { 0xff, 0x12, [15] = 1 } }, 0xbfff, EINVAL },
	{ "the permissive LID", { .raw = { 0xff, 0x12, [15] = 1 } }, 0xffff, EINVAL },
	{ "the first multicast LID", { .raw = { 0xff, 0x12, [15] = 1 } }, 0xc000, 0 },
	{ "the last multicast LID", { .raw = { 0xff, 0x12, [15] = 1 } }, 0xfffe, 0 },
};

static void attaching(void)
{
	struct ibv_qp *qp = make(&pair.a, HCADV_QPT_RAW_ETHERTYPE), *other, gone;
	struct setup ud = default_setup;
	unsigned int i;

	for (i = 0; i < COUNT(groups); i++) {
		expect_error(hcadv_attach_mcast(qp, &groups[i].gid, groups[i].lid), groups[i].error,
			     groups[i].what);
		expect_error(hcadv_detach_mcast(qp, &groups[i].gid, groups[i].lid), groups[i].error,
			     groups[i].what);
	}
	expect_error(hcadv_detach_mcast(qp, &mgid, MLID), EINVAL, "detach_mcast first");
	expect_ok(hcadv_attach_mcast(qp, &mgid, MLID), "attach_mcast");
	expect_error(hcadv_attach_mcast(qp, &mgid, MLID), EINVAL, "attach_mcast again");
	expect_ok(hcadv_detach_mcast(qp, &mgid, MLID), "detach_mcast");
	expect_error(hcadv_detach_mcast(qp, &mgid, MLID), EINVAL, "detach_mcast again");
	verdict("raw queue pairs are attached to groups, and detached (C4-089, C4-092)");

	ud.type = IBV_QPT_UD;
	other = end_create_qp(&pair.a, &ud);
	if (expect_made(other, "create_qp")) {
		expect_error(hcadv_attach_mcast(other, &mgid, MLID), EINVAL, "a UD queue pair");
		expect_ok(ibv_destroy_qp(other), "destroy_qp");
	}
	expect_ok(hcadv_attach_mcast(qp, &mgid, MLID), "attach_mcast");
	gone = *qp;
	destroy(qp);
	expect_error(hcadv_attach_mcast(&gone, &mgid, MLID), ENOENT, "one that has gone");
	verdict("one that is attached goes, and leaves its groups (V3-196)");
}

/*
 * Each queue pair attached to a group receives a copy of its packets, also the sender if it is
 * attached (C4-091).
 */
static void group(enum hcadv_qp_type type, const char *name)
{
	struct ibv_ah_attr path = { .dlid = MLID, .port_num = 1, .sl = 3, .is_global = 1,
				    .grh.dgid = mgid };
	struct ibv_ah *all = ibv_create_ah(pair.a.pd, &path);
	struct ibv_qp *from = make(&pair.a, type);
	struct ibv_qp *to = make(&pair.b, type), *also = make(&pair.b, type);
	uint16_t ethertype = type == HCADV_QPT_RAW_ETHERTYPE ? ETHERTYPE : 0;

	if (!expect_made(all, "create_ah"))
		give_up("an address handle of a group");
	expects(&pair.a, from, 1, 0);
	expects(&pair.b, to, 2, 1);
	expects(&pair.b, also, 3, 2);
	sends(from, all, 4, 64, ETHERTYPE);
	expect_quiet();
	verdict("%s: a group's datagrams are for its members alone (B4-417)", name);

	expect_ok(hcadv_attach_mcast(to, &mgid, MLID), "attach_mcast");
	expect_ok(hcadv_attach_mcast(also, &mgid, MLID), "attach_mcast");
	sends(from, all, 5, 1001, ETHERTYPE);
	receives(&pair.b, to, 2, 1, 1001, ethertype);
	receives(&pair.b, also, 3, 2, 1001, ethertype);
	expect_quiet();
	verdict("%s: a copy for each member; none for the sender, which is no member (B4-417)",
		name);

	expect_ok(hcadv_attach_mcast(from, &mgid, MLID), "attach_mcast");
	expects(&pair.b, to, 6, 1);
	sends(from, all, 7, 64, ETHERTYPE);
	receives(&pair.b, to, 6, 1, 64, ethertype);
	receives(&pair.a, from, 1, 0, 64, ethertype);
	expect_quiet();
	verdict("%s: a copy for the sender, which is a member (B4-417, C4-091)", name);

	expect_ok(hcadv_detach_mcast(to, &mgid, MLID), "detach_mcast");
	expect_ok(hcadv_detach_mcast(from, &mgid, MLID), "detach_mcast");
	expects(&pair.a, from, 8, 0);
	expects(&pair.b, to, 9, 1);
	expects(&pair.b, also, 10, 2);
	sends(from, all, 11, 128, ETHERTYPE);
	receives(&pair.b, also, 10, 2, 128, ethertype);
	expect_quiet();
	destroy(also);
	sends(from, all, 12, 64, ETHERTYPE);
	expect_quiet();
	verdict("%s: none for who has been detached or has gone (B4-417)", name);
	expect_ok(ibv_destroy_ah(all), "destroy_ah");
	destroy(from);
	destroy(to);
}

/* A packet to the port's own LID arrives at the port, also at its sender. */
static void to_itself(void)
{
	struct ibv_ah_attr path = { .dlid = pair.a.port.lid, .port_num = 1, .sl = 3 };
	struct ibv_ah *own = ibv_create_ah(pair.a.pd, &path);
	struct ibv_qp *from = make(&pair.a, HCADV_QPT_RAW_IPV6);
	struct ibv_qp *to = make(&pair.a, HCADV_QPT_RAW_IPV6);

	if (expect_made(own, "create_ah")) {
		expects(&pair.a, to, 1, 1);
		sends(from, own, 2, 333, 0);
		receives(&pair.a, to, 1, 1, 333, 0);
		expects(&pair.a, from, 3, 2);
		sends(from, own, 4, 334, 0);
		receives(&pair.a, from, 3, 2, 334, 0);
		expect_ok(ibv_destroy_ah(own), "destroy_ah");
	}
	destroy(from);
	destroy(to);
	verdict("raw IPv6: to one's own port");
}

int main(int argc, char **argv)
{
	struct ibv_ah_attr path;
	uint32_t i;

	pair_open(&pair, argc, argv);
	for (i = 0; i < SLOT; i++)
		pair.a.memory[i] = i * 13 + (i >> 8);
	path = path_to(&pair.b, false);
	path.sl = 3;
	ah = ibv_create_ah(pair.a.pd, &path);
	if (!expect_made(ah, "create_ah"))
		give_up("an address handle");
	by_type(HCADV_QPT_RAW_ETHERTYPE, "raw EtherType");
	by_type(HCADV_QPT_RAW_IPV6, "raw IPv6");
	lengths();
	too_short();
	refused();
	attaching();
	group(HCADV_QPT_RAW_ETHERTYPE, "raw EtherType");
	group(HCADV_QPT_RAW_IPV6, "raw IPv6");
	to_itself();
	expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	pair_close(&pair);
	return lab_status();
}
