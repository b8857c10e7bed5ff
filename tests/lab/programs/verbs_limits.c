// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_limits [DEVICE [OTHER]]
 * Checks what query_device says: each limit is there, as much as it says is made, and one more is
 * refused with nothing made; and who keeps a protection domain. Runs in the guest; ports may be in
 * any state.
 */
#include "verbs_lab.h"
#include <sys/mman.h>

static struct ibv_context *context;
static struct ibv_device_attr limits;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static uint8_t memory[4096] __attribute__((aligned(4096)));

/* --- what it says --- */

static void there(void)
{
	struct ibv_device_attr_ex ex = {};

	expect_ok(ibv_query_device_ex(context, NULL, &ex), "query_device_ex");
	limits = ex.orig_attr;
	expect(limits.vendor_id && limits.vendor_part_id, "no vendor, or no part"); /* R0-028 */
	expect(limits.max_qp > 0, "max_qp is 0"); /* R0-029 */
	expect(limits.max_qp_wr > 0, "max_qp_wr is 0"); /* R0-030 */
	expect(limits.max_sge >= 4, "max_sge is %d", limits.max_sge); /* R0-032, R0-033, R0-404 */
	expect(limits.max_cq > 0, "max_cq is 0"); /* R0-034 */
	expect(limits.max_cqe > 0, "max_cqe is 0"); /* R0-035 */
	expect(context->num_comp_vectors >= 1, "no completion vector"); /* R0-036 */
	expect(limits.max_mr > 0 && limits.max_mr_size > 0, "max_mr is 0"); /* R0-037 */
	expect(limits.max_pd > 0, "max_pd is 0"); /* R0-039 */
	expect(limits.max_mw > 0, "max_mw is 0"); /* R0-046 */
	expect(limits.page_size_cap & 4096, "no pages of 4096 octets"); /* R0-050 */
	expect(limits.max_srq > 0 && limits.max_srq_wr > 0 && limits.max_srq_sge >= 4,
	       "no SRQs"); /* R0-031, R0-051, R0-053 */
	verdict("query_device says what there is (R0-021, R0-479)");

	expect(limits.max_qp_rd_atom >= 1 && limits.max_qp_init_rd_atom >= 1,
	       "no RDMA Reads"); /* R0-042, R0-043 */
	expect(limits.max_res_rd_atom / limits.max_qp_rd_atom >= limits.max_qp,
	       "%d responder resources for %d queue pairs", limits.max_res_rd_atom,
	       limits.max_qp); /* R0-040, R0-241, R0-251, R0-252 */
	verdict("resources for RDMA Reads of all queue pairs");
}

/* --- as much, and one more --- */

static struct ibv_qp_init_attr one_of(void)
{
	return (struct ibv_qp_init_attr){
		.send_cq = cq,
		.recv_cq = cq,
		.cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};
}

static void queue_pair(const char *what, struct ibv_qp_init_attr init, int error)
{
	struct ibv_qp *qp = ibv_create_qp(pd, &init);

	expect_error(qp ? 0 : errno, error, what);
	if (qp)
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
}

static void queue_pairs(int more)
{
	int error = more ? EINVAL : 0;
	struct ibv_qp_init_attr init = one_of();

	init.cap.max_send_wr = limits.max_qp_wr + more;
	queue_pair("send requests", init, error);
	init = one_of();
	init.cap.max_recv_wr = limits.max_qp_wr + more;
	queue_pair("receive requests", init, error);
	init = one_of();
	init.cap.max_send_sge = limits.max_sge + more;
	queue_pair("SGEs to send", init, error);
	init = one_of();
	init.cap.max_recv_sge = limits.max_sge + more;
	queue_pair("SGEs to receive", init, error);
	verdict("queue pairs: %s (R0-022, R0-112, R0-403, R0-491)",
		more ? "one more is refused" : "as much as query_device says");
}

static void completion_queues(int more)
{
	struct ibv_cq *own = ibv_create_cq(context, limits.max_cqe + more, NULL, NULL, 0);

	expect_error(own ? 0 : errno, more ? EINVAL : 0, "create_cq"); /* P1-204 */
	if (own) {
		expect(own->cqe >= limits.max_cqe, "cqe is %d", own->cqe);
		expect_ok(ibv_destroy_cq(own), "destroy_cq");
	}
	own = ibv_create_cq(context, 1, NULL, NULL, 0);
	if (expect_made(own, "create_cq")) {
		int before = own->cqe;

		expect_error(ibv_resize_cq(own, limits.max_cqe + more), more ? EINVAL : 0,
			     "resize_cq");
		if (more)
			expect_value(own->cqe, before, "cqe");
		expect_ok(ibv_destroy_cq(own), "destroy_cq");
	}
	verdict("completion queues: %s (R0-022, R0-069, R0-483, R0-485)",
		more ? "one more is refused" : "as much as query_device says");
}

/* --- who keeps what --- */

/* R0-063: @object, alone, keeps the protection domain, until it has gone. */
static void keeps(struct ibv_pd *own, const void *object, const char *what)
{
	if (expect_made(object, what))
		expect_error(ibv_dealloc_pd(own), EBUSY, what);
}

static void domains(void)
{
	struct ibv_pd *own = ibv_alloc_pd(context), *other = ibv_alloc_pd(context);
	struct ibv_qp_init_attr init = one_of();
	struct ibv_srq_init_attr shared = { .attr = { .max_wr = 4, .max_sge = 1 } };
	struct ibv_srq *srq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	struct ibv_mw *mw;

	if (!own || !other)
		give_up("protection domains");
	expect(own->handle != other->handle, "two domains are one"); /* R0-062 */
	mr = ibv_reg_mr(own, memory, sizeof(memory), 0);
	keeps(own, mr, "an MR"); /* R0-056 */
	expect_ok(mr ? ibv_dereg_mr(mr) : 0, "dereg_mr");
	mw = ibv_alloc_mw(own, IBV_MW_TYPE_2);
	keeps(own, mw, "a window"); /* R0-057, R0-501 */
	expect_ok(mw ? ibv_dealloc_mw(mw) : 0, "dealloc_mw");
	qp = ibv_create_qp(own, &init);
	keeps(own, qp, "a queue pair"); /* R0-055, R0-117 */
	expect_ok(qp ? ibv_destroy_qp(qp) : 0, "destroy_qp");
	srq = ibv_create_srq(own, &shared);
	keeps(own, srq, "an SRQ"); /* R0-211 */
	expect_ok(srq ? ibv_destroy_srq(srq) : 0, "destroy_srq");
	expect_ok(ibv_dealloc_pd(own), "dealloc_pd when all have gone");
	expect_ok(ibv_dealloc_pd(other), "dealloc_pd");
	verdict("each object alone keeps its protection domain (T0-006, R0-063, R0-481, R0-482)");
}

/* Objects of another device have handles that this one's context does not know: ENOENT. */
static void foreign_objects(const char *name)
{
	struct ibv_context *other = must_open(name);
	struct ibv_cq *foreign[64];
	struct ibv_qp_init_attr init = one_of();
	unsigned int i;

	for (i = 0; i < COUNT(foreign); i++)
		expect_made(foreign[i] = ibv_create_cq(other, 1, NULL, NULL, 0), "create_cq");
	if (foreign[COUNT(foreign) - 1]) {
		init.send_cq = foreign[COUNT(foreign) - 1];
		queue_pair("a CQ of another device to send", init, ENOENT);
		init.send_cq = cq;
		init.recv_cq = foreign[COUNT(foreign) - 1];
		queue_pair("a CQ of another device to receive", init, ENOENT);
	}
	for (i = 0; i < COUNT(foreign); i++)
		if (foreign[i])
			expect_ok(ibv_destroy_cq(foreign[i]), "destroy_cq");
	expect_ok(ibv_close_device(other), "close_device");
	verdict("objects of another device are refused (R0-017)");
}

/* A registration that fails in the middle of its pages leaves none of them pinned (R0-286). */
static void failed_registrations(void)
{
	const size_t length = 64 * 4096;
	uint8_t *hole = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			     0);
	unsigned long before = pinned();
	unsigned int i;

	if (hole == MAP_FAILED || munmap(hole + length - 4096, 4096))
		give_up("memory with a hole");
	for (i = 0; i < 50; i++)
		expect_refused(ibv_reg_mr(pd, hole, length, IBV_ACCESS_LOCAL_WRITE), EFAULT,
			       "reg_mr");
	expect_value(pinned(), before, "VmPin afterwards");
	munmap(hole, length - 4096);
	verdict("registrations that fail leave nothing pinned (R0-286, R0-292)");
}

/* B4-288, B4-293: each of two MRs pins the same pages, and goes on when the other has gone. */
static void pinned_by_each(void)
{
	const size_t length = 64 * 4096;
	uint8_t *pages = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);
	unsigned long before = pinned();
	struct ibv_mr *mr[2];
	unsigned int i;

	if (pages == MAP_FAILED)
		give_up("memory");
	for (i = 0; i < 2; i++) {
		mr[i] = ibv_reg_mr(pd, pages, length, IBV_ACCESS_LOCAL_WRITE);
		expect_made(mr[i], "reg_mr");
		expect_value(pinned(), before + (i + 1) * length, "VmPin of more MRs");
	}
	for (i = 0; i < 2; i++) {
		expect_ok(mr[i] ? ibv_dereg_mr(mr[i]) : 0, "dereg_mr");
		expect_value(pinned(), before + (1 - i) * length, "VmPin of fewer MRs");
	}
	munmap(pages, length);
	verdict("an MR pins its pages, whatever other MRs do");
}

/* --- sizes that stay --- */

static void fixed_sizes(void)
{
	struct ibv_qp_init_attr init = one_of();
	struct ibv_qp *qp = ibv_create_qp(pd, &init);
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1,
				    .cap = { .max_send_wr = 2 } }, got;
	const int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
	struct ibv_qp_init_attr as_made;

	expect(!(limits.device_cap_flags & IBV_DEVICE_RESIZE_MAX_WR),
	       "the device says that work queues can be resized"); /* R0-047 */
	if (expect_made(qp, "create_qp")) {
		expect_error(ibv_modify_qp(qp, &attr, mask | IBV_QP_CAP), EINVAL,
			     "modify_qp of the sizes, too");
		expect_ok(ibv_query_qp(qp, &got, IBV_QP_STATE | IBV_QP_CAP, &as_made), "query_qp");
		expect_value(got.qp_state, IBV_QPS_RESET, "state");
		expect_value(got.cap.max_send_wr, init.cap.max_send_wr, "max_send_wr");
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	}
	verdict("work queues cannot be resized, and query_device says so (R0-047, R0-135, R0-136)");
}

int main(int argc, char **argv)
{
	context = must_open(argc > 1 ? argv[1] : "hca0");
	there();
	pd = ibv_alloc_pd(context);
	cq = ibv_create_cq(context, 16, NULL, NULL, 0);
	if (!pd || !cq)
		give_up("a protection domain and a completion queue");
	queue_pairs(0);
	queue_pairs(1);
	completion_queues(0);
	completion_queues(1);
	domains();
	foreign_objects(argc > 2 ? argv[2] : "hca1");
	failed_registrations();
	pinned_by_each();
	fixed_sizes();
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	expect_ok(ibv_close_device(context), "close_device");
	verdict("everything is given back");
	return lab_status();
}
