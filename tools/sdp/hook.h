/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A BPF program that makes stream sockets of a cgroup SDP sockets. */
#ifndef HCA_TOOLS_SDP_HOOK_H
#define HCA_TOOLS_SDP_HOOK_H

#include "tools/sdp/cgroup.h"

/**
 * hook_find() - find the kernel's function that the program is attached to
 *
 * Return: the BTF ID of the function; 0 if this kernel does not have the function.
 */
int hook_find(void);

/**
 * hook_attach() - attach the program
 * @function: the result of hook_find()
 * @cgroup: the program is for the processes of this cgroup and of those below it
 *
 * Return: a descriptor, with whose last duplicate the program is detached; or -1 with errno.
 */
int hook_attach(int function, const struct cgroup *cgroup);

#endif
