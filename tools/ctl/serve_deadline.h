/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Ends connections that are open too long. The idle timeout does not end a connection that sends or
 * receives an octet now and then. The functions can be called in any thread.
 */
#ifndef HCACTL_SERVE_DEADLINE_H
#define HCACTL_SERVE_DEADLINE_H

/* The largest number of connections that are open at a time. */
#define MAX_CONNECTIONS 32

/* Add a new connection, and remove a connection before its file descriptor is closed. */
void deadline_begin(int fd);
void deadline_end(int fd);

/* Shuts down the connections that have been open for @seconds or longer, which ends them. */
void deadline_enforce(unsigned int seconds);

#endif
