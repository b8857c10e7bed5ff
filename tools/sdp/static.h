/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Runs statically linked programs, which cannot preload a library. */
#ifndef HCA_TOOLS_SDP_STATIC_H
#define HCA_TOOLS_SDP_STATIC_H

/**
 * static_run() - run a command, and turn its new stream sockets into SDP sockets by a BPF program
 * @command: name and arguments of the command; ends with NULL
 *
 * If the BPF program cannot be attached, sdprun ends with a message, and the command does not run.
 *
 * Return: the exit status of the command; 128 plus the number of the signal that ended it.
 */
int static_run(char **command);

#endif
