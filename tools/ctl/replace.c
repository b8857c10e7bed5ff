// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Replaces the contents of files atomically. */
#define _GNU_SOURCE
#include "tools/ctl/replace.h"
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/ctl/status.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

static bool write_all(int fd, const char *text, size_t length)
{
	ssize_t written;

	for (; length; text += written, length -= written) {
		written = write(fd, text, length);
		if (written < 0)
			return false;
	}
	return true;
}

/*
 * Writes the text to a new file, and gives the new file the mode and owner of the old file.
 * old->st_mode is 0 if there is no old file.
 */
static bool replace_fill(int fd, const struct stat *old, const char *text, size_t length)
{
	mode_t mode = old->st_mode ? old->st_mode & 07777 : 0644;

	/* If the caller may not change the owner, the new file belongs to the caller. */
	if (old->st_mode && fchown(fd, old->st_uid, old->st_gid) && errno != EPERM)
		return false;
	return write_all(fd, text, length) && !fchmod(fd, mode) && !fsync(fd);
}

/*
 * Syncs the folder that contains @path, so that a renaming in it survives a crash. Errors are
 * ignored, because some file systems do not support this.
 */
static void sync_folder(const char *path)
{
	char *copy = need(strdup(path));
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(copy);
}

/* Writes a temporary file, and renames it to @path. Return: 0 or an error number of errno. */
static int replace_write(const char *path, const struct stat *old, const char *text, size_t length)
{
	char *temporary;
	int fd, error = 0;

	temporary = need_text("%s.XXXXXX", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		error = errno;
	} else {
		if (!replace_fill(fd, old, text, length))
			error = errno;
		if (close(fd) && !error)
			error = errno;
		if (!error && rename(temporary, path))
			error = errno;
		if (error)
			unlink(temporary);
		else
			sync_folder(path);
	}
	free(temporary);
	return error;
}

int replace_file(const char *path, const char *text, size_t length)
{
	/*
	 * If the path is a symbolic link, the file to which it points is replaced, and not the
	 * link.
	 */
	char *destination = realpath(path, NULL) ?: need(strdup(path));
	struct stat old = {};
	int error = 0;

	if (stat(destination, &old) && errno != ENOENT)
		error = errno;
	else if (old.st_mode && !S_ISREG(old.st_mode))
		error = S_ISDIR(old.st_mode) ? EISDIR : ENOTSUP;
	else
		error = replace_write(destination, &old, text, length);
	free(destination);
	if (!error)
		return 0;

	print_message("cannot write '%s': %s", path,
		      error == ENOTSUP ? "it is not a regular file; '-' is standard output" :
					 strerror(error));
	return STATUS_REFUSED;
}
