// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: direct_stock [DEVICE]
 * Checks what direct verbs add to objects of libibverbs' own types: a flag of queue pairs, and
 * queries of address handles and completion queues. Runs in the guest; ports may be in any state.
 */
#include "verbs_lab.h"
#include <infiniband/hcadv.h>

#define QKEY 0x11111111

static const union ibv_gid mgid = { .raw = { 0xff, 0x12, [15] = 0x66 } };
static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;

static void stock_queue_pair(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap.max_send_wr = 1,
		.qp_type = IBV_QPT_UD,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND,
	};
	struct ibv_qp *qp = ibv_create_qp_ex(context, &attr);

	if (expect_made(qp, "create_qp_ex")) {
		expect(!hcadv_qp_ex_from_ibv_qp_ex(ibv_qp_to_qp_ex(qp)),
		       "a UD queue pair takes addresses of ours");
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	}
	expect(!hcadv_qp_ex_from_ibv_qp_ex(NULL), "no queue pair has a way to post");
	verdict("queue pairs of libibverbs' types have no direct verbs");
}

/* A queue pair with flags of ours that goes when its three receives have been flushed. */
static void flush_three(uint32_t flags)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { .max_recv_wr = 4, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_UD,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = pd,
	};
	const struct hcadv_qp_init_attr hca_attr = {
		.comp_mask = HCADV_QP_INIT_ATTR_FLAGS,
		.flags = flags,
	};
	struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY };
	struct ibv_qp_attr error = { .qp_state = IBV_QPS_ERR };
	struct ibv_qp *qp = hcadv_create_qp(context, &attr, &hca_attr);
	struct ibv_recv_wr *bad, wr = { .wr_id = 44 };
	int i;

	if (!expect_made(qp, "hcadv_create_qp"))
		return;
	expect_ok(ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
						   IBV_QP_QKEY), "to INIT");
	for (i = 0; i < 3; i++)
		expect_ok(ibv_post_recv(qp, &wr, &bad), "post_recv");
	expect_ok(ibv_modify_qp(qp, &error, IBV_QP_STATE), "to ERR");
	expect_ok(ibv_destroy_qp(qp), "destroy_qp");
}

/* Return: how many of the flushed receives can be polled when the queue pair has been destroyed. */
static int left_by(uint32_t flags)
{
	struct ibv_wc wc[4];
	int i, n;

	flush_three(flags);
	n = ibv_poll_cq(cq, 4, wc);
	for (i = 0; i < n; i++)
		expect_wc(&wc[i], 44, IBV_WC_WR_FLUSH_ERR);
	return n;
}

static void kept_completions(void)
{
	expect_value(left_by(HCADV_QP_KEEP_COMPLETIONS), 3, "completions of who keeps them");
	expect_value(left_by(0), 0, "completions of who does not");
	verdict("completions are kept by a flag of the queue pair (V3-189)");
}

static bool same_address(const struct ibv_ah_attr *a, const struct ibv_ah_attr *b)
{
	return a->dlid == b->dlid && a->sl == b->sl && a->src_path_bits == b->src_path_bits &&
	       a->static_rate == b->static_rate && a->port_num == b->port_num &&
	       a->is_global == b->is_global && !memcmp(&a->grh.dgid, &b->grh.dgid, 16) &&
	       a->grh.flow_label == b->grh.flow_label && a->grh.sgid_index == b->grh.sgid_index &&
	       a->grh.hop_limit == b->grh.hop_limit &&
	       a->grh.traffic_class == b->grh.traffic_class;
}

static void address_handles(void)
{
	struct ibv_ah_attr attr = { .dlid = 7, .sl = 3, .src_path_bits = 1, .port_num = 1 };
	struct ibv_ah_attr now, other = { .dlid = 0xc005, .is_global = 1, .port_num = 1,
					  .grh = { .dgid = mgid, .flow_label = 0xabcde,
						   .hop_limit = 9, .traffic_class = 4 } };
	struct ibv_ah *ah = ibv_create_ah(pd, &attr);

	if (!expect_made(ah, "create_ah"))
		return;
	expect_ok(hcadv_query_ah(ah, &now), "query_ah");
	/* V3-324 */
	expect(same_address(&now, &attr), "an address handle has other attributes");
	expect_ok(hcadv_modify_ah(ah, &other), "modify_ah");
	expect_ok(hcadv_query_ah(ah, &now), "query_ah");
	/* V3-325 */
	expect(same_address(&now, &other), "it has not the attributes that it was given");
	attr.port_num = 9;
	expect_error(hcadv_modify_ah(ah, &attr), EINVAL, "a port that there is not");
	attr = other;
	attr.is_global = 0;
	expect_error(hcadv_modify_ah(ah, &attr), EINVAL, "a multicast LID without a GRH");
	expect_ok(hcadv_query_ah(ah, &now), "query_ah");
	expect(same_address(&now, &other), "what was refused has changed it");
	expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	verdict("address handles are queried and modified");
}

/* V3-333 */
static void completion_queues(void)
{
	struct hcadv_cq_attr attr = {};
	struct ibv_wc wc[4];

	expect_ok(hcadv_query_cq(cq, &attr), "query_cq");
	expect_value(attr.cqe, cq->cqe, "room of a completion queue");
	expect_value(attr.completions, 0, "completions that wait");
	flush_three(HCADV_QP_KEEP_COMPLETIONS);
	expect_ok(hcadv_query_cq(cq, &attr), "query_cq");
	expect_value(attr.completions, 3, "completions that wait");
	expect_value(ibv_poll_cq(cq, 1, wc), 1, "completions");
	expect_ok(hcadv_query_cq(cq, &attr), "query_cq");
	expect_value(attr.completions, 2, "completions that wait");
	expect_value(ibv_poll_cq(cq, 4, wc), 2, "completions");
	expect_ok(ibv_resize_cq(cq, 200), "resize_cq");
	expect_ok(hcadv_query_cq(cq, &attr), "query_cq");
	expect_value(attr.cqe, cq->cqe, "room after a change");
	expect(attr.cqe >= 200, "there is not as much room as was asked for");
	attr.comp_mask = 1;
	expect_error(hcadv_query_cq(cq, &attr), EINVAL, "a field that there is not");
	verdict("completion queues are queried");
}

int main(int argc, char **argv)
{
	context = must_open(argc > 1 ? argv[1] : "hca0");
	pd = ibv_alloc_pd(context);
	cq = ibv_create_cq(context, 64, NULL, NULL, 0);
	if (!pd || !cq)
		give_up("a protection domain, a completion queue");
	stock_queue_pair();
	kept_completions();
	address_handles();
	completion_queues();
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	expect_ok(ibv_close_device(context), "close_device");
	verdict("everything is given back");
	return lab_status();
}
