/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the processes of sockets by their descriptors in /proc. */
#ifndef HCA_TOOLS_STAT_PROCESS_H
#define HCA_TOOLS_STAT_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#define PROCESS_NAME 16 /* octets of a name, with the 0 at its end */

/* A descriptor of a socket, and its process. */
struct process {
	uint64_t inode;
	unsigned int pid;
	unsigned int fd;
	char name[PROCESS_NAME]; /* name of the process in ASCII, without quotes */
};

struct processes {
	struct process *all; /* descriptors, sorted by inode, process and number */
	size_t count;
};

/**
 * processes_read() - find all descriptors of sockets
 * @processes: set to the descriptors
 *
 * Processes that end meanwhile, or whose descriptors the user may not see, are left out.
 */
void processes_read(struct processes *processes);

/**
 * processes_free() - free the memory that processes_read() has allocated
 * @processes: the processes
 */
void processes_free(struct processes *processes);

/**
 * processes_find() - find the first descriptor of a socket
 * @processes: all descriptors
 * @inode: inode of the socket; 0: the socket does not belong to a process
 *
 * Return: the index of the descriptor, which the socket's others follow; processes->count if there
 * is none.
 */
size_t processes_find(const struct processes *processes, uint64_t inode);

#endif
