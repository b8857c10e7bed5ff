// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_rnic DEVICE
 * Objects of an RNIC without connections: those that an RNIC has are made, others are refused. Runs
 * in the guest.
 */
#include "verbs_lab.h"
#include <fcntl.h>

#define ENTRIES 16
#define OCTETS 4096u

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_mr *mr;
static uint8_t *memory;

static void attributes_are(void)
{
	struct ibv_device_attr device;
	struct ibv_port_attr port;
	union ibv_gid gid;
	uint16_t pkey;

	expect_value(context->device->node_type, IBV_NODE_RNIC, "the node type");
	expect_value(context->device->transport_type, IBV_TRANSPORT_IWARP, "the transport");
	expect_ok(ibv_query_device(context, &device), "query_device");
	expect_value(device.max_sge_rd, 1, "max_sge_rd");
	expect_value(device.max_qp_rd_atom, 128, "max_qp_rd_atom");
	expect_value(device.max_qp_init_rd_atom, 128, "max_qp_init_rd_atom");
	expect_value(device.atomic_cap, IBV_ATOMIC_NONE, "atomic_cap");
	expect_value(device.max_ah, 0, "max_ah");
	expect_value(device.max_mcast_grp, 0, "max_mcast_grp");
	expect_value(device.max_ee, 0, "max_ee");
	expect(!(device.device_cap_flags & IBV_DEVICE_XRC), "it claims XRC");
	expect(device.device_cap_flags & IBV_DEVICE_MEM_WINDOW_TYPE_2B, "it has no windows");
	expect_ok(ibv_query_port(context, 1, &port), "query_port");
	expect_value(port.link_layer, IBV_LINK_LAYER_ETHERNET, "the link layer");
	expect_value(port.gid_tbl_len, 1, "gid_tbl_len");
	expect_value(port.pkey_tbl_len, 1, "pkey_tbl_len");
	expect_value(port.max_msg_sz, 0xffffffff, "max_msg_sz");
	expect_error(ibv_query_port(context, 2, &port), EINVAL, "query_port of port 2");
	expect_ok(ibv_query_gid(context, 1, 0, &gid), "query_gid");
	expect_ok(ibv_query_pkey(context, 1, 0, &pkey), "query_pkey");
	verdict("its attributes are those of an RNIC");
}

static struct ibv_qp *qp_of(enum ibv_qp_type type, struct ibv_srq *srq)
{
	struct ibv_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.srq = srq,
		.cap = {
			.max_send_wr = ENTRIES,
			.max_recv_wr = ENTRIES,
			.max_send_sge = 2,
			.max_recv_sge = 2,
		},
		.qp_type = type,
	};

	return ibv_create_qp(pd, &init);
}

static int modify(struct ibv_qp *qp, enum ibv_qp_state state)
{
	struct ibv_qp_attr attr = {
		.qp_state = state,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ,
	};
	int mask = IBV_QP_STATE | (state == IBV_QPS_INIT ? IBV_QP_ACCESS_FLAGS : 0);

	return ibv_modify_qp(qp, &attr, mask);
}

static int post_send(struct ibv_qp *qp, enum ibv_wr_opcode opcode)
{
	struct ibv_sge sge = { (uintptr_t)memory, 8, mr->lkey };
	struct ibv_send_wr wr = {
		.wr_id = 1,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = opcode,
		.send_flags = IBV_SEND_SIGNALED,
	}, *bad;

	return ibv_post_send(qp, &wr, &bad);
}

static int post_recv(struct ibv_qp *qp)
{
	struct ibv_sge sge = { (uintptr_t)memory, 8, mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = 2, .sg_list = &sge, .num_sge = 1 }, *bad;

	return ibv_post_recv(qp, &wr, &bad);
}

static void expect_flushed(void)
{
	struct ibv_wc wc[2];

	if (expect_value(collect(cq, wc, 2, PATIENCE_MS), 2, "the number of completions")) {
		expect_value(wc[0].status, IBV_WC_WR_FLUSH_ERR, "the first status");
		expect_value(wc[1].status, IBV_WC_WR_FLUSH_ERR, "the second status");
	}
}

/* A process cannot connect by a modify: iw_cm alone knows streams. */
static void queue_pair_goes(void)
{
	struct ibv_qp *qp = qp_of(IBV_QPT_RC, NULL);

	if (!expect_made(qp, "create_qp"))
		return verdict("a queue pair");
	expect_state(qp, IBV_QPS_RESET);
	expect_ok(modify(qp, IBV_QPS_INIT), "modify to Init");
	expect_error(modify(qp, IBV_QPS_RTS), EINVAL, "modify to RTS");
	expect_error(modify(qp, IBV_QPS_SQD), EINVAL, "modify to SQD");
	expect_ok(post_recv(qp), "post_recv");
	expect_ok(post_send(qp, IBV_WR_SEND), "post_send");
	/* rdma_cm sets the access flags so; the state stays. */
	expect_ok(modify(qp, IBV_QPS_RTR), "modify to RTR");
	expect_state(qp, IBV_QPS_INIT);
	expect_value(poll_all(cq), 0, "the number of completions in Init");
	expect_ok(modify(qp, IBV_QPS_ERR), "modify to Error");
	expect_flushed();
	expect_ok(modify(qp, IBV_QPS_RESET), "modify to Reset");
	expect_ok(modify(qp, IBV_QPS_INIT), "modify to Init again");
	expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	verdict("a queue pair goes from Reset to Init and to Error, and what is posted is flushed");
}

static void opcodes_are_refused(void)
{
	static const enum ibv_wr_opcode opcodes[] = {
		IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WR_SEND_WITH_IMM, IBV_WR_ATOMIC_CMP_AND_SWP,
		IBV_WR_ATOMIC_FETCH_AND_ADD,
	};
	struct ibv_qp *qp = qp_of(IBV_QPT_RC, NULL);
	size_t i;

	if (!expect_made(qp, "create_qp"))
		return verdict("a queue pair");
	expect_ok(modify(qp, IBV_QPS_INIT), "modify to Init");
	for (i = 0; i < COUNT(opcodes); i++)
		expect(post_send(qp, opcodes[i]), "opcode %d is posted", opcodes[i]);
	expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	verdict("atomics and immediate data are refused");
}

static void shares_a_receive_queue(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = ENTRIES, .max_sge = 1 } };
	struct ibv_srq *srq = ibv_create_srq(pd, &init);
	struct ibv_qp *qp;

	if (!expect_made(srq, "create_srq"))
		return verdict("an SRQ");
	qp = qp_of(IBV_QPT_RC, srq);
	if (expect_made(qp, "create_qp"))
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	verdict("a queue pair with an SRQ");
}

static void has_windows(void)
{
	struct ibv_mw *mw = ibv_alloc_mw(pd, IBV_MW_TYPE_2);

	if (expect_made(mw, "alloc_mw"))
		expect_ok(ibv_dealloc_mw(mw), "dealloc_mw");
	verdict("a memory window");
}

static void types_are_refused(void)
{
	struct ibv_ah_attr ah = { .port_num = 1, .dlid = 1 };
	struct ibv_xrcd_init_attr xrcd = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1,
		.oflags = O_CREAT,
	};

	expect_refused(qp_of(IBV_QPT_UD, NULL), EOPNOTSUPP, "a UD queue pair");
	expect_refused(qp_of(IBV_QPT_UC, NULL), EOPNOTSUPP, "a UC queue pair");
	verdict("queue pairs of other types are refused");
	expect_refused(ibv_create_ah(pd, &ah), EOPNOTSUPP, "an address handle");
	verdict("address handles are refused");
	expect_refused(ibv_open_xrcd(context, &xrcd), EOPNOTSUPP, "an XRC domain");
	verdict("XRC domains are refused");
	expect_refused(ibv_reg_mr(pd, memory, OCTETS, IBV_ACCESS_ON_DEMAND), EINVAL,
		       "memory on demand");
	verdict("memory on demand is refused");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: verbs_rnic DEVICE\n");
		return EXIT_FAILURE;
	}
	context = must_open(argv[1]);
	pd = ibv_alloc_pd(context);
	cq = ibv_create_cq(context, 2 * ENTRIES, NULL, NULL, 0);
	memory = aligned_alloc(OCTETS, OCTETS);
	if (pd && memory)
		mr = ibv_reg_mr(pd, memory, OCTETS,
				IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
					IBV_ACCESS_REMOTE_READ);
	if (!cq || !mr)
		give_up("a protection domain, a CQ and an MR");
	attributes_are();
	queue_pair_goes();
	opcodes_are_refused();
	shares_a_receive_queue();
	has_windows();
	types_are_refused();
	expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	expect_ok(ibv_close_device(context), "close_device");
	verdict("all is given back");
	return lab_status();
}
