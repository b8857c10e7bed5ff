/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Runs statically linked programs, into which a library cannot be preloaded. */
#ifndef HCA_TOOLS_SDP_STATIC_H
#define HCA_TOOLS_SDP_STATIC_H

/**
 * static_run() - run a command whose stream sockets the kernel makes SDP sockets
 * @command: name and arguments of the command; ends with NULL
 *
 * If the kernel cannot do that, the program ends with a message, and the command does not run.
 *
 * Return: the exit status of the command, in the form of a shell.
 */
int static_run(char **command);

#endif
