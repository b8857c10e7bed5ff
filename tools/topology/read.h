/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reads files that describe a fabric: output of ibnetdiscover(8), and net files of ibsim, which
 * have a part of its syntax.
 */
#ifndef TOPOLOGY_READ_H
#define TOPOLOGY_READ_H

#include <stdbool.h>
#include "topology.h"

/*
 * Reads a file ("-" is standard input). Errors are reported.
 * Return: true if there are none. The caller clears @topology in either case.
 */
bool topology_read(const char *path, struct topology *topology, struct report *report);

/* Reads @length octets in memory; reports call them @name. Return: as topology_read(). */
bool topology_read_text(const char *name, const char *text, size_t length,
			struct topology *topology, struct report *report);

#endif
