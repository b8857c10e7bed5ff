// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Finds the processes of sockets by their descriptors in /proc. */
#include "tools/stat/process.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "tools/lib/number.h"

#define PREFIX "socket:["
#define PATH 64 /* largest size in octets of a path in /proc */

/*
 * Reads the name of a process. A character that is not suitable for a table or for JSON is replaced
 * by '?'.
 */
static void read_name(unsigned int pid, char *name)
{
	char path[PATH];
	FILE *file;
	char *at;

	strcpy(name, "?");
	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(name, PROCESS_NAME, file))
		name[strcspn(name, "\n")] = '\0';
	fclose(file);
	for (at = name; *at; at++) {
		if (*at < ' ' || *at > '~' || *at == '"' || *at == '\\')
			*at = '?';
	}
}

/*
 * Reads the inode of the socket that a descriptor refers to. Return: the inode; 0 if the descriptor
 * does not refer to a socket.
 */
static uint64_t read_inode(int folder, const char *fd)
{
	char link[PATH], *end;
	ssize_t length = readlinkat(folder, fd, link, sizeof(link) - 1);
	uint64_t inode;

	if (length < 0)
		return 0;
	link[length] = '\0';
	if (strncmp(link, PREFIX, strlen(PREFIX)) ||
	    !number_scan(link + strlen(PREFIX), 10, &end, &inode) || strcmp(end, "]"))
		return 0;
	return inode;
}

static void process_add(struct processes *processes, const struct process *process)
{
	processes->all = grow(processes->all, processes->count, sizeof(*processes->all));
	processes->all[processes->count++] = *process;
}

static void read_process(struct processes *processes, unsigned int pid)
{
	struct process process = { .pid = pid };
	char path[PATH];
	const struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%u/fd", pid);
	folder = opendir(path);
	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		if (!number_parse(entry->d_name, &process.fd))
			continue;
		process.inode = read_inode(dirfd(folder), entry->d_name);
		if (!process.inode)
			continue;
		if (!process.name[0])
			read_name(pid, process.name);
		process_add(processes, &process);
	}
	closedir(folder);
}

static int process_compare(const void *left, const void *right)
{
	const struct process *a = left, *b = right;

	if (a->inode != b->inode)
		return a->inode < b->inode ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->fd > b->fd) - (a->fd < b->fd);
}

void processes_read(struct processes *processes)
{
	const struct dirent *entry;
	unsigned int pid;
	DIR *folder = opendir("/proc");

	*processes = (struct processes){};
	if (!folder)
		die_errno("cannot open /proc");
	while ((entry = readdir(folder))) {
		if (number_parse(entry->d_name, &pid))
			read_process(processes, pid);
	}
	closedir(folder);
	if (processes->count)
		qsort(processes->all, processes->count, sizeof(*processes->all), process_compare);
}

void processes_free(struct processes *processes)
{
	free(processes->all);
	*processes = (struct processes){};
}

size_t processes_find(const struct processes *processes, uint64_t inode)
{
	size_t low = 0, high = processes->count, middle;

	while (inode && low < high) {
		middle = low + (high - low) / 2;
		if (processes->all[middle].inode < inode)
			low = middle + 1;
		else
			high = middle;
	}
	return low < processes->count && processes->all[low].inode == inode ? low :
									      processes->count;
}
