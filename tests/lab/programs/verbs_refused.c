// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_refused [DEVICE]
 * Each function of libibverbs of which docs/VERBS.md says that it is refused with EOPNOTSUPP, by
 * which programs know what an adapter does not have; and functions that later releases of
 * libibverbs have and the adapter has as well. Runs in the guest; the link is 4X EDR.
 */
#include "verbs_lab.h"

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_qp *qp;

static int not_made(const void *object)
{
	return object ? 0 : errno;
}

static void refused(int error, const char *what)
{
	expect_error(error, EOPNOTSUPP, what);
	verdict("%s is refused", what);
}

static bool make_objects(void)
{
	struct ibv_qp_init_attr attr = { .cap = { 1, 1, 1, 1, 0 }, .qp_type = IBV_QPT_RC };

	pd = ibv_alloc_pd(context);
	cq = ibv_create_cq(context, 4, NULL, NULL, 0);
	attr.send_cq = attr.recv_cq = cq;
	qp = pd && cq ? ibv_create_qp(pd, &attr) : NULL;
	return expect_made(qp, "create_qp");
}

static void destroy_objects(void)
{
	expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	verdict("objects are destroyed");
}

static void of_queue_pairs(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_UD, .send_cq = cq, .recv_cq = cq, .pd = pd,
		.cap = { 1, 1, 1, 1, 0 },
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.send_ops_flags = IBV_QP_EX_WITH_TSO,
	};
	struct ibv_qp_rate_limit_attr rate = { .rate_limit = 1 };
	struct ibv_ece ece = { .vendor_id = 1 };

	refused(ibv_set_ece(qp, &ece), "set_ece");
	refused(ibv_query_ece(qp, &ece), "query_ece");
	refused(ibv_modify_qp_rate_limit(qp, &rate), "modify_qp_rate_limit");
	refused(not_made(ibv_create_qp_ex(context, &attr)), "create_qp for wr_send_tso");
	expect_value(ibv_query_qp_data_in_order(qp, IBV_WR_RDMA_WRITE, 0), 0, "the order");
	verdict("query_qp_data_in_order promises nothing");
}

static void tag_matching(void)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = 1, .max_sge = 1 } };
	struct ibv_ops_wr wr = { .opcode = IBV_WR_TAG_SYNC }, *bad;
	struct ibv_srq *srq = ibv_create_srq(pd, &attr);

	if (!expect_made(srq, "create_srq"))
		give_up("an SRQ");
	refused(ibv_post_srq_ops(srq, &wr, &bad), "post_srq_ops");
	expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	verdict("the SRQ is destroyed");
}

static void of_ethernet(void)
{
	struct ibv_flow_attr flow = { .size = sizeof(flow), .port = 1 };
	struct ibv_flow_action_esp_attr esp = { 0 };
	struct ibv_counters_init_attr counters = { 0 };
	struct ibv_wq_init_attr wq = { .wq_type = IBV_WQT_RQ, .max_wr = 1, .max_sge = 1,
				       .pd = pd, .cq = cq };
	struct ibv_rwq_ind_table_init_attr table = { 0 };

	refused(not_made(ibv_create_flow(qp, &flow)), "create_flow");
	refused(not_made(ibv_create_flow_action_esp(context, &esp)), "create_flow_action_esp");
	refused(not_made(ibv_create_counters(context, &counters)), "create_counters");
	refused(not_made(ibv_create_wq(context, &wq)), "create_wq");
	refused(not_made(ibv_create_rwq_ind_table(context, &table)), "create_rwq_ind_table");
}

#if HCA_IBVERBS_API >= 15
static void dma_handles(void)
{
	struct ibv_dmah_init_attr attr = { .comp_mask = IBV_DMAH_INIT_ATTR_MASK_PH, .ph = 1 };
	struct ibv_dmah dmah = { .context = context };

	refused(not_made(ibv_alloc_dmah(context, &attr)), "alloc_dmah");
	refused(ibv_dealloc_dmah(&dmah), "dealloc_dmah");
}
#endif

#if HCA_IBVERBS_API >= 16
static void port_speed(void)
{
	uint64_t speed = 0;

	expect_ok(ibv_query_port_speed(context, 1, &speed), "query_port_speed");
	expect_value(speed, 1000, "the speed in 100 Mbit/s");
	expect_error(ibv_query_port_speed(context, 2, &speed), EINVAL, "another port's");
	expect_error(ibv_query_port_speed(context, 257, &speed), EINVAL, "port 257's");
	verdict("query_port_speed");
}

static void dm_as_dmabuf(void)
{
	struct ibv_alloc_dm_attr attr = { .length = 4096 };
	struct ibv_dm *dm = ibv_alloc_dm(context, &attr);

	if (!expect_made(dm, "alloc_dm"))
		give_up("device memory");
	refused(ibv_dm_export_dmabuf_fd(dm) < 0 ? errno : 0, "dm_export_dmabuf_fd");
	expect_ok(ibv_free_dm(dm), "free_dm");
	verdict("the device memory is freed");
}
#endif

#if HCA_IBVERBS_API >= 17
static void buffers(void)
{
	struct ibv_buf *buf;
	struct ibv_mr *mr;
	char *memory = ibv_alloc_buf(pd, 8192, &buf);

	if (!expect_made(memory, "alloc_buf"))
		give_up("a buffer");
	mr = ibv_reg_buf_mr(pd, buf, memory + 4096, 4096, IBV_ACCESS_LOCAL_WRITE);
	if (expect_made(mr, "reg_buf_mr"))
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	expect_error(ibv_export_buf_dmabuf_fd(buf) < 0 ? errno : 0, ENODATA, "export_buf_dmabuf_fd");
	ibv_free_buf(buf);
	verdict("a buffer is allocated and registered, and is not a DMA buffer");
}
#endif

#if HCA_IBVERBS_API >= 18
static void completion_counters(void)
{
	struct ibv_comp_cntr_init_attr attr = { .type = IBV_COMP_CNTR_TYPE_WRS };
	struct ibv_qp_attach_comp_cntr_attr attach = { .op_mask = IBV_QP_ATTACH_COMP_CNTR_OP_SEND };
	struct ibv_comp_cntr counter = { .context = context };
	struct ibv_comp_cntr_caps caps;
	uint64_t value;

	refused(ibv_query_comp_cntr_caps(context, &caps), "query_comp_cntr_caps");
	refused(not_made(ibv_create_comp_cntr(context, &attr)), "create_comp_cntr");
	refused(ibv_qp_attach_comp_cntr(qp, &counter, &attach), "qp_attach_comp_cntr");
	refused(ibv_read_comp_cntr(&counter, &value), "read_comp_cntr");
	refused(ibv_read_err_comp_cntr(&counter, &value), "read_err_comp_cntr");
	refused(ibv_set_comp_cntr(&counter, 1), "set_comp_cntr");
	refused(ibv_set_err_comp_cntr(&counter, 1), "set_err_comp_cntr");
	refused(ibv_inc_comp_cntr(&counter, 1), "inc_comp_cntr");
	refused(ibv_inc_err_comp_cntr(&counter, 1), "inc_err_comp_cntr");
	refused(ibv_destroy_comp_cntr(&counter), "destroy_comp_cntr");
}
#endif

int main(int argc, char **argv)
{
	context = open_named(argc > 1 ? argv[1] : "hca0");
	if (!expect_made(context, "open_device") || !make_objects())
		give_up("a queue pair");
	of_queue_pairs();
	tag_matching();
	of_ethernet();
#if HCA_IBVERBS_API >= 15
	dma_handles();
#endif
#if HCA_IBVERBS_API >= 16
	port_speed();
	dm_as_dmabuf();
#endif
#if HCA_IBVERBS_API >= 17
	buffers();
#endif
#if HCA_IBVERBS_API >= 18
	completion_counters();
#endif
	destroy_objects();
	ibv_close_device(context);
	return lab_status();
}
