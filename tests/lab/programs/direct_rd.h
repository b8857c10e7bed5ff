/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reliable datagrams by direct verbs: two connected EE contexts, and queue pairs that use them. */
#ifndef HCA_TESTS_DIRECT_RD_H
#define HCA_TESTS_DIRECT_RD_H

#include "verbs_pair.h"
#include <infiniband/hcadv.h>

#define DEST 4096u
#define MESSAGE 64u

struct side {
	struct end *end;
	struct hcadv_rdd *rdd;
	struct hcadv_eec *eec;
	struct ibv_qp *qp;
};

static inline void eec_to(struct hcadv_eec *eec, struct ibv_qp_attr attr, int mask,
			  const char *what)
{
	expect_ok(hcadv_modify_eec(eec, &attr, mask), what);
}

/* Connects to any EE context, for cases in which nothing is sent. */
static inline void to_rtr_of(struct hcadv_eec *eec, const struct end *peer, uint32_t peer_eecn)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = peer_eecn,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 6,
		.ah_attr = path_to(peer, false),
	};

	eec_to(eec, attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT, "to INIT");
	attr.qp_state = IBV_QPS_RTR;
	eec_to(eec, attr,
	       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
		       IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
	       "to RTR");
}

static inline void to_rts_of(struct hcadv_eec *eec)
{
	const struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.timeout = 12,
		.retry_cnt = 1,
		.rnr_retry = 7,
		.max_rd_atomic = 1,
	};

	eec_to(eec, attr,
	       IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
		       IBV_QP_MAX_QP_RD_ATOMIC,
	       "to RTS");
}

static inline struct hcadv_eec *make_eec(struct side *side)
{
	struct hcadv_eec *eec = hcadv_create_eec(side->rdd);

	if (!expect_made(eec, "create_eec"))
		give_up("an EE context");
	return eec;
}

static inline void make_qp(struct side *side)
{
	struct ibv_qp_init_attr_ex init = {
		.send_cq = side->end->send_cq,
		.recv_cq = side->end->recv_cq,
		.cap = { .max_send_wr = 9, .max_recv_wr = 9, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_DRIVER,
		.sq_sig_all = 1,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = side->end->pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND,
	};
	const struct hcadv_qp_init_attr hca_init = { .type = HCADV_QPT_RD, .rdd = side->rdd };
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .qkey = QKEY };

	side->qp = hcadv_create_qp(side->end->context, &init, &hca_init);
	if (!expect_made(side->qp, "create_qp"))
		give_up("a queue pair");
	expect_ok(ibv_modify_qp(side->qp, &attr, IBV_QP_STATE | IBV_QP_QKEY | IBV_QP_ACCESS_FLAGS),
		  "queue pair to INIT");
	attr.qp_state = IBV_QPS_RTR;
	expect_ok(ibv_modify_qp(side->qp, &attr, IBV_QP_STATE), "queue pair to RTR");
	attr.qp_state = IBV_QPS_RTS;
	expect_ok(ibv_modify_qp(side->qp, &attr, IBV_QP_STATE), "queue pair to RTS");
}

static inline void side_expects(struct side *side, uint64_t wr_id)
{
	struct ibv_sge sge = sge_of(side->end, DEST, MESSAGE);
	struct ibv_recv_wr recv = { .wr_id = wr_id, .sg_list = &sge, .num_sge = 1 }, *bad;

	expect_ok(ibv_post_recv(side->qp, &recv, &bad), "post_recv");
}

static inline void side_sends(struct side *side, uint64_t wr_id, uint32_t eecn, uint32_t to)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(side->qp);

	ibv_wr_start(ex);
	ex->wr_id = wr_id;
	ibv_wr_send(ex);
	hcadv_wr_set_rd(hcadv_qp_ex_from_ibv_qp_ex(ex), eecn, to, QKEY);
	ibv_wr_set_sge(ex, side->end->mr->lkey, (uintptr_t)side->end->memory, MESSAGE);
	expect_ok(ibv_wr_complete(ex), "wr_complete");
}

#endif
