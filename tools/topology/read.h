/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reads files that describe a fabric: output of ibnetdiscover(8), and net files of ibsim, whose
 * syntax is a part of the former.
 */
#ifndef TOPOLOGY_READ_H
#define TOPOLOGY_READ_H

#include <stdbool.h>
#include "topology.h"

/*
 * Reads a file ("-" is standard input). Errors are reported. The caller clears @topology, also
 * after errors.
 * Return: true if there are no errors.
 */
bool topology_read(const char *path, struct topology *topology, struct report *report);

/*
 * Reads @length octets in memory, which are named @name in reports. The caller clears @topology,
 * also after errors.
 * Return: true if there are no errors.
 */
bool topology_read_text(const char *name, const char *text, size_t length,
			struct topology *topology, struct report *report);

#endif
