// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Runs statically linked programs, which cannot preload a library. */
#include "tools/sdp/static.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tools/lib/message.h"
#include "tools/sdp/cgroup.h"
#include "tools/sdp/command.h"
#include "tools/sdp/hook.h"
#include "tools/sdp/protocol.h"
#include "tools/sdp/supervise.h"

/**
 * struct job - the arguments of the child process
 * @command: name and arguments of the command that the child executes
 * @cgroup: the cgroup that the child enters
 */
struct job {
	char **command;
	struct cgroup cgroup;
};

static bool static_has(const struct __user_cap_data_struct *data, unsigned int capability)
{
	return data[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability);
}

static void need_rights(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};

	if (syscall(SYS_capget, &header, data))
		die_errno("cannot read the capabilities of this process");
	if (!static_has(data, CAP_SYS_ADMIN) &&
	    !(static_has(data, CAP_BPF) && static_has(data, CAP_PERFMON)))
		die("--static needs CAP_BPF and CAP_PERFMON, which root has");
}

static int need_function(void)
{
	int function = hook_find();

	if (!function)
		die("--static needs Linux 6.6 or newer, built with CONFIG_DEBUG_INFO_BTF: "
		    "this kernel has no update_socket_protocol()");
	return function;
}

static void need_sdp(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_SDP);

	if (fd < 0)
		die_errno("there is no SDP here, which hca_sdp.ko offers");
	close(fd);
}

/*
 * Returns whether new stream sockets are SDP sockets. They are TCP sockets if this process is in a
 * cgroup namespace. Such a process does not see all cgroups above its own, and the level in struct
 * cgroup is too small. The hook therefore does not recognize the cgroup.
 */
static bool has_sdp_sockets(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0), protocol = 0;
	socklen_t length = sizeof(protocol);

	if (fd < 0)
		return false;
	getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &length);
	close(fd);
	return protocol == IPPROTO_SDP;
}

static int static_run_job(const void *argument)
{
	const struct job *job = argument;

	if (!cgroup_enter(&job->cgroup))
		die_errno("cannot enter the cgroup %s", job->cgroup.path);
	if (!has_sdp_sockets())
		die("--static does not work here: sockets remain TCP's, as they do in containers "
		    "with a cgroup namespace");
	return command_exec(job->command);
}

/*
 * Makes this process a daemon. Inherited descriptors are closed, because the reader of an inherited
 * pipe would otherwise wait for this process to end. Only a duplicate of @hook remains open.
 */
static void become_daemon(int hook)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), fd;

	setsid();
	if (chdir("/") || null < 0)
		return;
	for (fd = 0; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (dup2(hook, fd) == fd)
		syscall(SYS_close_range, fd + 1, UINT_MAX, 0);
}

/*
 * Removes the cgroup in the background when its last process has ended. Until then, daemons that
 * the command has started still get SDP sockets.
 */
static void remove_in_background(struct cgroup *cgroup, int hook)
{
	pid_t child = fork();

	if (child < 0)
		print_message("cannot fork: what the command has started has TCP sockets now");
	if (child)
		return;
	become_daemon(hook);
	cgroup_wait_until_empty(cgroup);
	cgroup_remove(cgroup);
	_exit(EXIT_SUCCESS);
}

/*
 * Attaches the BPF program, or ends sdprun with a message. Return: a descriptor that keeps the
 * program attached.
 */
static int static_attach(int function, struct cgroup *cgroup)
{
	int hook = hook_attach(function, cgroup), error;

	if (hook >= 0)
		return hook;
	error = errno;
	cgroup_remove(cgroup);
	errno = error;
	die_errno("cannot attach a BPF program to update_socket_protocol()");
}

int static_run(char **command)
{
	struct job job = { .command = command };
	int function, hook, status;

	need_rights();
	function = need_function();
	need_sdp();
	cgroup_make(&job.cgroup);
	hook = static_attach(function, &job.cgroup);
	status = supervise(static_run_job, &job);
	if (status < 0)
		print_message("cannot fork: %s", strerror(errno));
	if (cgroup_is_empty(&job.cgroup))
		cgroup_remove(&job.cgroup);
	else
		remove_in_background(&job.cgroup, hook);
	return status < 0 ? program.failure : status;
}
