/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The grammar of the command line: hcactl NOUN COMMAND ARGUMENT...
 *
 * Nouns, commands and keywords may be abbreviated as long as it is clear what is
 * meant. What is wrong ends the program with STATUS_USAGE and says which word it is.
 */
#ifndef HCACTL_GRAMMAR_H
#define HCACTL_GRAMMAR_H

#include <stdbool.h>

struct options {
	bool json;
	bool pretty;
	bool help;
};

struct command {
	const char *name; /* NULL: the end of the table */
	const char *alias; /* another name, or NULL */
	const char *path; /* the noun, too, as in "device add" */
	const char *arguments; /* as in "NAME [ports N]" */
	const char *help; /* what it does; lines of text */
	int (*run)(const struct command *command, char **args, const struct options *options);
};

struct noun {
	const char *name;
	const struct command *commands; /* NULL: the noun is itself a command */
	const struct command *alone; /* when no command follows */
};

/*
 * Find what to do, and do it; or, with options->help, tell of it. @nouns ends with NULL.
 * Return: exit status.
 */
int grammar_run(const struct noun *const *nouns, char **args, const struct options *options);

/* For a command: take the next of its words. */

/* One that there must be; @what is its name in the usage. */
const char *take_word(const struct command *command, char ***args, const char *what);

/* NULL: there is none. */
const char *take_optional_word(char ***args);

/* All that is left: pairs of a keyword and a value. values[i] is for keywords[i], or NULL. */
void take_keywords(const struct command *command, char **args, const char *const *keywords,
		   const char **values);

/* Nothing more. */
void take_end(const struct command *command, char **args);

/* A usage error: what is wrong, then the command's usage. */
__attribute__((format(printf, 2, 3), noreturn))
void usage_error(const struct command *command, const char *format, ...);

#endif
