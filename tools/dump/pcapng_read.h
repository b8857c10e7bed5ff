/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads packets of a pcapng file. The file need not be valid. */
#ifndef HCADUMP_PCAPNG_READ_H
#define HCADUMP_PCAPNG_READ_H

#include <stdio.h>
#include "packet.h"

struct pcapng_reader;

/* Creates a reader. The caller closes @file. */
struct pcapng_reader *pcapng_reader_new(FILE *file);
void pcapng_reader_free(struct pcapng_reader *reader);

enum pcapng_result { PCAPNG_READ, PCAPNG_END, PCAPNG_WRONG };

/*
 * Reads the next packet, and sets the fields from @time_ns to @stream of struct packet. The caller
 * has set @packet to zero. The packet's octets are valid until the next call. The name of the
 * packet's port is valid until the reader is freed.
 */
enum pcapng_result pcapng_read(struct pcapng_reader *reader, struct packet *packet);

/* Returns the error of a file after PCAPNG_WRONG, as text that is printed after the file's name. */
const char *pcapng_reader_error(const struct pcapng_reader *reader);

/*
 * Returns the time of the capture's end, from the statistics of all interfaces; 0 if there are
 * none.
 */
u64 pcapng_reader_end_ns(const struct pcapng_reader *reader);

#endif
