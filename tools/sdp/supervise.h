/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Runs a command as a child that seems to be sdprun itself. */
#ifndef HCA_TOOLS_SDP_SUPERVISE_H
#define HCA_TOOLS_SDP_SUPERVISE_H

/**
 * supervise() - run a child and wait for its end
 * @run: what the child does; it returns the child's exit status, unless it becomes a program
 * @argument: of @run
 *
 * Meanwhile SIGTERM and SIGHUP are forwarded, and SIGINT and SIGQUIT, which a terminal sends to the
 * child as well, are ignored.
 *
 * Return: the child's exit status, or 128 and the number of the signal that ended it; or -1 with
 * errno: there is no child.
 */
int supervise(int (*run)(const void *argument), const void *argument);

#endif
