/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Splits a line of a file into arguments. */
#ifndef HCACTL_TOKENS_H
#define HCACTL_TOKENS_H

#include <stdio.h>
#include <sys/types.h>

/* The most arguments that a line of @length octets can have, with the NULL at the end. */
#define MAX_TOKENS(length) ((length) / 2 + 2)

/*
 * Splits @line in place at blanks and tabs. An argument that begins with '#' begins a comment; one
 * that begins with '"' ends with the next '"', may contain blanks, and \XX in it is the octet of
 * these hexadecimal digits. @tokens has room for MAX_TOKENS(strlen(line)) entries; NULL is stored
 * behind the last one.
 * Return: the number of arguments; -1 if quotes are wrong.
 */
ssize_t tokens_split(char *line, char **tokens);

/* Prints an argument with the quotes and escapes that tokens_split() needs to read it back. */
void token_print(FILE *file, const char *token);

#endif
