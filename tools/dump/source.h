/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A source of packets, which is a capture of ports or a file. */
#ifndef HCADUMP_SOURCE_H
#define HCADUMP_SOURCE_H

#include "options.h"
#include "packet.h"

struct source {
	/*
	 * Reads the next packet, and sets the fields from @time_ns to @stream of struct packet.
	 * The caller has set @packet to zero. The packet's octets are valid until the next call.
	 * Return: false at the end, or after a signal to stop.
	 */
	bool (*next)(struct source *source, struct packet *packet);
	/* Returns the number of packets that the capture has lost for lack of buffer space. */
	uint64_t (*lost)(struct source *source);
	void (*close)(struct source *source);
	/*
	 * A callback that flushes the output while no packet is available. Return: the time in ms
	 * after which it is called again; -1: it is called again after the next packet.
	 */
	int (*idle)(void *data);
	void *data;
	/*
	 * time of the capture's end, which is set after the last packet; 0: the file does not
	 * contain this time
	 */
	uint64_t end_ns;
	bool has_streams; /* octets of RNICs are captured */
};

/* Functions that open a source, or end the program with a message. */
struct source *tap_open(const struct options *options);
struct source *file_open(const char *name);

#endif
