// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_blocked DEVICE CALL
 *
 * Blocks for ever in a call of verbs: in memory that it reads there is a page that never comes.
 * CALL is "reg", "rereg" or "advise", with a file of FUSE whose server does not answer; or "write"
 * (a command by write()), "ioctl" (one by ioctl()), "doorbell" or "tap" (a capture that is read),
 * with a page of userfaultfd that nobody fills. "tap" prints how a command ends that waits for the
 * reader when it is interrupted, and what poll() says of the capture. The process prints "blocks"
 * before the call. It leads a process group, in which the server is.
 */
#include "verbs_lab.h"
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <linux/fuse.h>
#include <linux/hca_tap.h>
#include <linux/userfaultfd.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#define PAGE 4096u

struct blocked {
	struct ibv_context *context;
	struct ibv_pd *pd;
	uint8_t *memory; /* a page, and one that never comes */
};

/* Has the kernel wait for a page until somebody gives it, which nobody does. */
static void make_absent(void *page)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range = { (uintptr_t)page, PAGE },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (!expect(fd >= 0, "userfaultfd: %s", error_name(errno)) ||
	    !expect_ok(ioctl(fd, UFFDIO_API, &api) ? errno : 0, "UFFDIO_API") ||
	    !expect_ok(ioctl(fd, UFFDIO_REGISTER, &range) ? errno : 0, "UFFDIO_REGISTER"))
		give_up("a page that never comes");
}

static void *must_map(void *at, size_t octets, int flags, int fd)
{
	void *memory = mmap(at, octets, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (!expect(memory != MAP_FAILED, "mmap: %s", error_name(errno)))
		give_up("memory");
	return memory;
}

#define FILE_NODE 2 /* number of the only file; that of the folder is FUSE_ROOT_ID */

static void fuse_answer(int fd, uint64_t unique, int error, const void *answer, size_t octets)
{
	struct fuse_out_header header = {
		.len = sizeof(header) + octets, .error = -error, .unique = unique,
	};
	struct iovec parts[] = {
		{ &header, sizeof(header) }, { (void *)(uintptr_t)answer, octets },
	};

	if (writev(fd, parts, 2) < 0 && errno != ENOENT)
		perror("FUSE");
}

static struct fuse_attr fuse_attributes(uint64_t node)
{
	return (struct fuse_attr){
		.ino = node, .nlink = 1, .size = PAGE, .blksize = PAGE,
		.mode = node == FILE_NODE ? S_IFREG | 0666 : S_IFDIR | 0777,
	};
}

/* Answers a request. What reads the file gets no answer. */
static void fuse_serve(int fd, const struct fuse_in_header *in)
{
	const struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .max_write = PAGE,
	};
	const struct fuse_entry_out entry = {
		.nodeid = FILE_NODE, .entry_valid = 3600, .attr_valid = 3600,
		.attr = fuse_attributes(FILE_NODE),
	};
	const struct fuse_attr_out attr = {
		.attr_valid = 3600, .attr = fuse_attributes(in->nodeid),
	};
	const struct fuse_open_out open = { .fh = 1 };

	switch (in->opcode) {
	case FUSE_INIT:
		return fuse_answer(fd, in->unique, 0, &init, sizeof(init));
	case FUSE_LOOKUP:
		return fuse_answer(fd, in->unique, 0, &entry, sizeof(entry));
	case FUSE_GETATTR:
		return fuse_answer(fd, in->unique, 0, &attr, sizeof(attr));
	case FUSE_OPEN:
		return fuse_answer(fd, in->unique, 0, &open, sizeof(open));
	case FUSE_READ:
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		return;
	default:
		return fuse_answer(fd, in->unique, ENOSYS, NULL, 0);
	}
}

/* Mounts a file system in a namespace of this process, and serves it by another. */
static int open_silent_file(void)
{
	static uint8_t request[FUSE_MIN_READ_BUFFER * 2];
	int fd = open("/dev/fuse", O_RDWR);
	char options[80];

	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	if (!expect(fd >= 0, "/dev/fuse: %s", error_name(errno)) ||
	    !expect_ok(unshare(CLONE_NEWNS) ? errno : 0, "unshare") ||
	    !expect_ok(mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) ? errno : 0, "private") ||
	    !expect_ok(mount("silent", "/mnt", "fuse", 0, options) ? errno : 0, "mount"))
		give_up("a file that never answers");
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (read(fd, request, sizeof(request)) > 0)
			fuse_serve(fd, (struct fuse_in_header *)request);
		_exit(EXIT_SUCCESS);
	}
	close(fd);
	return open("/mnt/file", O_RDWR);
}

static uint8_t *make_memory(bool in_file)
{
	uint8_t *memory = must_map(NULL, 2 * PAGE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	memory[0] = 1;
	if (in_file)
		must_map(memory + PAGE, PAGE, MAP_SHARED | MAP_FIXED, open_silent_file());
	else
		make_absent(memory + PAGE);
	return memory;
}

static void reg(struct blocked *b)
{
	if (!ibv_reg_mr(b->pd, b->memory + PAGE, PAGE, 0))
		perror("reg_mr");
}

static void rereg(struct blocked *b)
{
	struct ibv_mr *mr = ibv_reg_mr(b->pd, b->memory, PAGE, 0);

	if (ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, b->memory + PAGE, PAGE, 0))
		perror("rereg_mr");
}

static void advise(struct blocked *b)
{
	struct ibv_mr *mr = ibv_reg_mr(b->pd, b->memory + PAGE, PAGE, IBV_ACCESS_ON_DEMAND);
	struct ibv_sge sge = { (uintptr_t)b->memory + PAGE, PAGE, mr ? mr->lkey : 0 };

	if (ibv_advise_mr(b->pd, IBV_ADVISE_MR_ADVICE_PREFETCH, IBV_ADVISE_MR_FLAG_FLUSH, &sge, 1))
		perror("advise_mr");
}

/* The header is there; what follows it never comes. */
static void command_by_write(struct blocked *b)
{
	const struct ib_uverbs_cmd_hdr header = {
		.command = IB_USER_VERBS_CMD_ALLOC_PD,
		.in_words = (sizeof(header) + sizeof(struct ib_uverbs_alloc_pd)) / 4,
		.out_words = sizeof(struct ib_uverbs_alloc_pd_resp) / 4,
	};
	uint8_t *at = b->memory + PAGE - sizeof(header);

	memcpy(at, &header, sizeof(header));
	if (write(b->context->cmd_fd, at, header.in_words * 4u) < 0)
		perror("write");
}

static void command_by_ioctl(struct blocked *b)
{
	const struct ib_uverbs_ioctl_hdr header = {
		.length = sizeof(header) + sizeof(struct ib_uverbs_attr),
		.object_id = UVERBS_OBJECT_DEVICE,
		.method_id = UVERBS_METHOD_GET_CONTEXT,
		.num_attrs = 1,
		.driver_id = RDMA_DRIVER_UNKNOWN,
	};
	uint8_t *at = b->memory + PAGE - sizeof(header);

	memcpy(at, &header, sizeof(header));
	if (ioctl(b->context->cmd_fd, RDMA_VERBS_IOCTL, at))
		perror("ioctl");
}

/* The doorbell is a file without a name in the file system. */
static void doorbell(struct blocked *b)
{
	char link[32], to[PATH_MAX] = "";
	int fd;

	for (fd = 0; fd < 64 && !strstr(to, "hca_doorbell"); fd++) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		memset(to, 0, sizeof(to));
		if (readlink(link, to, sizeof(to) - 1) < 0)
			to[0] = '\0';
	}
	if (write(fd - 1, b->memory + PAGE, 4) < 0)
		perror("write");
}

static int tap_fd;

static void ignore(int signal)
{
	(void)signal;
}

/* While another thread reads, who holds a lock of the capture. */
static void *use_tap(void *unused)
{
	struct sigaction action = { .sa_handler = ignore }; /* without SA_RESTART */
	struct pollfd poll_fd = { .fd = tap_fd, .events = POLLIN };
	struct hca_tap_statistics statistics;
	int ret, i = 0;

	sigaction(SIGALRM, &action, NULL);
	/* Until the reader has begun a command waits for nobody. */
	do {
		usleep(100000);
		alarm(1);
		ret = ioctl(tap_fd, HCA_TAP_STATISTICS, &statistics);
	} while (!ret && ++i < 100);
	printf("ioctl() = %s\n", ret ? error_name(errno) : "0");
	ret = poll(&poll_fd, 1, 0);
	printf("poll() = %d, POLLIN %d\n", ret, !!(poll_fd.revents & POLLIN));
	fflush(stdout);
	return unused;
}

static void tap(struct blocked *b)
{
	struct hca_tap_port port = { .port = 1, .directions = HCA_TAP_IN | HCA_TAP_FLOW };
	sigset_t alarms;
	pthread_t thread;

	tap_fd = open("/dev/hca_tap", O_RDONLY);
	strncpy(port.device, ibv_get_device_name(b->context->device), sizeof(port.device) - 1);
	if (!expect(ioctl(tap_fd, HCA_TAP_ADD, &port) >= 0, "HCA_TAP_ADD: %s", error_name(errno)) ||
	    !expect_ok(pthread_create(&thread, NULL, use_tap, NULL), "a thread"))
		give_up("a capture");
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	if (read(tap_fd, b->memory + PAGE, PAGE) < 0)
		perror("read");
}

static const struct {
	const char *name;
	void (*block)(struct blocked *b);
	bool in_file;
} calls[] = {
	{ "reg", reg, true }, { "rereg", rereg, true }, { "advise", advise, true },
	{ "write", command_by_write, false }, { "ioctl", command_by_ioctl, false },
	{ "doorbell", doorbell, false }, { "tap", tap, false },
};

int main(int argc, char **argv)
{
	struct blocked b;
	size_t i = 0;

	while (argc == 3 && i < COUNT(calls) && strcmp(calls[i].name, argv[2]))
		i++;
	if (argc != 3 || i == COUNT(calls))
		give_up("usage: verbs_blocked DEVICE CALL");
	setpgid(0, 0);
	b.context = must_open(argv[1]);
	b.pd = ibv_alloc_pd(b.context);
	if (!expect_made(b.pd, "alloc_pd"))
		give_up("a protection domain");
	b.memory = make_memory(calls[i].in_file);
	printf("blocks\n");
	fflush(stdout);
	calls[i].block(&b);
	printf("goes on\n");
	return EXIT_FAILURE;
}
