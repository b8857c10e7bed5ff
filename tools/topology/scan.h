/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A line, read from left to right. Each function takes what it finds at *@at and returns true,
 * or takes nothing. Lines end with 0.
 */
#ifndef TOPOLOGY_SCAN_H
#define TOPOLOGY_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void scan_blanks(const char **at);

/* Those very octets. */
bool scan_text(const char **at, const char *text);

/* The same with blanks before and behind. */
bool scan_mark(const char **at, const char *text);

/* Letters alone; @length of them begin at *@word. */
bool scan_word(const char **at, const char **word, size_t *length);

/* Decimal, or hexadecimal behind 0x; at most @max. */
bool scan_number(const char **at, uint64_t max, uint64_t *number);

/* Hexadecimal, with or without 0x. */
bool scan_hex(const char **at, uint64_t *number);

/* "text": its @length octets begin at *@text. */
bool scan_quoted(const char **at, const char **text, size_t *length);

#endif
