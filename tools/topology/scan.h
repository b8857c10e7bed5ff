/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Scans a line, which ends with a 0 octet, from left to right. A function that recognizes its text
 * at *at advances *at past the text, and returns true. Otherwise it leaves *at unchanged, and
 * returns false.
 */
#ifndef TOPOLOGY_SCAN_H
#define TOPOLOGY_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void scan_blanks(const char **at);

/* Scans exactly @text. */
bool scan_text(const char **at, const char *text);

/* Scans @text with optional blanks before and after it. */
bool scan_mark(const char **at, const char *text);

/* Scans a word of letters. *@keyword is set to its beginning, and *@length to its length. */
bool scan_keyword(const char **at, const char **keyword, size_t *length);

/* Scans a number of at most @max. It is decimal, or hexadecimal with the prefix 0x. */
bool scan_number(const char **at, uint64_t max, uint64_t *number);

/* Scans a hexadecimal number with or without 0x. */
bool scan_hex(const char **at, uint64_t *number);

/*
 * Scans text in quotes. *@text is set to the first octet after the quote, and *@length to the
 * number of octets between the quotes.
 */
bool scan_quoted(const char **at, const char **text, size_t *length);

#endif
