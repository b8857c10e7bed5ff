// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The file and line to which error messages refer. */
#include "tools/ctl/place.h"
#include <stdio.h>
#include "tools/ctl/progress.h"

static const char *place_file;
static unsigned int place_line;

void set_place(const char *file, unsigned int line)
{
	place_file = file;
	place_line = line;
}

bool has_place(void)
{
	return place_file;
}

void place_begin(void)
{
	progress_hide();
	fputs("hcactl: ", stderr);
	if (place_file && place_line)
		fprintf(stderr, "%s:%u: ", place_file, place_line);
	else if (place_file)
		fprintf(stderr, "%s: ", place_file);
}
