/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A cgroup for the processes of a command. */
#ifndef HCA_TOOLS_SDP_CGROUP_H
#define HCA_TOOLS_SDP_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct cgroup - a cgroup that was made below the cgroup of this process
 * @path: path of the cgroup's folder
 * @id: the kernel's ID of the cgroup
 * @level: number of cgroups above the cgroup, 1 for a cgroup directly below the root
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
 * @cgroup: a cgroup that was made by cgroup_make()
 *
 * Return: true; or false with errno set.
 */
bool cgroup_enter(const struct cgroup *cgroup);

/**
 * cgroup_is_empty() - whether a cgroup and its descendants contain no process
 * @cgroup: a cgroup that was made by cgroup_make()
 */
bool cgroup_is_empty(const struct cgroup *cgroup);

/**
 * cgroup_wait_until_empty() - wait until a cgroup and its descendants contain no process
 * @cgroup: a cgroup that was made by cgroup_make()
 */
void cgroup_wait_until_empty(const struct cgroup *cgroup);

/**
 * cgroup_remove() - remove an empty cgroup, and report a failure by a message
 * @cgroup: a cgroup that was made by cgroup_make()
 */
void cgroup_remove(struct cgroup *cgroup);

#endif
