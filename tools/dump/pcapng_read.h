/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reads packets of a pcapng file, which anybody may have written. */
#ifndef HCADUMP_PCAPNG_READ_H
#define HCADUMP_PCAPNG_READ_H

#include <stdio.h>
#include "packet.h"

struct pcapng_reader;

/* @file stays the caller's. */
struct pcapng_reader *pcapng_reader_new(FILE *file);
void pcapng_reader_free(struct pcapng_reader *reader);

enum pcapng_result { PCAPNG_READ, PCAPNG_END, PCAPNG_WRONG };

/*
 * Reads the next packet into the first half of @packet, which is zeroed. Its octets are valid until
 * the next call, and the name of its port until the reader is freed.
 */
enum pcapng_result pcapng_read(struct pcapng_reader *reader, struct packet *packet);

/* Returns what is wrong with the file after PCAPNG_WRONG, to be printed behind its name. */
const char *pcapng_reader_error(const struct pcapng_reader *reader);

/* Returns when the capture ended, as statistics of its interfaces say; 0: they do not. */
u64 pcapng_reader_end_ns(const struct pcapng_reader *reader);

#endif
