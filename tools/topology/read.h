/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Files that describe a fabric: what ibnetdiscover(8) prints, and ibsim's net files, which
 * are the same but for what they leave out.
 */
#ifndef TOPOLOGY_READ_H
#define TOPOLOGY_READ_H

#include <stdbool.h>
#include "topology.h"

/*
 * Read a file; "-" is standard input. What is wrong is reported.
 * Return: whether it is all right. Either way @topology is to be cleared.
 */
bool topology_read(const char *path, struct topology *topology, struct report *report);

/* The same for @length octets in memory; @name is theirs in reports. */
bool topology_read_text(const char *name, const char *text, size_t length,
			struct topology *topology, struct report *report);

#endif
