/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reads files that describe a fabric: output of ibnetdiscover(8), and net files of ibsim, which use
 * a part of ibnetdiscover's syntax.
 */
#ifndef TOPOLOGY_READ_H
#define TOPOLOGY_READ_H

#include <stdbool.h>
#include "topology.h"

/*
 * Reads a file; "-" is standard input. Errors are reported to @report. The caller clears @topology,
 * also after an error. Return: true if there are no errors.
 */
bool topology_read(const char *path, struct topology *topology, struct report *report);

/*
 * Reads a file that is in memory: @length octets at @text. Reports refer to it as @name. The caller
 * clears @topology, also after an error. Return: true if there are no errors.
 */
bool topology_read_text(const char *name, const char *text, size_t length,
			struct topology *topology, struct report *report);

#endif
