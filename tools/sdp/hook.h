/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A BPF program that makes stream sockets of a cgroup SDP's. */
#ifndef HCA_TOOLS_SDP_HOOK_H
#define HCA_TOOLS_SDP_HOOK_H

#include "tools/sdp/cgroup.h"

/**
 * hook_find() - the kernel's function that the program stands in front of
 *
 * Return: its BTF id, or 0: this kernel has none.
 */
int hook_find(void);

/**
 * hook_attach() - attach the program
 * @function: of hook_find()
 * @cgroup: the cgroup whose processes it is for, and those of the cgroups below it
 *
 * Return: a descriptor, with whose last duplicate the program is detached; or -1 with errno.
 */
int hook_attach(int function, const struct cgroup *cgroup);

#endif
