/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A cgroup for the processes of a command. */
#ifndef HCA_TOOLS_SDP_CGROUP_H
#define HCA_TOOLS_SDP_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct cgroup - a cgroup below that of this process
 * @path: folder of the cgroup
 * @id: the kernel's ID of the cgroup
 * @level: number of cgroups above the cgroup
 */
struct cgroup {
	char *path;
	uint64_t id;
	int level;
};

/**
 * cgroup_make() - make a cgroup, or end the program with a message
 * @cgroup: set to the new cgroup
 */
void cgroup_make(struct cgroup *cgroup);

/**
 * cgroup_enter() - move this process into a cgroup
 * @cgroup: the cgroup
 *
 * Return: whether that succeeded; otherwise errno is set.
 */
bool cgroup_enter(const struct cgroup *cgroup);

/**
 * cgroup_is_empty() - whether no process is in a cgroup, or in one below it
 * @cgroup: the cgroup
 */
bool cgroup_is_empty(const struct cgroup *cgroup);

/**
 * cgroup_wait_until_empty() - wait until cgroup_is_empty()
 * @cgroup: the cgroup
 */
void cgroup_wait_until_empty(const struct cgroup *cgroup);

/**
 * cgroup_remove() - remove an empty cgroup, or report a failure by a message
 * @cgroup: the cgroup
 */
void cgroup_remove(struct cgroup *cgroup);

#endif
