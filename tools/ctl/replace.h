/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Replaces files as a whole. */
#ifndef HCACTL_REPLACE_H
#define HCACTL_REPLACE_H

#include <stddef.h>

/*
 * Replaces the contents of a file by @text. A reader in between, or after a crash, finds either the
 * old text or the new one; after a failure, the old one. The file keeps its mode and owner.
 * Return: 0, or an exit status after printing a message.
 */
int replace_file(const char *path, const char *text, size_t length);

#endif
