/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads dropped packets from a file of tracefs. */
#ifndef HCACTL_DROP_READ_H
#define HCACTL_DROP_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct drop;

/* The state of a reader. All fields except fd are 0 at first. */
struct drop_reader {
	int fd;
	uint64_t lost; /* number of events that the trace has lost */
	/* number of lines that are too long, or about hca_drop in an unknown format */
	uint64_t wrong;
	bool is_overlong; /* the current line is too long, so the rest of it is skipped */
	size_t used;
	char line[4096]; /* the beginning of a line whose end has not been read yet */
};

/*
 * Reads all available lines, and calls @handle for each dropped packet. Return: true at the end of
 * the file, if no more lines are available yet, or after a signal; false with errno set if reading
 * fails.
 */
bool drop_read(struct drop_reader *reader, void (*handle)(const struct drop *drop, void *arg),
	       void *arg);

#endif
