/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory whose pages never come: a file of FUSE whose server reads nothing, or memory that
 * userfaultfd(2) reports to nobody. A child of the process is what would bring them: when it is
 * gone the pages are refused.
 */
#ifndef HCA_TESTS_SILENT_H
#define HCA_TESTS_SILENT_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <linux/fuse.h>
#include <linux/userfaultfd.h>

#define SILENT_ROOT "/run/silent"
#define SILENT_FILE SILENT_ROOT "/file"
#define SILENT_NODE 2 /* the file's inode; 1 is the directory's */

static inline void silent_answer(int fd, uint64_t unique, int error, void *data, size_t length)
{
	struct fuse_out_header header = {
		.len = sizeof(header) + length, .error = error, .unique = unique,
	};
	struct iovec part[] = { { &header, sizeof(header) }, { data, length } };

	if (writev(fd, part, length ? 2 : 1) < 0 && errno != ENOENT)
		perror("an answer of FUSE");
}

static inline struct fuse_attr silent_attr(uint64_t node, uint64_t octets)
{
	if (node == SILENT_NODE)
		return (struct fuse_attr){ .ino = node, .mode = S_IFREG | 0666, .nlink = 1,
					   .size = octets };
	return (struct fuse_attr){ .ino = node, .mode = S_IFDIR | 0777, .nlink = 2 };
}

static inline void silent_serve_one(int fd, const struct fuse_in_header *in, uint64_t octets)
{
	struct fuse_init_out init = { .major = 7, .minor = 31, .max_write = 4096,
				      .max_background = 4096, .congestion_threshold = 4096 };
	struct fuse_entry_out entry = { .nodeid = SILENT_NODE, .entry_valid = 1000,
					.attr_valid = 1000,
					.attr = silent_attr(SILENT_NODE, octets) };
	struct fuse_attr_out attr = { .attr_valid = 1000, .attr = silent_attr(in->nodeid, octets) };
	struct fuse_open_out open = {};

	switch (in->opcode) {
	case FUSE_INIT:
		silent_answer(fd, in->unique, 0, &init, sizeof(init));
		break;
	case FUSE_LOOKUP:
		silent_answer(fd, in->unique, 0, &entry, sizeof(entry));
		break;
	case FUSE_GETATTR:
		silent_answer(fd, in->unique, 0, &attr, sizeof(attr));
		break;
	case FUSE_OPEN:
		silent_answer(fd, in->unique, 0, &open, sizeof(open));
		break;
	case FUSE_READ: /* this is what is waited for */
	case FUSE_INTERRUPT:
		break;
	default:
		silent_answer(fd, in->unique, -ENOSYS, NULL, 0);
	}
}

static inline void silent_serve(int fd, uint64_t octets)
{
	static char request[1 << 17] __attribute__((aligned(8)));

	while (read(fd, request, sizeof(request)) > 0)
		silent_serve_one(fd, (void *)request, octets);
}

/*
 * As root: mounts what fusermount3 would mount for the user. Return: the connection, or -1. The
 * mount is to be taken away by umount -l.
 */
static inline int silent_mount(unsigned int user)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	char options[128];

	if (fd < 0 || (mkdir(SILENT_ROOT, 0777) && errno != EEXIST))
		return -1;
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=%u,group_id=%u", fd, user,
		 user);
	return mount("silent", SILENT_ROOT, "fuse", MS_NOSUID | MS_NODEV, options) ? -1 : fd;
}

/* A mapping of the file. Return: MAP_FAILED with errno. @server: the child. */
static inline void *silent_file(int fd, size_t octets, pid_t *server)
{
	void *memory;
	int file;

	prctl(PR_SET_DUMPABLE, 1);
	*server = fork();
	if (!*server) {
		silent_serve(fd, octets);
		_exit(0);
	}
	file = open(SILENT_FILE, O_RDWR);
	memory = file < 0 ? MAP_FAILED :
			    mmap(NULL, octets, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	close(fd);
	return memory;
}

/* As root: a userfaultfd that is told of the kernel's accesses, too. Return: it or -1. */
static inline int silent_userfaultfd(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	return fd < 0 || ioctl(fd, UFFDIO_API, &api) ? -1 : fd;
}

/* Memory of it. Return: MAP_FAILED with errno. @holder: the child. */
static inline void *silent_anonymous(int fd, size_t octets, pid_t *holder)
{
	void *memory = mmap(NULL, octets, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);
	struct uffdio_register to = { .range = { (uintptr_t)memory, octets },
				      .mode = UFFDIO_REGISTER_MODE_MISSING };

	if (memory == MAP_FAILED || ioctl(fd, UFFDIO_REGISTER, &to))
		return MAP_FAILED;
	*holder = fork();
	if (!*holder)
		for (;;)
			pause();
	close(fd);
	return memory;
}

#endif
