/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Files that are replaced as a whole. */
#ifndef HCACTL_REPLACE_H
#define HCACTL_REPLACE_H

#include <stddef.h>

/*
 * Make @text all that is in the file. Whoever reads it meanwhile, or after a crash, finds
 * the old or the new text; if it fails, the old one. The file keeps its mode and owner.
 * Return: 0; or exit status, and it has been said why.
 */
int replace_file(const char *path, const char *text, size_t length);

#endif
