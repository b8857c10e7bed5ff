/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The words of a line of a file. */
#ifndef HCACTL_WORDS_H
#define HCACTL_WORDS_H

#include <stdio.h>
#include <sys/types.h>

/* So many words there may be in a line of @length octets, with the NULL behind them. */
#define MAX_WORDS(length) ((length) / 2 + 2)

/*
 * Split @line at blanks and tabs, in place; a word that begins with '#' begins a comment, one that begins
 * with '"' ends with the next one. In between blanks are as others, and \XX is the octet of these hexadecimal digits.
 * @words: with room for MAX_WORDS(strlen(line)); NULL is put behind the last.
 * Return: how many there are; -1: quotes are not as they should be.
 */
ssize_t words_split(char *line, char **words);

/* So that words_split() finds one word, this one. */
void words_print(FILE *file, const char *word);

#endif
