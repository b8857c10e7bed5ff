/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Writers, which write packets into a file. All of their functions end the program if the file
 * cannot be written.
 */
#ifndef HCADUMP_WRITER_H
#define HCADUMP_WRITER_H

#include "packet.h"

struct writer {
	void (*write)(struct writer *writer, const struct packet *packet);
	void (*flush)(struct writer *writer);
	void (*close)(struct writer *writer);
	const char *name;
	int link_type; /* DLT_ERF or DLT_INFINIBAND */
	u64 end_ns; /* time of the capture's end, which is set before close(); 0: unknown */
};

/* Functions that open a file of one format. "-" is standard output. */
struct writer *pcap_writer_open(const char *name, int link_type);
struct writer *pcapng_writer_open(const char *name, int link_type);

#endif
