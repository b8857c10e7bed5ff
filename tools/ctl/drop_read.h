/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads the packets that were dropped from a file of tracefs. */
#ifndef HCACTL_DROP_READ_H
#define HCACTL_DROP_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct drop;

/* All zero at first, but fd. */
struct drop_reader {
	int fd;
	uint64_t lost; /* events that the trace does not have */
	uint64_t wrong; /* lines that are not understood */
	bool is_overlong; /* the rest of a line without an end is skipped */
	size_t used;
	char line[4096]; /* a line whose end has not come */
};

/*
 * Reads all that there is and calls @handle for each packet.
 * Return: true at the end, or if nothing is there yet; false, with errno, if reading fails.
 */
bool drop_read(struct drop_reader *reader, void (*handle)(const struct drop *drop, void *arg),
	       void *arg);

#endif
