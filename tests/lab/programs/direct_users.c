// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: direct_users DEVICE KIND PROCESSES:MOST:UID[:OWNER]...
 *
 * Makes as many objects of a kind as the kernel allows, MOST at most by each of some processes of
 * user UID, and holds them. With OWNER, UID is one of the identifiers of a user namespace that this
 * user has made. The next party then does the same. Prints for each the number and how the last
 * attempt ended; releases all when the standard input ends. The limits are module parameters.
 */
#include "verbs_lab.h"
#include "kernel_ah.h"
#include <fcntl.h>
#include <grp.h>
#include <infiniband/hcadv.h>
#include <linux/hca_tap.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

struct maker {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct hcadv_rdd *rdd;
	struct ibv_xrcd *xrcd;
	int capture;
	int made;
};

struct result {
	int made;
	int error; /* of one more; 0: MOST have been made */
};

struct party {
	unsigned int processes, most, uid;
	int owner; /* of the namespace; -1: none */
};

#define MAX_PARTIES 8

static uint8_t memory[4096] __attribute__((aligned(4096)));

static bool make_context(struct maker *t)
{
	return open_named(ibv_get_device_name(t->context->device));
}

static bool make_pd(struct maker *t)
{
	return ibv_alloc_pd(t->context);
}

static bool make_cq(struct maker *t)
{
	return ibv_create_cq(t->context, 1, NULL, NULL, 0);
}

static struct ibv_qp *new_qp(struct maker *t)
{
	struct ibv_qp_init_attr init = {
		.send_cq = t->cq, .recv_cq = t->cq, .qp_type = IBV_QPT_UD,
		.cap = { .max_send_wr = 1, .max_send_sge = 1 },
	};

	return ibv_create_qp(t->pd, &init);
}

static bool make_qp(struct maker *t)
{
	return new_qp(t);
}

static bool make_mr(struct maker *t)
{
	return ibv_reg_mr(t->pd, memory, sizeof(memory), IBV_ACCESS_LOCAL_WRITE);
}

static bool make_mw(struct maker *t)
{
	return ibv_alloc_mw(t->pd, IBV_MW_TYPE_1);
}

static bool make_ah(struct maker *t)
{
	uint32_t handle;

	return kernel_ah_create(t->pd, &handle);
}

static bool make_srq(struct maker *t)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = 1, .max_sge = 1 } };

	return ibv_create_srq(t->pd, &attr);
}

static struct ibv_xrcd *new_xrcd(struct maker *t)
{
	struct ibv_xrcd_init_attr attr = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1, .oflags = O_CREAT,
	};

	return ibv_open_xrcd(t->context, &attr);
}

static bool make_xrcd(struct maker *t)
{
	return new_xrcd(t);
}

static bool make_xrc_srq(struct maker *t)
{
	struct ibv_srq_init_attr_ex attr = {
		.attr = { .max_wr = 1, .max_sge = 1 },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			     IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
		.srq_type = IBV_SRQT_XRC, .pd = t->pd, .xrcd = t->xrcd, .cq = t->cq,
	};

	return ibv_create_srq_ex(t->context, &attr);
}

static bool make_xrc_tgt(struct maker *t)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_XRC_RECV, .comp_mask = IBV_QP_INIT_ATTR_XRCD, .xrcd = t->xrcd,
	};

	return ibv_create_qp_ex(t->context, &attr);
}

static bool make_dm(struct maker *t)
{
	struct ibv_alloc_dm_attr attr = { .length = 64 };

	return ibv_alloc_dm(t->context, &attr);
}

static bool make_rdd(struct maker *t)
{
	return hcadv_alloc_rdd(t->context);
}

static bool make_eec(struct maker *t)
{
	return hcadv_create_eec(t->rdd);
}

/* A group of its own for each attachment. */
static bool make_group(struct maker *t)
{
	union ibv_gid gid = { .raw = { 0xff, 0x12, 0xa0, 0x1b } };
	pid_t pid = getpid();

	memcpy(gid.raw + 4, &pid, sizeof(pid));
	memcpy(gid.raw + 12, &t->made, sizeof(t->made));
	return !ibv_attach_mcast(t->qp, &gid, 0xc100);
}

/* A queue pair that is initialized, and bound to a counter then if the device is told to. */
static bool make_initialized(struct maker *t)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
	struct ibv_qp *qp = new_qp(t);

	return qp && !ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT | IBV_QP_PKEY_INDEX |
						       IBV_QP_QKEY);
}

static bool make_capture(struct maker *t)
{
	t->capture = open("/dev/hca_tap", O_RDONLY);
	return t->capture >= 0;
}

static bool make_tap(struct maker *t)
{
	struct hca_tap_port port = { .port = 1, .directions = HCA_TAP_IN };

	strcpy(port.device, ibv_get_device_name(t->context->device));
	return ioctl(t->capture, HCA_TAP_ADD, &port) >= 0;
}

enum needs {
	PD = 1,
	CQ = 2,
	QP = 4,
	RDD = 8,
	XRCD = 16,
	CAPTURE = 32,
	PRIVILEGE = 64,
};

static const struct {
	const char *name;
	bool (*make)(struct maker *t);
	unsigned int needs;
} kinds[] = {
	{ "contexts", make_context, 0 },
	{ "pds", make_pd, 0 },
	{ "cqs", make_cq, 0 },
	{ "qps", make_qp, PD | CQ },
	{ "mrs", make_mr, PD },
	{ "mws", make_mw, PD },
	{ "ahs", make_ah, PD },
	{ "srqs", make_srq, PD },
	{ "xrcds", make_xrcd, 0 },
	{ "xrc_srqs", make_xrc_srq, PD | CQ | XRCD },
	{ "xrc_tgts", make_xrc_tgt, XRCD },
	{ "dms", make_dm, 0 },
	{ "rdds", make_rdd, 0 },
	{ "eecs", make_eec, RDD },
	{ "members", make_group, PD | CQ | QP },
	{ "counters", make_initialized, PD | CQ },
	{ "captures", make_capture, PRIVILEGE },
	{ "taps", make_tap, CAPTURE | PRIVILEGE },
};

static void prepare(struct maker *t, unsigned int needs)
{
	if (needs & PD)
		t->pd = ibv_alloc_pd(t->context);
	if (needs & CQ)
		t->cq = ibv_create_cq(t->context, 1, NULL, NULL, 0);
	if (needs & QP)
		t->qp = new_qp(t);
	if (needs & RDD)
		t->rdd = hcadv_alloc_rdd(t->context);
	if (needs & XRCD)
		t->xrcd = new_xrcd(t);
	if (needs & CAPTURE)
		make_capture(t);
}

/* Makes what is allowed, writes the result, and holds the objects. */
__attribute__((noreturn)) static void fill(const char *device, size_t kind, int most, int to)
{
	struct maker t = { .context = must_open(device) };
	struct result result = {};

	prepare(&t, kinds[kind].needs);
	while (t.made < most && kinds[kind].make(&t))
		t.made++;
	result.error = t.made < most ? errno : 0;
	result.made = t.made;
	if (write(to, &result, sizeof(result)) != sizeof(result))
		_exit(EXIT_FAILURE);
	for (;;)
		pause();
}

static void must(bool worked, const char *what)
{
	if (!expect(worked, "%s: %s", what, error_name(errno)))
		give_up(what);
}

/* Whoever changes its identifiers no longer dies with its parent, unless it says so again. */
static void become(unsigned int uid)
{
	must(!setgroups(0, NULL) && !setresgid(uid, uid, uid) && !setresuid(uid, uid, uid),
	     "another user");
	must(!prctl(PR_SET_PDEATHSIG, SIGKILL), "a signal at the parent's death");
}

static void put_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	must(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
	close(fd);
}

/* Writes the map of a namespace as newuidmap(1) does, by root, when its owner asks for it. */
static void map_namespace(pid_t owner, int asked, int answer)
{
	char path[64], c;

	must(read(asked, &c, 1) == 1, "a namespace");
	snprintf(path, sizeof(path), "/proc/%d/uid_map", owner);
	put_text(path, "0 200000 65536");
	snprintf(path, sizeof(path), "/proc/%d/gid_map", owner);
	put_text(path, "0 200000 65536");
	must(write(answer, "", 1) == 1, "the map");
}

/* Makes a namespace as user @owner, and goes on in it, as the root of it. */
static void enter_namespace(unsigned int owner)
{
	int ask[2], answer[2];
	pid_t child;
	char c;

	must(!pipe(ask) && !pipe(answer), "pipes");
	child = fork();
	if (child) {
		map_namespace(child, ask[0], answer[1]);
		for (;;)
			pause();
	}
	become(owner);
	must(!unshare(CLONE_NEWUSER), "unshare");
	must(write(ask[1], "", 1) == 1 && read(answer[0], &c, 1) == 1, "the map");
}

/* Starts a process that makes objects. Return: what it has made. */
static struct result process_start(const char *device, size_t kind, int most)
{
	struct result result = {};
	int pipes[2];

	must(!pipe(pipes), "a pipe");
	if (!fork()) {
		must(!prctl(PR_SET_PDEATHSIG, SIGKILL), "a signal at the parent's death");
		fill(device, kind, most, pipes[1]);
	}
	close(pipes[1]);
	must(read(pipes[0], &result, sizeof(result)) == sizeof(result), "a process's result");
	close(pipes[0]);
	return result;
}

/* Is a process of the party's user, which has started the others, and holds what they have. */
__attribute__((noreturn)) static void party_run(const char *device, size_t kind,
						const struct party *party, int to)
{
	struct result result, total = {};
	unsigned int i;

	if (kinds[kind].needs & PRIVILEGE)
		must(!prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP), "privileges of a user");
	if (party->owner >= 0)
		enter_namespace(party->owner);
	become(party->uid);
	for (i = 0; i < party->processes; i++) {
		result = process_start(device, kind, party->most);
		total.made += result.made;
		total.error = result.error;
	}
	must(write(to, &total, sizeof(total)) == sizeof(total), "the party's result");
	for (;;)
		pause();
}

/* Return: the process whose end ends all of the party. */
static pid_t party_start(const char *device, size_t kind, const char *spec)
{
	struct party party = { .owner = -1 };
	struct result result = {};
	int pipes[2];
	pid_t pid;

	must(sscanf(spec, "%u:%u:%u:%d", &party.processes, &party.most, &party.uid,
		    &party.owner) >= 3, spec);
	must(!pipe(pipes), "a pipe");
	pid = fork();
	if (!pid)
		party_run(device, kind, &party, pipes[1]);
	close(pipes[1]);
	must(read(pipes[0], &result, sizeof(result)) == sizeof(result), spec);
	close(pipes[0]);
	printf("%d %s\n", result.made, result.error ? error_name(result.error) : "OK");
	return pid;
}

int main(int argc, char **argv)
{
	pid_t pids[MAX_PARTIES];
	size_t kind = 0;
	int i;
	char c;

	if (argc < 4 || argc > 3 + MAX_PARTIES)
		give_up("usage: direct_users DEVICE KIND PROCESSES:MOST:UID[:OWNER]...");
	while (kind < COUNT(kinds) && strcmp(kinds[kind].name, argv[2]))
		kind++;
	must(kind < COUNT(kinds), argv[2]);
	/* Those whose parent has died come here. */
	must(!prctl(PR_SET_CHILD_SUBREAPER, 1), "all children");
	for (i = 3; i < argc; i++)
		pids[i - 3] = party_start(argv[1], kind, argv[i]);
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	for (i = 3; i < argc; i++)
		kill(pids[i - 3], SIGKILL);
	while (wait(NULL) > 0)
		;
	return EXIT_SUCCESS;
}
