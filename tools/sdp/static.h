/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Runs programs that are linked statically, which no library can be preloaded into. */
#ifndef HCA_TOOLS_SDP_STATIC_H
#define HCA_TOOLS_SDP_STATIC_H

/**
 * static_run() - run a command whose stream sockets the kernel makes SDP's
 * @command: its name and arguments; ends with NULL
 *
 * The program ends with a message, and runs nothing, if the kernel cannot do that.
 *
 * Return: the exit status of the command, as a shell has it.
 */
int static_run(char **command);

#endif
