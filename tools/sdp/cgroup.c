// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A cgroup for the processes of a command. */
#include "tools/sdp/cgroup.h"
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

/* Beginning of the line of /proc/self/cgroup that names the cgroup of version 2. */
#define OWN "0::"

/*
 * Finds the mount point of cgroup2 in the list of mounts in the file @mounts. Return: a path, @root
 * followed by the mount point, which the caller frees; NULL if cgroup2 is not in the list.
 */
static char *find_mount(const char *mounts, const char *root)
{
	FILE *file = setmntent(mounts, "re");
	struct mntent *mount;
	char *folder = NULL;

	if (!file)
		return NULL;
	while (!folder && (mount = getmntent(file)))
		if (!strcmp(mount->mnt_type, "cgroup2"))
			folder = need_text("%s%s", root, mount->mnt_dir);
	endmntent(file);
	return folder;
}

/*
 * Finds the mount point of cgroup2. ip-netns(8) hides the mounts below /sys from this process. In
 * that case, the mount of process 1 is used.
 */
static char *need_mount(void)
{
	char *folder = find_mount("/proc/self/mounts", "");

	if (!folder)
		folder = find_mount("/proc/1/mounts", "/proc/1/root");
	if (!folder)
		die("--static needs cgroups of version 2, and no cgroup2 is mounted");
	return folder;
}

/*
 * Finds the cgroup of this process. Return: its path below the mount point, which begins with a
 * slash. The caller frees the path.
 */
static char *need_own(void)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char *line = NULL, *own = NULL;
	size_t size = 0;

	if (!file)
		die_errno("cannot open /proc/self/cgroup");
	while (!own && getline(&line, &size, file) > 0)
		if (!strncmp(line, OWN, strlen(OWN)))
			own = need_text("%.*s", (int)strcspn(line + strlen(OWN), "\n"),
					line + strlen(OWN));
	free(line);
	fclose(file);
	if (!own)
		die("--static needs cgroups of version 2: /proc/self/cgroup has no line " OWN);
	return own;
}

static int count_components(const char *path)
{
	int count = 0;

	for (; *path; path++)
		count += path[0] == '/' && path[1] && path[1] != '/';
	return count;
}

/*
 * Makes the folder of a cgroup. An existing empty folder is replaced, because a killed process that
 * had the PID of this process has left it.
 */
static bool make_folder(const char *path)
{
	if (!mkdir(path, 0755))
		return true;
	return errno == EEXIST && !rmdir(path) && !mkdir(path, 0755);
}

void cgroup_make(struct cgroup *cgroup)
{
	char *folder = need_mount(), *own = need_own();
	struct stat status;

	cgroup->path = need_text("%s%s/sdprun-%d", folder, strcmp(own, "/") ? own : "", getpid());
	cgroup->level = count_components(own) + 1;
	if (!make_folder(cgroup->path) || stat(cgroup->path, &status))
		die_errno("cannot make the cgroup %s", cgroup->path);
	cgroup->id = status.st_ino;
	free(own);
	free(folder);
}

static int open_file(const struct cgroup *cgroup, const char *name, int flags)
{
	char *path = need_text("%s/%s", cgroup->path, name);
	int fd = open(path, flags | O_CLOEXEC);

	free(path);
	return fd;
}

bool cgroup_enter(const struct cgroup *cgroup)
{
	int fd = open_file(cgroup, "cgroup.procs", O_WRONLY);
	ssize_t written;

	if (fd < 0)
		return false;
	written = write(fd, "0", 1); /* 0 stands for this process */
	close(fd);
	return written == 1;
}

/*
 * Returns whether a cgroup is empty. @events is a descriptor of the cgroup's file cgroup.events. If
 * @events cannot be read, the cgroup does not exist, and counts as empty.
 */
static bool is_empty(int events)
{
	char text[256];
	ssize_t length = pread(events, text, sizeof(text) - 1, 0);

	if (length < 0)
		return true;
	text[length] = '\0';
	return strstr(text, "populated 0");
}

bool cgroup_is_empty(const struct cgroup *cgroup)
{
	int events = open_file(cgroup, "cgroup.events", O_RDONLY);
	bool empty = is_empty(events);

	if (events >= 0)
		close(events);
	return empty;
}

void cgroup_wait_until_empty(const struct cgroup *cgroup)
{
	struct pollfd changes = { .fd = open_file(cgroup, "cgroup.events", O_RDONLY),
				  .events = POLLPRI };

	while (!is_empty(changes.fd))
		if (poll(&changes, 1, -1) < 0 && errno != EINTR)
			die_errno("cannot wait for %s", cgroup->path);
	if (changes.fd >= 0)
		close(changes.fd);
}

void cgroup_remove(struct cgroup *cgroup)
{
	if (rmdir(cgroup->path) && errno != ENOENT)
		print_message("cannot remove the cgroup %s: %s", cgroup->path, strerror(errno));
	free(cgroup->path);
	cgroup->path = NULL;
}
