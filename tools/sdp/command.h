/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Executes the command that sdprun runs. */
#ifndef HCA_TOOLS_SDP_COMMAND_H
#define HCA_TOOLS_SDP_COMMAND_H

/**
 * command_exec() - replace this process by the command
 * @command: name and arguments of the command; ends with NULL
 *
 * The function returns only if the command cannot be run, after printing a message.
 *
 * Return: the exit status for this case: 127 if the command is not found, otherwise 126.
 */
int command_exec(char **command);

#endif
