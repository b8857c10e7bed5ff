/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Splits a line of a file into arguments. */
#ifndef HCACTL_TOKENS_H
#define HCACTL_TOKENS_H

#include <stdio.h>
#include <sys/types.h>

/*
 * The largest number of entries of @tokens for a line of @length octets, including the NULL at the
 * end.
 */
#define MAX_TOKENS(length) ((length) / 2 + 2)

/*
 * Splits @line in place at blanks and tabs. An argument that begins with '#' begins a comment. An
 * argument that begins with '"' ends with the next '"', and may contain blanks. In such an
 * argument, \XX stands for the octet with the hexadecimal digits XX. @tokens has room for
 * MAX_TOKENS(strlen(line)) entries. The entry after the last argument is set to NULL. Return: the
 * number of arguments; -1 if the quotes are wrong.
 */
ssize_t tokens_split(char *line, char **tokens);

/* Prints an argument, with the quotes and escapes that tokens_split() requires. */
void token_print(FILE *file, const char *token);

#endif
