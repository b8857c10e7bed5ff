/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Ends connections that are open too long: one that sends or receives an octet now and then is
 * never idle. The functions can be called in any thread.
 */
#ifndef HCACTL_SERVE_DEADLINE_H
#define HCACTL_SERVE_DEADLINE_H

/* No more connections than these are open at a time. */
#define MAX_CONNECTIONS 32

/* A connection has begun, and ends before its file descriptor is closed. */
void deadline_begin(int fd);
void deadline_end(int fd);

/* Shuts down the connections that began before so many seconds, which ends them. */
void deadline_enforce(unsigned int seconds);

#endif
