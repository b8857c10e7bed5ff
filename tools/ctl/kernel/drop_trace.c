// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Instances of tracefs that record only the tracepoint hca_drop. */
#include "tools/ctl/kernel/drop_trace.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/ctl/kernel/tracefs.h"
#include "tools/ctl/status.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

#define ENABLE "events/hca/hca_drop/enable"

static char *path_of(const char *instance, const char *file)
{
	return need_text("%s/instances/%s/%s", tracefs_folder(), instance, file);
}

static bool is_mounted(void)
{
	char *path = need_text("%s/instances", tracefs_folder());
	bool mounted = access(path, F_OK) == 0 || errno != ENOENT;

	free(path);
	return mounted;
}

/* Prints a message about the error errno of a file of tracefs. Return: an exit status. */
static int trace_refuse(const char *what, const char *path)
{
	int error = errno;

	if (error == EACCES || error == EPERM)
		print_message("%s: not permitted: %s is for root alone", what, tracefs_folder());
	else if (!is_mounted())
		print_message("%s: there is no tracefs; mount it: mount -t tracefs tracefs %s",
			      what, tracefs_folder());
	else if (error == ENOENT)
		print_message("%s: hca.ko is not there; load the module: modprobe hca", what);
	else
		errno = error, print_message("%s: %s: %m", what, path);
	return STATUS_REFUSED;
}

/* Opens a file and writes a text, which may be empty. Return: true; or false with errno set. */
static bool write_file(const char *path, int flags, const char *text, size_t length)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags), error;
	bool good = fd >= 0 && (!length || write(fd, text, length) == (ssize_t)length);

	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return good;
}

/* Empties a tracing instance, and enables the event hca_drop in it. */
static int trace_begin(const char *what, const char *instance)
{
	char *trace = path_of(instance, "trace"), *enable = path_of(instance, ENABLE);
	int status = 0;

	if (!write_file(trace, O_TRUNC, NULL, 0))
		status = trace_refuse(what, trace);
	else if (!write_file(enable, 0, "1", 1))
		status = trace_refuse(what, enable);
	free(trace);
	free(enable);
	return status;
}

int drop_trace_start(const char *what, const char *instance)
{
	char *path = path_of(instance, "");
	bool made = mkdir(path, 0700) == 0;
	int status = made || errno == EEXIST ? trace_begin(what, instance) :
					       trace_refuse(what, path);

	if (status && made)
		rmdir(path);
	free(path);
	return status;
}

int drop_trace_stop(const char *what, const char *instance)
{
	char *path = path_of(instance, "");
	int status = 0;

	if (rmdir(path) && (errno != ENOENT || !is_mounted()))
		status = trace_refuse(what, path);
	free(path);
	return status;
}

void drop_trace_sweep(void)
{
	char *pattern = path_of(DROP_INSTANCE "-*", "");
	glob_t found = {};
	size_t i;

	if (!glob(pattern, GLOB_NOSORT, NULL, &found))
		for (i = 0; i < found.gl_pathc; i++)
			/* rmdir() fails if a process has files of the instance open. */
			rmdir(found.gl_pathv[i]);
	globfree(&found);
	free(pattern);
}

int drop_trace_is_on(const char *what, const char *instance, bool *on)
{
	char *path = path_of(instance, ENABLE), state = '0';
	int fd = open(path, O_RDONLY | O_CLOEXEC), status = 0;

	if (fd >= 0 && read(fd, &state, 1) < 0)
		status = trace_refuse(what, path);
	else if (fd < 0 && (errno != ENOENT || !is_mounted()))
		status = trace_refuse(what, path);
	if (fd >= 0)
		close(fd);
	free(path);
	*on = state == '1';
	return status;
}

int drop_trace_open(const char *what, const char *instance, const char *file, int flags)
{
	char *path = path_of(instance, file);
	int fd = open(path, O_RDONLY | O_CLOEXEC | flags);

	if (fd < 0)
		trace_refuse(what, path);
	free(path);
	return fd;
}
