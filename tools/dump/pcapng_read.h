/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads packets of a pcapng file. The file is untrusted. */
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
 * Reads the next packet and sets the captured fields of @packet, which is zeroed before. The
 * packet's octets are valid until the next call, and the name of its port until the reader is
 * freed.
 */
enum pcapng_result pcapng_read(struct pcapng_reader *reader, struct packet *packet);

/* Returns the error of the file after PCAPNG_WRONG, in words that are printed behind its name. */
const char *pcapng_reader_error(const struct pcapng_reader *reader);

/* Returns the time of the capture's end from statistics of the interfaces; 0 if there are none. */
u64 pcapng_reader_end_ns(const struct pcapng_reader *reader);

#endif
