/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads the packets that were dropped from a file of tracefs. */
#ifndef HCACTL_DROP_READ_H
#define HCACTL_DROP_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct drop;

/* The state of a reader. All fields but fd are 0 at first. */
struct drop_reader {
	int fd;
	uint64_t lost; /* events that the trace does not have */
	uint64_t wrong; /* lines of hca_drop that are in an unknown format, or are too long */
	bool is_overlong; /* the rest of a line that is too long is skipped */
	size_t used;
	char line[4096]; /* beginning of a line whose end has not been read yet */
};

/*
 * Reads all available lines and calls @handle for each dropped packet.
 * Return: true at the end of the file, or if no more is available yet; false, with errno, if
 * reading fails.
 */
bool drop_read(struct drop_reader *reader, void (*handle)(const struct drop *drop, void *arg),
	       void *arg);

#endif
