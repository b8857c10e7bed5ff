/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads /proc/net/sdp, or a file that has been copied from it. */
#ifndef HCA_TOOLS_STAT_READ_H
#define HCA_TOOLS_STAT_READ_H

#include <stddef.h>
#include <stdint.h>
#include "tools/stat/column.h"

#define SOCKETS_PATH "/proc/net/sdp"

/* One socket. */
struct sdp_socket {
	char *line; /* that the values are in */
	const char *values[NUM_COLUMNS]; /* NULL: there is none */
	uint64_t numbers[NUM_COLUMNS]; /* of a name: its port, or 0 */
};

struct sdp_sockets {
	struct sdp_socket *all;
	size_t count;
};

/**
 * sockets_read() - read all sockets
 * @path: the file
 * @sockets: set to them
 *
 * Columns that are not known are left out. A file that is not there, or is something else, ends the
 * program.
 */
void sockets_read(const char *path, struct sdp_sockets *sockets);

/**
 * sockets_free() - free what sockets_read() has set
 * @sockets: the sockets
 */
void sockets_free(struct sdp_sockets *sockets);

#endif
