/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An object of each kind that verbs has beyond those of 1.0, and what it stands on: device memory,
 * memory on demand, XRC, extended and resized completion queues, parent domains. Each is made by
 * one function from what prepare() has made, and destroyed by another.
 */
#ifndef HCA_TESTS_VERBS_BORDERS_H
#define HCA_TESTS_VERBS_BORDERS_H

#include "verbs_lab.h"
#include <fcntl.h>
#include <sys/mman.h>

#define BYTES (64u << 10)

/* The objects of prepare(), from which all other objects are made. */
static struct {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_dm *dm;
	struct ibv_xrcd *xrcd;
	struct ibv_srq *srq; /* of XRC */
	struct ibv_qp *tgt;
	struct ibv_cq *resized;
	struct ibv_srq *resized_srq;
	struct ibv_mr *odp;
	struct ibv_mr *mr;
	struct ibv_td *td;
	uint8_t *memory;
} base;

static inline void *make_pd(void)
{
	return ibv_alloc_pd(base.context);
}

static inline int destroy_pd(void *object)
{
	return ibv_dealloc_pd(object);
}

static inline void *make_cq_ex(void)
{
	struct ibv_cq_init_attr_ex attr = {
		.cqe = 100, .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP,
	};
	struct ibv_cq_ex *cq = ibv_create_cq_ex(base.context, &attr);

	return cq ? ibv_cq_ex_to_cq(cq) : NULL;
}

static inline int destroy_cq(void *object)
{
	return ibv_destroy_cq(object);
}

static inline void *make_dm(void)
{
	struct ibv_alloc_dm_attr attr = { .length = BYTES };

	return ibv_alloc_dm(base.context, &attr);
}

static inline int destroy_dm(void *object)
{
	return ibv_free_dm(object);
}

static inline void *make_dm_mr(void)
{
	return ibv_reg_dm_mr(base.pd, base.dm, 0, BYTES,
			     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ZERO_BASED);
}

static inline int destroy_mr(void *object)
{
	return ibv_dereg_mr(object);
}

static inline void *make_mr(void)
{
	return ibv_reg_mr(base.pd, base.memory, BYTES, IBV_ACCESS_LOCAL_WRITE);
}

static inline void *make_odp_mr(void)
{
	return ibv_reg_mr(base.pd, base.memory, BYTES,
			  IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND);
}

static inline void *make_mw(void)
{
	return ibv_alloc_mw(base.pd, IBV_MW_TYPE_2);
}

static inline int destroy_mw(void *object)
{
	return ibv_dealloc_mw(object);
}

static inline void *make_xrcd(void)
{
	struct ibv_xrcd_init_attr attr = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1,
		.oflags = O_CREAT,
	};

	return ibv_open_xrcd(base.context, &attr);
}

static inline int destroy_xrcd(void *object)
{
	return ibv_close_xrcd(object);
}

static inline void *make_xrc_srq(void)
{
	struct ibv_srq_init_attr_ex attr = {
		.attr = { .max_wr = 100, .max_sge = 2 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			     IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
		.srq_type = IBV_SRQT_XRC, .pd = base.pd, .xrcd = base.xrcd, .cq = base.cq,
	};

	return ibv_create_srq_ex(base.context, &attr);
}

static inline int destroy_srq(void *object)
{
	return ibv_destroy_srq(object);
}

static inline void *make_srq(void)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = 100, .max_sge = 2 } };

	return ibv_create_srq(base.pd, &attr);
}

static inline void *make_tgt(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_XRC_RECV, .comp_mask = IBV_QP_INIT_ATTR_XRCD, .xrcd = base.xrcd,
	};

	return ibv_create_qp_ex(base.context, &attr);
}

static inline void *open_tgt(void)
{
	struct ibv_qp_open_attr attr = {
		.comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD | IBV_QP_OPEN_ATTR_TYPE,
		.qp_num = base.tgt->qp_num, .xrcd = base.xrcd, .qp_type = IBV_QPT_XRC_RECV,
	};

	return ibv_open_qp(base.context, &attr);
}

static inline int destroy_qp(void *object)
{
	return ibv_destroy_qp(object);
}

static inline void *make_ini(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_XRC_SEND, .comp_mask = IBV_QP_INIT_ATTR_PD, .pd = base.pd,
		.send_cq = base.cq, .cap = { .max_send_wr = 10, .max_send_sge = 1 },
	};

	return ibv_create_qp_ex(base.context, &attr);
}

static inline struct ibv_qp *make_qp_of(struct ibv_pd *pd, struct ibv_cq *cq)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC, .send_cq = cq, .recv_cq = cq,
		.cap = { .max_send_wr = 10, .max_recv_wr = 10, .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};

	return ibv_create_qp(pd, &attr);
}

static inline void *make_qp(void)
{
	return make_qp_of(base.pd, base.cq);
}

static inline void *make_parent(void)
{
	struct ibv_parent_domain_init_attr attr = { .pd = base.pd, .td = base.td };

	return ibv_alloc_parent_domain(base.context, &attr);
}

static const struct border {
	const char *name;
	void *(*make)(void);
	int (*destroy)(void *object);
} borders[] = {
	{ "a protection domain", make_pd, destroy_pd },
	{ "a parent domain", make_parent, destroy_pd },
	{ "a memory region", make_mr, destroy_mr },
	{ "a memory region on demand", make_odp_mr, destroy_mr },
	{ "a memory window", make_mw, destroy_mw },
	{ "a device memory", make_dm, destroy_dm },
	{ "a memory region of device memory", make_dm_mr, destroy_mr },
	{ "an extended completion queue", make_cq_ex, destroy_cq },
	{ "a shared receive queue", make_srq, destroy_srq },
	{ "an XRC domain", make_xrcd, destroy_xrcd },
	{ "a shared receive queue of XRC", make_xrc_srq, destroy_srq },
	{ "an XRC target", make_tgt, destroy_qp },
	{ "an XRC target that is opened", open_tgt, destroy_qp },
	{ "an XRC initiator", make_ini, destroy_qp },
	{ "a queue pair", make_qp, destroy_qp },
};

static inline void must(const void *object, const char *what)
{
	if (!expect_made(object, what))
		give_up("what objects stand on");
}

static inline void prepare(const char *device)
{
	struct ibv_td_init_attr td_attr = {};

	base.context = must_open(device);
	base.memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(base.memory == MAP_FAILED ? NULL : base.memory, "memory");
	must(base.pd = make_pd(), "alloc_pd");
	must(base.cq = ibv_create_cq(base.context, 100, NULL, NULL, 0), "create_cq");
	must(base.resized = ibv_create_cq(base.context, 100, NULL, NULL, 0), "create_cq");
	must(base.resized_srq = make_srq(), "create_srq");
	must(base.dm = make_dm(), "alloc_dm");
	must(base.xrcd = make_xrcd(), "open_xrcd");
	must(base.srq = make_xrc_srq(), "create_srq of XRC");
	must(base.tgt = make_tgt(), "create_qp of XRC");
	must(base.odp = make_odp_mr(), "reg_mr on demand");
	must(base.mr = make_mr(), "reg_mr");
	must(base.td = ibv_alloc_td(base.context, &td_attr), "alloc_td");
}

static inline void finish(void)
{
	expect_ok(ibv_dealloc_td(base.td), "dealloc_td");
	expect_ok(ibv_dereg_mr(base.mr), "dereg_mr");
	expect_ok(ibv_dereg_mr(base.odp), "dereg_mr on demand");
	expect_ok(ibv_destroy_qp(base.tgt), "destroy_qp of XRC");
	expect_ok(ibv_destroy_srq(base.srq), "destroy_srq of XRC");
	expect_ok(ibv_close_xrcd(base.xrcd), "close_xrcd");
	expect_ok(ibv_free_dm(base.dm), "free_dm");
	expect_ok(ibv_destroy_srq(base.resized_srq), "destroy_srq");
	expect_ok(ibv_destroy_cq(base.resized), "destroy_cq");
	expect_ok(ibv_destroy_cq(base.cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(base.pd), "dealloc_pd");
	expect_ok(ibv_close_device(base.context), "close_device");
	munmap(base.memory, BYTES);
}

/* Has pages of the MR on demand brought. Return: 0 or an errno. */
static inline int bring_pages(void)
{
	struct ibv_sge sge = { (uintptr_t)base.memory, BYTES, base.odp->lkey };

	return ibv_advise_mr(base.pd, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, IBV_ADVISE_MR_FLAG_FLUSH,
			     &sge, 1);
}

static inline int resize_cq(unsigned int n)
{
	return ibv_resize_cq(base.resized, n);
}

static inline int resize_srq(unsigned int n)
{
	struct ibv_srq_attr attr = { .max_wr = n };

	return ibv_modify_srq(base.resized_srq, &attr, IBV_SRQ_MAX_WR);
}

/* All live objects of the device, as hcactl prints them. */
static inline void objects_of(const char *device, char *line, size_t size)
{
	char command[128];
	FILE *pipe;

	snprintf(command, sizeof(command), "hcactl device show %s", device);
	pipe = popen(command, "r");
	line[0] = '\0';
	while (pipe && fgets(line, size, pipe))
		if (strstr(line, "objects:"))
			break;
	expect(strstr(line, "objects:"), "%s prints no objects", command);
	while (pipe && fgetc(pipe) != EOF)
		;
	if (pipe)
		pclose(pipe);
}

#endif
