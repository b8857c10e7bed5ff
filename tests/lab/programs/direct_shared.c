// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: direct_shared [DEVICE DEVICE]
 *        direct_shared DEVICE FD EECN QPN
 * Checks a reliable datagram domain that processes share, and with it an EE context (V3-150): one
 * context of the first device has the EE context, another one only a queue pair. The second form is
 * the other process: it sends a message to that queue pair by that EE context, and waits to be
 * killed. Runs in the guest; ports are Active.
 */
#include "direct_rd.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>

#define FIRST 7

static struct pair pair;
static struct end other_end; /* another context of the first device */
static struct side a = { .end = &pair.a }, b = { .end = &pair.b }, other = { .end = &other_end };
static const char *name;
static int file;

static struct hcadv_rdd *open_rdd(struct end *end, int fd)
{
	struct hcadv_rdd *rdd = hcadv_open_rdd(end->context, fd);

	if (!expect_made(rdd, "open_rdd"))
		give_up("a shared domain");
	return rdd;
}

static int make_file(void)
{
	int fd = memfd_create("domain", 0);

	if (!expect(fd >= 0, "memfd_create: %s", error_name(errno)))
		give_up("a file");
	return fd;
}

static void open_all(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	name = argc > 1 ? argv[1] : "hca0";
	end_open(&other_end, name);
	file = make_file();
	a.rdd = open_rdd(a.end, file);
	b.rdd = open_rdd(b.end, file); /* of another device, so it is another domain */
	other.rdd = open_rdd(other.end, file);
	a.eec = make_eec(&a);
	b.eec = make_eec(&b);
	make_qp(&b);
	make_qp(&other);
	to_rtr_of(a.eec, &pair.b, b.eec->eecn);
	to_rtr_of(b.eec, &pair.a, a.eec->eecn);
	to_rts_of(a.eec);
	to_rts_of(b.eec);
}

static void expect_message(struct side *side, uint64_t wr_id, uint32_t eecn, uint32_t src_qp)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;
	struct hcadv_wc wc;
	int n;

	while (!(n = hcadv_poll_cq(side->end->recv_cq, 1, &wc)) && now_ms() < deadline)
		usleep(50);
	if (!expect(n == 1, "no message comes"))
		return;
	expect_wc(&wc.wc, wr_id, IBV_WC_SUCCESS);
	expect_value(wc.eecn, eecn, "the EE context");
	if (src_qp)
		expect_value(wc.wc.src_qp, src_qp, "src_qp");
}

/* Exchanges messages by an EE context that another context has created. */
static void messages(uint64_t wr_id)
{
	struct ibv_wc wc;

	side_expects(&b, wr_id);
	side_sends(&other, wr_id, a.eec->eecn, b.qp->qp_num);
	completes(other.end->send_cq, wr_id, IBV_WC_SUCCESS, &wc);
	expect_message(&b, wr_id, b.eec->eecn, other.qp->qp_num);
	side_expects(&other, wr_id);
	side_sends(&b, wr_id, b.eec->eecn, other.qp->qp_num);
	completes(b.end->send_cq, wr_id, IBV_WC_SUCCESS, &wc);
	expect_message(&other, wr_id, a.eec->eecn, b.qp->qp_num);
}

static void refused(struct hcadv_rdd *rdd, const char *whose)
{
	struct side other_context = { .end = &other_end, .rdd = rdd };
	struct ibv_wc wc;

	make_qp(&other_context);
	side_sends(&other_context, 1, a.eec->eecn, b.qp->qp_num);
	completes(other_end.send_cq, 1, IBV_WC_LOC_RDD_VIOL_ERR, &wc);
	expect_ok(ibv_destroy_qp(other_context.qp), "destroy_qp");
	expect_ok(hcadv_dealloc_rdd(rdd), "dealloc_rdd");
	verdict("no way into a domain: %s (B4-306)", whose);
}

static void other_contexts(void)
{
	int fd = make_file(), pipes[2];

	refused(hcadv_alloc_rdd(other_end.context), "one of nobody else's");
	refused(open_rdd(&other_end, fd), "another file's");
	close(fd);
	expect_refused(hcadv_open_rdd(other_end.context, fd), EBADF, "a file that is closed");
	expect_refused(hcadv_open_rdd(other_end.context, -1), EBADF, "no file");
	expect_refused(hcadv_open_rdd(other_end.context, other_end.context->cmd_fd), EINVAL,
		       "the device's own file");
	if (expect(!pipe(pipes), "pipe: %s", error_name(errno))) {
		expect_refused(hcadv_open_rdd(other_end.context, pipes[0]), EINVAL, "a pipe");
		close(pipes[0]);
		close(pipes[1]);
	}
	fd = open("/etc/passwd", O_RDONLY);
	expect_refused(hcadv_open_rdd(other_end.context, fd), EACCES, "a file that is only read");
	close(fd);
	verdict("files that name no domain");
}

/*
 * A handle cannot be freed while an object uses it; the domain exists as long as it has a handle.
 */
static void handles(void)
{
	expect_error(hcadv_dealloc_rdd(a.rdd), EBUSY, "dealloc_rdd with an EE context");
	expect_error(hcadv_dealloc_rdd(other.rdd), EBUSY, "dealloc_rdd with a queue pair");
	expect_ok(ibv_destroy_qp(other.qp), "destroy_qp");
	expect_ok(hcadv_dealloc_rdd(other.rdd), "dealloc_rdd, others have the domain");
	other.rdd = open_rdd(&other_end, file);
	make_qp(&other);
	messages(3);
	verdict("handles of a domain come and go (V3-152)");
}

/* A domain does not keep the file system of its file. */
static void file_systems(void)
{
	char folder[] = "/tmp/domain.XXXXXX", path[sizeof(folder) + 2];
	struct hcadv_rdd *rdd;
	int fd;

	if (!expect(mkdtemp(folder) && !mount("domain", folder, "tmpfs", 0, NULL), "mount: %s",
		    error_name(errno)))
		give_up("a file system");
	snprintf(path, sizeof(path), "%s/f", folder);
	fd = open(path, O_CREAT | O_RDWR, 0600);
	rdd = open_rdd(&other_end, fd);
	close(fd);
	expect_ok(umount(folder) ? errno : 0, "umount");
	expect_ok(hcadv_dealloc_rdd(rdd), "dealloc_rdd");
	rmdir(folder);
	verdict("a file system whose file names a domain can be unmounted");
}

static pid_t start_process(void)
{
	char fd[16], eecn[16], qpn[16];
	pid_t pid;

	snprintf(fd, sizeof(fd), "%d", file);
	snprintf(eecn, sizeof(eecn), "%u", a.eec->eecn);
	snprintf(qpn, sizeof(qpn), "%u", b.qp->qp_num);
	pid = fork();
	if (!pid) {
		execl("/proc/self/exe", "direct_shared", name, fd, eecn, qpn, NULL);
		_exit(127);
	}
	return pid;
}

static void another_process(void)
{
	pid_t pid;
	int status = 0;

	side_expects(&b, 1);
	pid = start_process();
	expect_message(&b, 1, b.eec->eecn, 0);
	expect(!kill(pid, SIGKILL) && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status),
	       "it has ended by itself, with status %#x", status);
	messages(2);
	verdict("another process shares it, and is killed (V3-150)");
}

static void close_all(void)
{
	uint32_t eecn = a.eec->eecn;
	struct ibv_wc wc;

	/* The process with the EE context closes first; the other one then has none. */
	expect_ok(hcadv_destroy_eec(a.eec), "destroy_eec");
	expect_ok(hcadv_dealloc_rdd(a.rdd), "dealloc_rdd");
	side_sends(&other, 4, eecn, b.qp->qp_num);
	completes(other.end->send_cq, 4, IBV_WC_INV_EECN_ERR, &wc);
	expect_ok(ibv_destroy_qp(other.qp), "destroy_qp");
	expect_ok(hcadv_dealloc_rdd(other.rdd), "dealloc_rdd");
	expect_ok(ibv_destroy_qp(b.qp), "destroy_qp");
	expect_ok(hcadv_destroy_eec(b.eec), "destroy_eec");
	expect_ok(hcadv_dealloc_rdd(b.rdd), "dealloc_rdd");
	end_close(&other_end);
	pair_close(&pair);
	close(file);
}

/* Runs as the other process. */
static int be_other(char **argv)
{
	struct ibv_wc wc;

	end_open(&other_end, argv[1]);
	other.rdd = open_rdd(&other_end, atoi(argv[2]));
	make_qp(&other);
	side_sends(&other, FIRST, strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
	if (completes(other_end.send_cq, FIRST, IBV_WC_SUCCESS, &wc))
		for (;;)
			pause();
	verdict("the other process");
	return lab_status();
}

int main(int argc, char **argv)
{
	if (argc > 4)
		return be_other(argv);
	open_all(argc, argv);
	messages(1);
	verdict("a queue pair uses an EE context of another context of its domain (V3-150)");
	other_contexts();
	file_systems();
	handles();
	another_process();
	close_all();
	return lab_status();
}
