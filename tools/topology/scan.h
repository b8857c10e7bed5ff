/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Scans a line, which ends with 0, from left to right. Each function advances *at behind the text
 * that it recognizes, and returns true; otherwise it leaves *at unchanged and returns false.
 */
#ifndef TOPOLOGY_SCAN_H
#define TOPOLOGY_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void scan_blanks(const char **at);

/* Scans the octets of @text. */
bool scan_text(const char **at, const char *text);

/* Scans the octets of @text with optional blanks before and behind them. */
bool scan_mark(const char **at, const char *text);

/* Scans letters: @length letters that begin at *@keyword. */
bool scan_keyword(const char **at, const char **keyword, size_t *length);

/* Scans a number of at most @max, which is decimal, or hexadecimal behind 0x. */
bool scan_number(const char **at, uint64_t max, uint64_t *number);

/* Scans a hexadecimal number with or without 0x. */
bool scan_hex(const char **at, uint64_t *number);

/* Scans text in quotes: @length octets that begin at *@text. */
bool scan_quoted(const char **at, const char **text, size_t *length);

#endif
