/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writes many names in few words. */
#ifndef TOPOLOGY_NAMES_H
#define TOPOLOGY_NAMES_H

#include <stddef.h>
#include <stdio.h>

struct names_style {
	const char *gap; /* between the first name of a row and the last */
	const char *separator; /* between rows */
	void (*put)(FILE *file, const char *name);
};

/*
 * Writes names that are sorted. Three and more whose last numbers count up by 1 are a row, of which
 * only the first and the last name are written; of many rows, only the first ones and how many
 * names are left.
 */
void names_write(FILE *file, const char *const *names, size_t count,
		 const struct names_style *style);

#endif
