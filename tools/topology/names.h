/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writes a list of names in a short form. */
#ifndef TOPOLOGY_NAMES_H
#define TOPOLOGY_NAMES_H

#include <stddef.h>
#include <stdio.h>

struct names_style {
	const char *gap; /* text between the first and the last name of a row */
	const char *separator; /* text between rows */
	void (*put)(FILE *file, const char *name);
};

/*
 * Writes sorted names. A row is three or more names whose last numbers increase by 1. Only the
 * first and the last name of a row are written. If there are many rows and single names, only the
 * first ones are written, followed by the number of remaining names.
 */
void names_write(FILE *file, const char *const *names, size_t count,
		 const struct names_style *style);

#endif
