/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads /proc/net/sdp, or a copy of it. */
#ifndef HCA_TOOLS_STAT_READ_H
#define HCA_TOOLS_STAT_READ_H

#include <stddef.h>
#include <stdint.h>
#include "tools/stat/column.h"

#define SOCKETS_PATH "/proc/net/sdp"

/* One socket. */
struct sdp_socket {
	char *line; /* the line that contains the values */
	const char *values[NUM_COLUMNS]; /* values of the columns; NULL: none */
	uint64_t numbers[NUM_COLUMNS]; /* numbers of the columns; the port of a name, or 0 */
};

struct sdp_sockets {
	struct sdp_socket *all;
	size_t count;
};

/**
 * sockets_read() - read all sockets
 * @path: the file
 * @sockets: set to the sockets
 *
 * Unknown columns are left out. The program ends if the file does not exist or has another format.
 */
void sockets_read(const char *path, struct sdp_sockets *sockets);

/**
 * sockets_free() - free the memory that sockets_read() has allocated
 * @sockets: the sockets
 */
void sockets_free(struct sdp_sockets *sockets);

#endif
