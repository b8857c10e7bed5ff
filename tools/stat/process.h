/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the processes of sockets by their descriptors in /proc. */
#ifndef HCA_TOOLS_STAT_PROCESS_H
#define HCA_TOOLS_STAT_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#define PROCESS_NAME 16 /* size in octets of a process's name, with the 0 at its end */

/* A descriptor of a socket, and the process that has it */
struct process {
	uint64_t inode;
	unsigned int pid;
	unsigned int fd;
	char name[PROCESS_NAME]; /* name of the process, in printable ASCII without quotes */
};

struct processes {
	/* descriptors of sockets, sorted by inode, process ID and descriptor */
	struct process *all;
	size_t count;
};

/**
 * processes_read() - find all descriptors of sockets
 * @processes: set to the descriptors
 *
 * Processes that end meanwhile are omitted, and so are processes whose descriptors the user may not
 * read.
 */
void processes_read(struct processes *processes);

/**
 * processes_free() - free the memory that processes_read() has allocated
 * @processes: descriptors from processes_read()
 */
void processes_free(struct processes *processes);

/**
 * processes_find() - find the first descriptor of a socket
 * @processes: descriptors from processes_read()
 * @inode: inode of the socket; 0: the socket does not belong to a process
 *
 * Return: the index of the descriptor; processes->count if there is none. Other descriptors of the
 * socket follow it.
 */
size_t processes_find(const struct processes *processes, uint64_t inode);

#endif
