/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sources of packets: ports, or a file. */
#ifndef HCADUMP_SOURCE_H
#define HCADUMP_SOURCE_H

#include "options.h"
#include "packet.h"

struct source {
	/*
	 * Reads the next packet into the first half of @packet, which is zeroed. Its octets are
	 * valid until the next call.
	 * Return: false at the end, or after a signal to stop.
	 */
	bool (*next)(struct source *source, struct packet *packet);
	/* Returns the number of packets that were lost for lack of buffer space. */
	uint64_t (*lost)(struct source *source);
	void (*close)(struct source *source);
	/*
	 * Is called when no packet is available, to flush the output.
	 * Return: the time in ms after which it is to be called again; -1: after the next packet.
	 */
	int (*idle)(void *data);
	void *data;
	uint64_t end_ns; /* when the capture ended, if a file says so, once it is read; else 0 */
};

/* Open a source; exit if that fails. */
struct source *tap_open(const struct options *options);
struct source *file_open(const char *name);

#endif
