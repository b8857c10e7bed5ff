/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Ends connections that have been open for too long. An idle timeout is not enough, because it does
 * not end a connection that sends or receives an octet now and then. The functions can be called in
 * any thread.
 */
#ifndef HCAWEB_DEADLINE_H
#define HCAWEB_DEADLINE_H

/* The largest number of connections that are open at the same time. */
#define MAX_CONNECTIONS 32

/*
 * deadline_begin() adds a new connection. deadline_end() removes a connection, and must be called
 * before the file descriptor is closed.
 */
void deadline_begin(int fd);
void deadline_end(int fd);

/* Shuts down all connections that have been open for @seconds or longer. */
void deadline_enforce(unsigned int seconds);

#endif
