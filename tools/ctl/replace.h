/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Replaces files as a whole. */
#ifndef HCACTL_REPLACE_H
#define HCACTL_REPLACE_H

#include <stddef.h>

/*
 * Replaces the contents of a file by @text. A reader finds either the whole old text or the whole
 * new one, also after a crash. After a failure, the file has the old text. The file keeps its mode
 * and owner.
 * Return: 0, or an exit status after printing a message.
 */
int replace_file(const char *path, const char *text, size_t length);

#endif
