// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The words of a line of a file. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include "words.h"

#define BLANKS " \t"

static bool is_control(unsigned char octet)
{
	return octet < ' ' || octet == 0x7f;
}

/* Of two hexadecimal digits; 0 if these are not there. */
static unsigned char octet_of(const char *digits)
{
	unsigned int octet;

	if (!isxdigit((unsigned char)digits[0]) || !isxdigit((unsigned char)digits[1]))
		return 0;
	return sscanf(digits, "%2x", &octet) == 1 ? octet : 0;
}

/* In place. Return: what is behind the last quote; NULL: it is not right. */
static char *unquote(char *word)
{
	char *from = word + 1, *to = word;

	for (; *from != '"'; from++) {
		if (*from == '\\') {
			*to = octet_of(from + 1);
			from += 2;
		} else {
			*to = *from;
		}
		if (!*to++)
			return NULL;
	}
	from++;
	if (*from && !strchr(BLANKS, *from))
		return NULL;
	*to = '\0';
	return from;
}

ssize_t words_split(char *line, char **words)
{
	ssize_t count = 0;
	char *rest = line;

	for (;;) {
		rest += strspn(rest, BLANKS);
		if (!*rest || *rest == '#')
			break;
		words[count++] = rest;
		rest = *rest == '"' ? unquote(rest) : rest + strcspn(rest, BLANKS);
		if (!rest)
			return -1;
		if (*rest)
			*rest++ = '\0';
	}
	words[count] = NULL;
	return count;
}

static bool is_plain(const char *word)
{
	if (!*word || strchr("#\"", *word))
		return false;
	for (; *word; word++)
		if (is_control(*word) || *word == ' ')
			return false;
	return true;
}

void words_print(FILE *file, const char *word)
{
	if (is_plain(word)) {
		fputs(word, file);
		return;
	}
	fputc('"', file);
	for (; *word; word++)
		if (is_control(*word) || strchr("\"\\", *word))
			fprintf(file, "\\%02x", (unsigned char)*word);
		else
			fputc(*word, file);
	fputc('"', file);
}
