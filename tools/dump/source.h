/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Where packets come from: ports, or a file. */
#ifndef HCADUMP_SOURCE_H
#define HCADUMP_SOURCE_H

#include "options.h"
#include "packet.h"

struct source {
	/*
	 * The next packet, in the first half of @packet, which is zeroed; its octets hold until
	 * the next call. false: there is no more, or it is told to stop.
	 */
	bool (*next)(struct source *source, struct packet *packet);
	/* Packets for which there was no room. */
	uint64_t (*lost)(struct source *source);
	void (*close)(struct source *source);
	/* What has been written may have to wait no longer: there is nothing to read just now. */
	void (*idle)(void *data);
	void *data;
};

/* Each ends the program if it cannot be opened. */
struct source *tap_open(const struct options *options);
struct source *file_open(const char *name);

#endif
