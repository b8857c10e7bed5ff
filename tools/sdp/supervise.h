/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Runs a command as a child, forwards signals to it, and returns its exit status. */
#ifndef HCA_TOOLS_SDP_SUPERVISE_H
#define HCA_TOOLS_SDP_SUPERVISE_H

/**
 * supervise() - run a child and wait for its end
 * @run: function that the child calls; returns the child's exit status, unless it executes a
 *       program
 * @argument: argument of @run
 *
 * While the child runs, SIGTERM and SIGHUP are forwarded to it. SIGINT and SIGQUIT are ignored,
 * because a terminal also sends them to the child.
 *
 * Return: the child's exit status; 128 plus the number of the signal that ended the child; or -1,
 * with errno, if the child cannot be started.
 */
int supervise(int (*run)(const void *argument), const void *argument);

#endif
