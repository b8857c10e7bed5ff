/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Which processes have which sockets, by their descriptors in /proc. */
#ifndef HCA_TOOLS_STAT_PROCESS_H
#define HCA_TOOLS_STAT_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#define PROCESS_NAME 16 /* octets of a name, with the 0 at its end */

/* A descriptor of a socket. */
struct process {
	uint64_t inode;
	unsigned int pid;
	unsigned int fd;
	char name[PROCESS_NAME]; /* in ASCII, without quotes */
};

struct processes {
	struct process *all; /* by inode, process and descriptor */
	size_t count;
};

/**
 * processes_read() - find all descriptors of sockets
 * @processes: set to them
 *
 * Processes whose descriptors the user may not see are left out, and those that end meanwhile.
 */
void processes_read(struct processes *processes);

/**
 * processes_free() - free what processes_read() has set
 * @processes: the processes
 */
void processes_free(struct processes *processes);

/**
 * processes_find() - the first descriptor of a socket
 * @processes: all descriptors
 * @inode: of the socket; 0: no process has it
 *
 * Return: an index, behind which the others of that socket are; processes->count: there is none.
 */
size_t processes_find(const struct processes *processes, uint64_t inode);

#endif
