// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * verbs_violations SENDER RECEIVER INDEX Q_KEY_CHANGE: datagrams whose keys are not the receiver's.
 * One that has them right arrives; one with the P_Key at INDEX of the sender's table, and with its
 * Q_Key changed by exclusive or, does not.
 */
#include "verbs_pair.h"

#define DATAGRAM 256
#define GRH 40

static struct ibv_qp *make_qp(struct end *end, unsigned int index)
{
	struct setup setup = default_setup;
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.pkey_index = index,
		.port_num = 1,
		.qkey = QKEY,
	};
	struct ibv_qp *qp;

	setup.type = IBV_QPT_UD;
	qp = end_create_qp(end, &setup);
	if (!expect_made(qp, "create_qp") ||
	    !expect_ok(ibv_modify_qp(qp, &attr,
				     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY),
		       "to INIT") ||
	    !expect_ok(to_rtr(qp, &setup, end, 0), "to RTR") ||
	    !expect_ok(to_rts(qp, &setup), "to RTS"))
		give_up("a queue pair for datagrams");
	return qp;
}

static void send_datagram(struct end *from, struct ibv_ah *ah, uint32_t qpn, uint32_t qkey)
{
	struct ibv_sge sge = sge_of(from, 0, DATAGRAM);
	struct ibv_send_wr wr = send_wr(1, &sge);
	struct ibv_wc wc;

	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = qpn;
	wr.wr.ud.remote_qkey = qkey;
	if (post_wr(from, &wr))
		completes(from->send_cq, 1, IBV_WC_SUCCESS, &wc);
}

int main(int argc, char **argv)
{
	unsigned int index, change;
	struct ibv_ah_attr path;
	struct ibv_qp *right;
	struct pair pair = {};
	struct ibv_ah *ah;
	struct ibv_wc wc;

	if (argc != 5) {
		fputs("usage: verbs_violations SENDER RECEIVER INDEX Q_KEY_CHANGE\n", stderr);
		return 2;
	}
	index = strtoul(argv[3], NULL, 0);
	change = strtoul(argv[4], NULL, 0);
	pair_open(&pair, argc, argv);
	right = make_qp(&pair.a, 0);
	pair.b.qp = make_qp(&pair.b, 0);
	path = path_to(&pair.b, false);
	ah = ibv_create_ah(pair.a.pd, &path);
	if (!ah || !post_recv(&pair.b, 2, 0, GRH + DATAGRAM))
		give_up("a path");

	pair.a.qp = right;
	send_datagram(&pair.a, ah, pair.b.qp->qp_num, QKEY);
	completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
	verdict("a datagram with the right keys arrives");

	pair.a.qp = make_qp(&pair.a, index);
	post_recv(&pair.b, 3, 0, GRH + DATAGRAM);
	send_datagram(&pair.a, ah, pair.b.qp->qp_num, QKEY ^ change);
	silent(pair.b.recv_cq, "the receive request");
	verdict("one with %s does not", change ? "another Q_Key" : "a foreign P_Key");

	ibv_destroy_ah(ah);
	ibv_destroy_qp(right);
	pair_disconnect(&pair);
	pair_close(&pair);
	return lab_status();
}
