// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Ends connections that have been open for too long. */
#include "tools/web/deadline.h"
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <time.h>

/* Mutex of the table of connections. No other lock is taken while it is held. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct connection {
	int fd;
	time_t since; /* time in s when the connection was opened; 0: the entry is unused */
} connections[MAX_CONNECTIONS];

#define END (connections + MAX_CONNECTIONS)

static time_t deadline_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + 1; /* the result is never 0 */
}

/*
 * Returns the entry of the connection with the file descriptor @fd; an unused entry if @fd is -1;
 * NULL if there is no such entry.
 */
static struct connection *deadline_find(int fd)
{
	struct connection *c;

	for (c = connections; c < END; c++)
		if (fd < 0 ? !c->since : c->since && c->fd == fd)
			return c;
	return NULL;
}

void deadline_begin(int fd)
{
	struct connection *place;

	pthread_mutex_lock(&lock);
	place = deadline_find(-1);
	if (place)
		*place = (struct connection){ fd, deadline_now() };
	pthread_mutex_unlock(&lock);
}

void deadline_end(int fd)
{
	struct connection *connection;

	pthread_mutex_lock(&lock);
	connection = deadline_find(fd);
	if (connection)
		connection->since = 0;
	pthread_mutex_unlock(&lock);
}

void deadline_enforce(unsigned int seconds)
{
	struct connection *c;

	pthread_mutex_lock(&lock);
	for (c = connections; c < END; c++)
		if (c->since && deadline_now() - c->since >= (time_t)seconds)
			shutdown(c->fd, SHUT_RDWR);
	pthread_mutex_unlock(&lock);
}
