// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: direct_limits DEVICE memlock
 *        direct_limits DEVICE context N
 *        direct_limits DEVICE cgroup HANDLES OBJECTS
 * Checks how many objects a process may have, and the error beyond that. `memlock`: RLIMIT_MEMLOCK
 * is 64 KiB, and the process lacks CAP_IPC_LOCK. `context`: parameters of the module allow each
 * context, or each user, N objects of a type. `cgroup`: the process is in an rdma cgroup with these
 * limits. Runs in the guest; ports may be in any state.
 */
#include "verbs_lab.h"
#include "kernel_ah.h"
#include <infiniband/hcadv.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define MEMLOCK 65536

static const char *name;
static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct hcadv_rdd *rdd;
static struct ibv_xrcd *xrcd;

static void *make_cq(uint32_t entries)
{
	return ibv_create_cq(context, entries, NULL, NULL, 0);
}

static void *make_srq(uint32_t entries)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = entries, .max_sge = 1 } };

	return ibv_create_srq(pd, &attr);
}

static void *make_xrc_srq(uint32_t entries)
{
	struct ibv_srq_init_attr_ex attr = {
		.attr = { .max_wr = entries, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			     IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
		.srq_type = IBV_SRQT_XRC, .pd = pd, .xrcd = xrcd, .cq = cq,
	};

	return ibv_create_srq_ex(context, &attr);
}

static void *make_xrc_tgt(uint32_t entries)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_XRC_RECV, .comp_mask = IBV_QP_INIT_ATTR_XRCD, .xrcd = xrcd,
	};

	(void)entries;
	return ibv_create_qp_ex(context, &attr);
}

static void *make_qp(uint32_t send, uint32_t recv)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = send, .max_recv_wr = recv, .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};

	return ibv_create_qp(pd, &attr);
}

static void *make_sender(uint32_t entries)
{
	return make_qp(entries, 1);
}

static void *make_receiver(uint32_t entries)
{
	return make_qp(1, entries);
}

static void *make_eec(uint32_t entries)
{
	(void)entries;
	return hcadv_create_eec(rdd);
}

static void *make_xrcd(uint32_t n)
{
	struct ibv_xrcd_init_attr attr = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1,
		.oflags = O_CREAT,
	};

	(void)n;
	return ibv_open_xrcd(context, &attr);
}

static void *make_pd(uint32_t n)
{
	(void)n;
	return ibv_alloc_pd(context);
}

static void *make_ah(uint32_t n)
{
	uint32_t *handle = malloc(sizeof(*handle));

	(void)n;
	if (kernel_ah_create(pd, handle))
		return handle;
	free(handle);
	return NULL;
}

static uint8_t octets[4096] __attribute__((aligned(4096)));

static void *make_mr(uint32_t n)
{
	(void)n;
	return ibv_reg_mr(pd, octets, sizeof(octets), IBV_ACCESS_LOCAL_WRITE);
}

static void *make_odp_mr(uint32_t n)
{
	(void)n;
	return ibv_reg_mr(pd, octets, sizeof(octets),
			  IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND);
}

static void *make_mw(uint32_t n)
{
	(void)n;
	return ibv_alloc_mw(pd, IBV_MW_TYPE_2);
}

static void *make_dm(uint32_t length)
{
	struct ibv_alloc_dm_attr attr = { .length = length };

	return ibv_alloc_dm(context, &attr);
}

static int destroy_pd(void *object)
{
	return ibv_dealloc_pd(object);
}

static int destroy_ah(void *object)
{
	int ret = kernel_ah_destroy(context, *(uint32_t *)object) ? 0 : errno;

	free(object);
	return ret;
}

static int destroy_mr(void *object)
{
	return ibv_dereg_mr(object);
}

static int destroy_mw(void *object)
{
	return ibv_dealloc_mw(object);
}

static int destroy_dm(void *object)
{
	return ibv_free_dm(object);
}

static int destroy_xrcd(void *object)
{
	return ibv_close_xrcd(object);
}

static int destroy_cq(void *object)
{
	return ibv_destroy_cq(object);
}

static int destroy_srq(void *object)
{
	return ibv_destroy_srq(object);
}

static int destroy_qp(void *object)
{
	return ibv_destroy_qp(object);
}

static int destroy_eec(void *object)
{
	return hcadv_destroy_eec(object);
}

static const struct kind {
	const char *name;
	void *(*make)(uint32_t entries);
	int (*destroy)(void *object);
	/* number of entries, or octets, that need more than 64 KiB; 0: it pins nothing */
	uint32_t large;
	unsigned int prepared; /* number of them that prepare() makes */
} kinds[] = {
	{ "a completion queue", make_cq, destroy_cq, 1 << 20, 1 },
	{ "a shared receive queue", make_srq, destroy_srq, 16384, 0 },
	{ "a shared receive queue of XRC", make_xrc_srq, destroy_srq, 16384, 0 },
	{ "a queue pair that sends", make_sender, destroy_qp, 16384, 0 },
	{ "a queue pair that receives", make_receiver, destroy_qp, 16384, 0 },
	{ "an EE context", make_eec, destroy_eec, 0, 0 },
	{ "a protection domain", make_pd, destroy_pd, 0, 1 },
	{ "an address handle", make_ah, destroy_ah, 0, 0 },
	{ "a memory region", make_mr, destroy_mr, 0, 0 },
	{ "a memory region on demand", make_odp_mr, destroy_mr, 0, 0 },
	{ "a memory window", make_mw, destroy_mw, 0, 0 },
	{ "a device memory", make_dm, destroy_dm, 1 << 20, 0 },
};

/* Objects that can outlive their context: their number is limited by user. */
static const struct kind of_user[] = {
	{ "an XRC domain", make_xrcd, destroy_xrcd, 0, 1 },
	{ "an XRC target", make_xrc_tgt, destroy_qp, 0, 0 },
};

static void prepare(void)
{
	context = must_open(name);
	pd = ibv_alloc_pd(context);
	cq = make_cq(1);
	rdd = hcadv_alloc_rdd(context);
	xrcd = make_xrcd(0);
	if (!expect_made(pd, "alloc_pd") || !expect_made(cq, "create_cq") ||
	    !expect_made(rdd, "alloc_rdd") || !expect_made(xrcd, "open_xrcd"))
		give_up("what objects need");
}

static void finish(void)
{
	expect_ok(ibv_close_xrcd(xrcd), "close_xrcd");
	expect_ok(hcadv_dealloc_rdd(rdd), "dealloc_rdd");
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	expect_ok(ibv_close_device(context), "close_device");
}

/* --- RLIMIT_MEMLOCK --------------------------------------------------------------------------- */

static void refused(const struct kind *kind, uint32_t entries)
{
	unsigned long had = pinned();
	void *object = kind->make(entries);

	expect_refused(object, ENOMEM, kind->name);
	expect_value(pinned(), had, "what is pinned then");
	if (object)
		kind->destroy(object);
}

static void large_ones(void)
{
	unsigned int i, n;

	for (n = 0; n < 12; n++)
		refused(&kinds[0], kinds[0].large);
	verdict("12 completion queues of maximum size are refused");
	for (i = 1; i < COUNT(kinds); i++) {
		if (!kinds[i].large)
			continue;
		refused(&kinds[i], kinds[i].large);
		verdict("%s beyond the limit is refused", kinds[i].name);
	}
}

/* A shared receive queue that would become too large stays what it is. */
static void larger(void)
{
	struct ibv_srq_attr attr = { .max_wr = 16384 };
	struct ibv_srq *srq = make_srq(16);
	unsigned long had = pinned();
	unsigned int i;

	if (!expect_made(srq, "create_srq"))
		goto out;
	for (i = 0; i < 12; i++) {
		attr.max_wr = 16384;
		expect_error(ibv_modify_srq(srq, &attr, IBV_SRQ_MAX_WR), ENOMEM, "modify_srq");
		expect_value(pinned(), had, "what is pinned then");
	}
	expect_ok(ibv_query_srq(srq, &attr), "query_srq");
	expect_value(attr.max_wr, 16, "max_wr");
	for (attr.max_wr = 512; attr.max_wr >= 16; attr.max_wr /= 2)
		expect_ok(ibv_modify_srq(srq, &attr, IBV_SRQ_MAX_WR), "modify_srq");
	expect_value(pinned(), had, "what is pinned in the end");
	expect_ok(ibv_destroy_srq(srq), "destroy_srq");
out:
	verdict("a shared receive queue is not resized beyond the limit");
}

/* Neither is a completion queue, which stays what it is as well. */
static void larger_cq(void)
{
	struct ibv_cq *own = make_cq(16);
	unsigned long had = pinned();
	unsigned int i;

	if (!expect_made(own, "create_cq"))
		goto out;
	for (i = 0; i < 12; i++) {
		expect_error(ibv_resize_cq(own, 1 << 19), ENOMEM, "resize_cq");
		expect_value(pinned(), had, "what is pinned then");
	}
	expect_ok(ibv_resize_cq(own, 200), "resize_cq within the limit");
	expect_ok(ibv_destroy_cq(own), "destroy_cq");
out:
	verdict("a completion queue is not resized beyond the limit");
}

/* Creates small queues until there is no memory for another. */
static void small_ones(const struct kind *kind)
{
	unsigned long had = pinned(), one;
	void *object[64];
	unsigned int n = 0, made;

	while (n < COUNT(object) && (object[n] = kind->make(16)))
		n++;
	expect(n > 0 && n < COUNT(object), "%u are made", n);
	if (n < COUNT(object))
		expect_error(errno, ENOMEM, "one more");
	expect(pinned() <= MEMLOCK, "%lu octets are pinned", pinned());
	one = n ? (pinned() - had) / n : 1;
	expect(one >= 4096 && pinned() + one > MEMLOCK, "only %lu octets are pinned", pinned());
	for (made = n; n; n--)
		expect_ok(kind->destroy(object[n - 1]), kind->name);
	expect_value(pinned(), had, "what is pinned when they are gone");
	verdict("as many as the limit allows of the size of %s (%u)", kind->name, made);
}

/*
 * Each process is charged for what it creates, also in a shared context, whichever process destroys
 * it.
 */
static void other_process(void)
{
	unsigned long had = pinned();
	int ready[2];
	pid_t child;
	char c;

	expect_ok(pipe(ready) ? errno : 0, "pipe");
	child = fork();
	if (!child) {
		if (make_cq(256) && pinned() > 0 && write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	expect_value(read(ready[0], &c, 1), 1, "what the child can make");
	expect_value(pinned(), had, "what is pinned here");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	expect_value(pinned(), had, "what is pinned when the child is dead");
	close(ready[0]);
}

static void memlock(void)
{
	struct rlimit limit;
	unsigned int i;

	getrlimit(RLIMIT_MEMLOCK, &limit);
	expect_value(limit.rlim_cur, MEMLOCK, "RLIMIT_MEMLOCK");
	expect(geteuid() != 0, "this is root");
	verdict("it has no privilege");
	prepare();
	large_ones();
	larger();
	larger_cq();
	for (i = 0; i < COUNT(kinds); i++)
		if (kinds[i].large)
			small_ones(&kinds[i]);
	other_process();
	finish(); /* also removes what the child has left */
	expect_value(pinned(), 0, "what is pinned in the end");
	verdict("the process that makes a ring pays for it (V3-306)");
}

/* --- limits by context ------------------------------------------------------------------------ */

/* Creates objects of one type up to the limit and one more. */
static void context_limit(const struct kind *kind, unsigned int limit)
{
	struct ibv_context *ours = context;
	struct ibv_pd *our_pd = pd;
	struct ibv_cq *our_cq = cq;
	struct hcadv_rdd *our_rdd = rdd;
	struct ibv_xrcd *our_xrcd = xrcd;
	void *object[64], *other;
	unsigned int n;

	for (n = 0; n < limit - kind->prepared; n++)
		if (!expect_made(object[n] = kind->make(1), kind->name))
			break;
	other = kind->make(1);
	expect_refused(other, ENOMEM, "one more");
	prepare();
	other = kind->make(1);
	if (expect_made(other, "one of another context"))
		expect_ok(kind->destroy(other), kind->name);
	finish();
	context = ours;
	pd = our_pd;
	cq = our_cq;
	rdd = our_rdd;
	xrcd = our_xrcd;
	if (n) {
		expect_ok(kind->destroy(object[n - 1]), kind->name);
		expect_made(object[n - 1] = kind->make(1), "one in its place");
	}
	for (; n; n--)
		expect_ok(kind->destroy(object[n - 1]), kind->name);
	verdict("a context's limit: %s", kind->name);
}

/* Goes on as a user whom objects count to, with root's privileges. */
static bool act_for(uid_t user)
{
	return !setresuid(user, 0, 0);
}

/* Another user makes an object of the type and destroys it. */
static void other_user(const struct kind *kind)
{
	int status = -1;
	pid_t child = fork();
	void *object;

	if (!child) {
		object = act_for(65534) ? kind->make(1) : NULL;
		_exit(!object || kind->destroy(object));
	}
	expect(waitpid(child, &status, 0) == child && !status, "another user is refused");
}

static void user_limit(const struct kind *kind, unsigned int limit)
{
	void *object[64];
	unsigned int n;

	for (n = 0; n < limit - kind->prepared; n++)
		if (!expect_made(object[n] = kind->make(1), kind->name))
			break;
	expect_refused(kind->make(1), ENOMEM, "one more");
	other_user(kind);
	for (; n; n--)
		expect_ok(kind->destroy(object[n - 1]), kind->name);
	object[0] = kind->make(1);
	if (expect_made(object[0], "one when they have gone"))
		expect_ok(kind->destroy(object[0]), kind->name);
	verdict("a user's limit: %s", kind->name);
}

/* V3-072 */
static void contexts(unsigned int limit)
{
	unsigned int i;

	prepare();
	for (i = 0; i < COUNT(kinds); i++)
		context_limit(&kinds[i], limit);
	finish();
	expect(act_for(65533), "setresuid: %s", error_name(errno));
	prepare();
	for (i = 0; i < COUNT(of_user); i++)
		user_limit(&of_user[i], limit);
	finish();
}

/* --- rdma cgroup ------------------------------------------------------------------------------ */

static void *make_rdd(uint32_t n)
{
	(void)n;
	return hcadv_alloc_rdd(context);
}

static int destroy_rdd(void *object)
{
	return hcadv_dealloc_rdd(object);
}

static const struct kind charged[] = {
	{ "a protection domain", make_pd, destroy_pd, 0, 0 },
	{ "a completion queue", make_cq, destroy_cq, 0, 0 },
	{ "a reliable datagram domain", make_rdd, destroy_rdd, 0, 0 },
	{ "an EE context", make_eec, destroy_eec, 0, 0 },
	{ "a queue pair", make_sender, destroy_qp, 0, 0 },
	{ "an XRC domain", make_xrcd, destroy_xrcd, 0, 0 },
	{ "a shared receive queue of XRC", make_xrc_srq, destroy_srq, 0, 0 },
	{ "an XRC target", make_xrc_tgt, destroy_qp, 0, 0 },
	{ "an address handle", make_ah, destroy_ah, 0, 0 },
	{ "a memory region", make_mr, destroy_mr, 0, 0 },
	{ "a memory region on demand", make_odp_mr, destroy_mr, 0, 0 },
	{ "a memory window", make_mw, destroy_mw, 0, 0 },
	{ "a device memory", make_dm, destroy_dm, 0, 0 },
};

#define PREPARED 4 /* objects that prepare() creates */

static void cgroup(unsigned int handles, unsigned int objects)
{
	struct ibv_context *more[8];
	unsigned int i, n;
	void *object[8];

	prepare();
	for (n = 0; n < handles - 1; n++)
		expect_made(more[n] = open_named(name), "open_device");
	expect(!open_named(name), "more contexts than the cgroup allows");
	while (n--)
		if (more[n])
			ibv_close_device(more[n]);
	verdict("an rdma cgroup's limit: %u contexts", handles);
	for (i = 0; i < COUNT(charged); i++) {
		for (n = 0; n < objects - PREPARED; n++)
			expect_made(object[n] = charged[i].make(1), charged[i].name);
		expect_refused(charged[i].make(1), EAGAIN, "one more");
		while (n--)
			if (object[n])
				expect_ok(charged[i].destroy(object[n]), charged[i].name);
		verdict("an rdma cgroup's limit: %s", charged[i].name);
	}
	finish();
}

int main(int argc, char **argv)
{
	name = argv[1];
	if (argc == 3 && !strcmp(argv[2], "memlock")) {
		memlock();
	} else if (argc == 4 && !strcmp(argv[2], "context")) {
		contexts(atoi(argv[3]));
	} else if (argc == 5 && !strcmp(argv[2], "cgroup")) {
		cgroup(atoi(argv[3]), atoi(argv[4]));
	} else {
		fprintf(stderr, "usage: direct_limits DEVICE {memlock | context N | cgroup HANDLES OBJECTS}\n");
		return EXIT_FAILURE;
	}
	return lab_status();
}
