/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Replaces the contents of files atomically. */
#ifndef HCACTL_REPLACE_H
#define HCACTL_REPLACE_H

#include <stddef.h>

/*
 * Replaces the contents of a file by @text. Even after a crash, a reader finds either the whole old
 * text or the whole new text. If the replacement fails, the file keeps the old text. The file keeps
 * its mode and owner. Return: 0, or an exit status after printing a message.
 */
int replace_file(const char *path, const char *text, size_t length);

#endif
