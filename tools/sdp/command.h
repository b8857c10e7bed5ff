/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The command that sdprun becomes. */
#ifndef HCA_TOOLS_SDP_COMMAND_H
#define HCA_TOOLS_SDP_COMMAND_H

/**
 * command_exec() - replace this process by the command
 * @command: name and arguments of the command; ends with NULL
 *
 * Return: the exit status for a command that cannot be run, after printing a message.
 */
int command_exec(char **command);

#endif
