/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sources of packets: ports, or a file. */
#ifndef HCADUMP_SOURCE_H
#define HCADUMP_SOURCE_H

#include "options.h"
#include "packet.h"

struct source {
	/*
	 * Reads the next packet and sets the captured fields of @packet, which is zeroed before.
	 * The packet's octets are valid until the next call.
	 * Return: false at the end, or after a signal to stop.
	 */
	bool (*next)(struct source *source, struct packet *packet);
	/* Returns the number of packets that were lost for lack of buffer space. */
	uint64_t (*lost)(struct source *source);
	void (*close)(struct source *source);
	/*
	 * A callback to flush the output, when there is not a packet available.
	 * Return: the time in ms until the next call; -1: after the next packet.
	 */
	int (*idle)(void *data);
	void *data;
	/* time of the capture's end if the file has it, valid after the last packet; otherwise 0 */
	uint64_t end_ns;
};

/* Open a source. Exit on failure. */
struct source *tap_open(const struct options *options);
struct source *file_open(const char *name);

#endif
