/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writers of packets into a file. All functions end the program if the file cannot be written. */
#ifndef HCADUMP_WRITER_H
#define HCADUMP_WRITER_H

#include "packet.h"

struct writer {
	void (*write)(struct writer *writer, const struct packet *packet);
	void (*flush)(struct writer *writer);
	void (*close)(struct writer *writer);
	const char *name;
	int link_type; /* DLT_ERF or DLT_INFINIBAND */
	u64 end_ns; /* time of the capture's end, set before close(); 0: unknown */
};

/* Open a file in one of the formats. @name "-" is standard output. */
struct writer *pcap_writer_open(const char *name, int link_type);
struct writer *pcapng_writer_open(const char *name, int link_type);

#endif
