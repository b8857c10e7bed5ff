/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Splits a line of a file into arguments. */
#ifndef HCACTL_TOKENS_H
#define HCACTL_TOKENS_H

#include <stdio.h>
#include <sys/types.h>

/* The largest number of arguments in a line of @length octets, with the NULL at the end. */
#define MAX_TOKENS(length) ((length) / 2 + 2)

/*
 * Splits @line in place at blanks and tabs. An argument that begins with '#' begins a comment. An
 * argument that begins with '"' ends with the next '"' and may contain blanks; \XX in it is the
 * octet with these hexadecimal digits. @tokens has room for MAX_TOKENS(strlen(line)) entries. A
 * NULL is stored behind the last argument.
 * Return: the number of arguments; -1 if quotes are wrong.
 */
ssize_t tokens_split(char *line, char **tokens);

/* Prints an argument with the quotes and escapes that tokens_split() needs to read it back. */
void token_print(FILE *file, const char *token);

#endif
