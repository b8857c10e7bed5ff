// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_sqe [DEVICE [DEVICE]]
 * Checks send queue error (SQE): an invalid request stops the send queue, except on a reliable
 * connection, which goes to Error. The queue pair still receives, and Modify QP starts the send
 * queue again. Runs in the guest with Active ports.
 */
#include "verbs_pair.h"

#define BYTES 500u
#define DEST (1u << 20)
#define GRH 40u

static struct pair pair;
static struct ibv_ah *there, *back;

static const char *type_name(enum ibv_qp_type type)
{
	return type == IBV_QPT_RC ? "RC" : type == IBV_QPT_UC ? "UC" : "UD";
}

static void post(struct end *from, struct end *to, uint64_t wr_id, bool good)
{
	struct ibv_sge sge = sge_of(from, 0, BYTES);
	struct ibv_send_wr wr = send_wr(wr_id, &sge);

	sge.lkey ^= good ? 0 : 0x55;
	if (from->qp->qp_type == IBV_QPT_UD) {
		wr.wr.ud.ah = from == &pair.a ? there : back;
		wr.wr.ud.remote_qpn = to->qp->qp_num;
		wr.wr.ud.remote_qkey = QKEY;
	}
	post_wr(from, &wr);
}

static void arrives(struct end *from, struct end *to, uint64_t wr_id)
{
	uint32_t header = to->qp->qp_type == IBV_QPT_UD ? GRH : 0;
	struct ibv_wc wc;

	completes(to->recv_cq, wr_id, IBV_WC_SUCCESS, &wc);
	expect_value(wc.byte_len, header + BYTES, "byte_len");
	expect(!memcmp(from->memory, to->memory + DEST + header, BYTES),
	       "what arrives is not what was sent");
}

static void begin(enum ibv_qp_type type)
{
	struct setup setup = default_setup;

	setup.type = type;
	if (!pair_connect(&pair, &setup))
		give_up(type_name(type));
	memset(pair.a.memory, type, BYTES);
	memset(pair.b.memory, ~type, BYTES);
	post_recv(&pair.b, 10, DEST, GRH + BYTES);
	post(&pair.a, &pair.b, 1, true);
	post(&pair.a, &pair.b, 2, false);
	post(&pair.a, &pair.b, 3, true);
}

static void fails(void)
{
	struct ibv_wc wc;

	completes(pair.a.send_cq, 1, IBV_WC_SUCCESS, &wc);
	completes(pair.a.send_cq, 2, IBV_WC_LOC_PROT_ERR, &wc);
	completes(pair.a.send_cq, 3, IBV_WC_WR_FLUSH_ERR, &wc);
	arrives(&pair.a, &pair.b, 10);
}

static void stops(enum ibv_qp_type type)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTS, .cur_qp_state = IBV_QPS_SQE };
	struct ibv_wc wc;

	begin(type);
	fails();
	expect_state(pair.a.qp, IBV_QPS_SQE);
	post(&pair.a, &pair.b, 4, true);
	completes(pair.a.send_cq, 4, IBV_WC_WR_FLUSH_ERR, &wc);
	verdict("%s: the send queue stops, in SQE, and flushes (B4-236)", type_name(type));

	post_recv(&pair.a, 20, DEST, GRH + BYTES);
	post(&pair.b, &pair.a, 5, true);
	completes(pair.b.send_cq, 5, IBV_WC_SUCCESS, &wc);
	arrives(&pair.b, &pair.a, 20);
	verdict("%s: in SQE it receives (B4-236)", type_name(type));

	expect_ok(ibv_modify_qp(pair.a.qp, &attr, IBV_QP_STATE | IBV_QP_CUR_STATE), "to RTS");
	post_recv(&pair.b, 11, DEST, GRH + BYTES);
	post(&pair.a, &pair.b, 6, true);
	completes(pair.a.send_cq, 6, IBV_WC_SUCCESS, &wc);
	arrives(&pair.a, &pair.b, 11);
	pair_disconnect(&pair);
	verdict("%s: Modify QP sets it going again (V3-195)", type_name(type));
}

static void reliable(void)
{
	begin(IBV_QPT_RC);
	fails();
	await_state(pair.a.qp, IBV_QPS_ERR);
	pair_disconnect(&pair);
	verdict("RC: goes to Error (C4-012)");
}

int main(int argc, char **argv)
{
	struct ibv_ah_attr path;

	pair_open(&pair, argc, argv);
	path = path_to(&pair.b, false);
	there = ibv_create_ah(pair.a.pd, &path);
	path = path_to(&pair.a, false);
	back = ibv_create_ah(pair.b.pd, &path);
	if (!there || !back)
		give_up("address handles");
	stops(IBV_QPT_UC);
	stops(IBV_QPT_UD);
	reliable();
	expect_ok(ibv_destroy_ah(there), "destroy_ah");
	expect_ok(ibv_destroy_ah(back), "destroy_ah");
	pair_close(&pair);
	return lab_status();
}
