/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads /proc/net/sdp, or a copy of it. */
#ifndef HCA_TOOLS_STAT_READ_H
#define HCA_TOOLS_STAT_READ_H

#include <stddef.h>
#include <stdint.h>
#include "tools/stat/column.h"

#define SOCKETS_PATH "/proc/net/sdp"

/* A socket, which is one line of /proc/net/sdp */
struct sdp_socket {
	char *line; /* the line of the file, to which @values point */
	/* values of the columns; NULL: the socket does not have a value */
	const char *values[NUM_COLUMNS];
	/* value of a column of kind COLUMN_NUMBER, port of a COLUMN_NAME; otherwise 0 */
	uint64_t numbers[NUM_COLUMNS];
};

struct sdp_sockets {
	struct sdp_socket *all;
	size_t count;
};

/**
 * sockets_read() - read all sockets of a file
 * @path: path of the file
 * @sockets: set to the sockets
 *
 * Unknown columns are ignored. If the file does not exist or is in another format, the program ends
 * with a message.
 */
void sockets_read(const char *path, struct sdp_sockets *sockets);

/**
 * sockets_free() - free the memory that sockets_read() has allocated
 * @sockets: sockets from sockets_read()
 */
void sockets_free(struct sdp_sockets *sockets);

#endif
