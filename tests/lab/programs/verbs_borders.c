// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_borders DEVICE
 *        verbs_borders DEVICE hold
 *        verbs_borders DEVICE memory CGROUP
 *        verbs_borders DEVICE greedy
 * What objects cost and when they can be destroyed. Without more: none can be while another one
 * stands on it. `hold`: has an object of each kind until it is killed. `memory`: what objects need
 * is charged to the memory cgroup that the process is in. `greedy`: allocates device memory until
 * it is refused, or killed. Runs in the guest with Active ports.
 */
#include "verbs_borders.h"

static const char *device;

/* --- destruction of what is in use ------------------------------------------------------------ */

static void in_use(void)
{
	struct ibv_cq *extended = make_cq_ex();
	struct ibv_pd *parent = make_parent();
	struct ibv_qp *qp = NULL, *other = NULL, *opened = open_tgt();
	struct ibv_mr *mr = make_dm_mr();

	if (expect_made(extended, "create_cq_ex") && expect_made(parent, "alloc_parent_domain") &&
	    expect_ok(resize_cq(1000), "resize_cq")) {
		qp = make_qp_of(parent, extended);
		other = make_qp_of(base.pd, base.resized);
	}
	if (expect_made(qp, "create_qp") && expect_made(other, "create_qp") &&
	    expect_made(opened, "open_qp") && expect_made(mr, "reg_dm_mr")) {
		expect_error(ibv_destroy_cq(extended), EBUSY, "an extended CQ");
		expect_error(ibv_destroy_cq(base.resized), EBUSY, "a resized CQ");
		expect_error(ibv_dealloc_pd(parent), EBUSY, "a parent domain");
		expect_error(ibv_dealloc_td(base.td), EBUSY, "a thread domain");
		expect_error(ibv_dealloc_pd(base.pd), EBUSY, "a protection domain");
		expect_error(ibv_free_dm(base.dm), EBUSY, "a device memory");
		expect_error(ibv_close_xrcd(base.xrcd), EBUSY, "an XRC domain");
		expect_error(ibv_destroy_cq(base.cq), EBUSY, "the CQ of an XRC SRQ");
	}
	if (opened)
		expect_ok(ibv_destroy_qp(opened), "destroy_qp");
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	if (other)
		expect_ok(ibv_destroy_qp(other), "destroy_qp");
	if (qp)
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	if (parent)
		expect_ok(ibv_dealloc_pd(parent), "dealloc_pd");
	if (extended)
		expect_ok(ibv_destroy_cq(extended), "destroy_cq");
	verdict("what is in use cannot be destroyed (V3-143)");
}

/* --- until it is killed ----------------------------------------------------------------------- */

static void create_all(void)
{
	unsigned int i;

	for (i = 0; i < COUNT(borders); i++)
		expect_made(borders[i].make(), borders[i].name);
	expect_ok(bring_pages(), "advise_mr");
	expect_ok(resize_cq(1000), "resize_cq");
	expect_ok(resize_srq(1000), "resize_srq");
	verdict("an object of each kind");
	puts("holding");
	fflush(stdout);
	pause();
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Return: octets, of a file of the memory cgroup. */
static unsigned long long charged(const char *cgroup)
{
	unsigned long long octets = 0;
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/memory.current", cgroup);
	f = fopen(path, "r");
	expect(f && fscanf(f, "%llu", &octets) == 1, "%s cannot be read", path);
	if (f)
		fclose(f);
	return octets;
}

#define MANY 8000u
#define SLACK (512u << 10) /* of the cgroup's counter, which each processor charges in batches */

static void *make_large_cq(void)
{
	return ibv_create_cq(base.context, 10000, NULL, NULL, 0);
}

/* Pages on demand are remembered in chunks, each of 2 MiB of addresses. */
static void on_demand(const char *cgroup)
{
	const uint64_t step = 2ull << 20, length = 1000 * step;
	uint8_t *memory = mmap(NULL, length, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct ibv_mr *mr = ibv_reg_mr(base.pd, memory, length,
				       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND);
	unsigned long long before;
	uint64_t i;

	if (expect(memory != MAP_FAILED, "mmap") && expect_made(mr, "reg_mr")) {
		/* The pages of the process, and its page tables, are there before. */
		for (i = 0; i < length; i += step)
			memory[i] = 1;
		before = charged(cgroup);
		for (i = 0; i < length; i += step) {
			struct ibv_sge sge = { (uintptr_t)memory + i, 1, mr->lkey };

			expect_ok(ibv_advise_mr(base.pd, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE,
						IBV_ADVISE_MR_FLAG_FLUSH, &sge, 1), "advise_mr");
		}
		expect(charged(cgroup) + SLACK >= before + 1000 * 4096,
		       "1000 chunks cost %llu octets", charged(cgroup) - before);
	}
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	munmap(memory, length);
	verdict("the process's memory cgroup pays for pages that are known");
}

static const struct cost {
	const char *what;
	void *(*make)(void);
	int (*destroy)(void *object);
	unsigned int n, octets; /* so many cost at least so many octets each */
} costs[] = {
	{ "a device memory", make_dm, destroy_dm, 64, BYTES },
	{ "a completion queue", make_large_cq, destroy_cq, 64, 10000 * 32 },
	{ "a shared receive queue of XRC", make_xrc_srq, destroy_srq, 1000, 4096 },
	{ "an XRC target", make_tgt, destroy_qp, 2000, 1024 },
	{ "a memory region of device memory", make_dm_mr, destroy_mr, MANY, 256 },
	{ "a memory region on demand", make_odp_mr, destroy_mr, MANY, 512 },
	{ "a memory window", make_mw, destroy_mw, MANY, 128 },
};

static void cost_of(const struct cost *cost, const char *cgroup, void **object)
{
	unsigned long long before = charged(cgroup), after;
	unsigned int i;

	for (i = 0; i < cost->n; i++)
		if (!expect_made(object[i] = cost->make(), cost->what))
			break;
	after = charged(cgroup);
	expect(after + SLACK >= before + (unsigned long long)cost->n * cost->octets,
	       "%u cost %lld octets, not %u", cost->n, (long long)(after - before),
	       cost->n * cost->octets);
	verdict("the process's memory cgroup pays for %s", cost->what);
}

/* All stay until the end: what goes is uncharged some time later. */
static void memory(const char *cgroup)
{
	static void *object[COUNT(costs)][MANY];
	unsigned int i, j;

	for (i = 0; i < COUNT(costs); i++)
		cost_of(&costs[i], cgroup, object[i]);
	on_demand(cgroup);
	for (i = 0; i < COUNT(costs); i++)
		for (j = 0; j < MANY && object[i][j]; j++)
			expect_ok(costs[i].destroy(object[i][j]), costs[i].what);
}

static void greedy(void)
{
	struct ibv_alloc_dm_attr attr = { .length = 1 << 20 };
	unsigned int n = 0;

	while (n < 4096 && ibv_alloc_dm(base.context, &attr))
		n++;
	expect_error(errno, ENOMEM, "alloc_dm");
	printf("# %u MiB of device memory\n", n);
	verdict("refused");
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[2] : "";

	device = argc > 1 ? argv[1] : "hca0";
	prepare(device);
	if (!strcmp(mode, "hold")) {
		create_all();
	} else if (!strcmp(mode, "greedy")) {
		greedy();
	} else if (argc > 3 && !strcmp(mode, "memory")) {
		memory(argv[3]);
		finish();
	} else {
		in_use();
		finish();
		verdict("everything is given back");
	}
	return lab_status();
}
