// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The words of a line of a file. */
#include <string.h>
#include "words.h"

#define BLANKS " \t"

size_t words_split(char *line, char **words)
{
	char *word, *rest = line;
	size_t count = 0;

	while ((word = strtok_r(NULL, BLANKS, &rest)) && *word != '#')
		words[count++] = word;
	words[count] = NULL;
	return count;
}
