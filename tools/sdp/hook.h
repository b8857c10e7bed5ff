/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A BPF program that turns new stream sockets of a cgroup's processes into SDP sockets. */
#ifndef HCA_TOOLS_SDP_HOOK_H
#define HCA_TOOLS_SDP_HOOK_H

#include "tools/sdp/cgroup.h"

/**
 * hook_find() - find the kernel function that hook_attach() attaches the BPF program to
 *
 * Return: the BTF ID of the function; 0 if this kernel does not have the function.
 */
int hook_find(void);

/**
 * hook_attach() - attach the BPF program
 * @function: BTF ID of the function, from hook_find()
 * @cgroup: the program affects the processes of this cgroup and of cgroups below it
 *
 * Return: a descriptor; or -1 with errno. The program remains attached until the descriptor and all
 * its duplicates are closed.
 */
int hook_attach(int function, const struct cgroup *cgroup);

#endif
