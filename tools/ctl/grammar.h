/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The grammar of the command line: hcactl NOUN COMMAND ARGUMENT...
 *
 * Nouns, commands and keywords may be abbreviated as long as it is clear what is
 * meant. When something is wrong it is said which word that is, and what would be right;
 * the exit status is STATUS_USAGE then.
 */
#ifndef HCACTL_GRAMMAR_H
#define HCACTL_GRAMMAR_H

#include <stdbool.h>

struct options {
	bool json;
	bool pretty;
	bool help;
	bool dry_run;
};

struct setup;

struct command {
	const char *name; /* NULL: the end of the table */
	const char *alias; /* another name, or NULL */
	const char *path; /* the noun, too, as in "device add" */
	const char *arguments; /* as in "NAME [ports N]" */
	const char *help; /* what it does; lines of text */
	bool dry_run; /* run() heeds options->dry_run */
	int kind; /* of device that it is about, for run() and plan() */
	/* Do it. Return: exit status. */
	int (*run)(const struct command *command, char **args, const struct options *options);
	/* Note what is to be done, and do nothing; NULL: it may not stand in a file. */
	int (*plan)(const struct command *command, char **args, struct setup *setup);
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

/* The same for a line of a file: find what is to be done, and note it in @setup. */
int grammar_plan(const struct noun *const *nouns, char **args, struct setup *setup);

/* For a command: take the next of its words. */

/* One that there must be; @what is its name in the usage. NULL: it is missing, as has been said. */
const char *take_word(const struct command *command, char ***args, const char *what);

/* NULL: there is none. */
const char *take_optional_word(char ***args);

/*
 * All that is left: pairs of a keyword and a value. values[i] is for keywords[i], or NULL.
 * Return: whether they are right; if not, it has been said why.
 */
bool take_keywords(const struct command *command, char **args, const char *const *keywords,
		   const char **values);

/* The same; but those from keywords[@pairs] on stand alone, and values[i] is the word itself. */
bool take_keywords_and_flags(const struct command *command, char **args,
			     const char *const *keywords, int pairs, const char **values);

/* Nothing more. Return: whether that is so; if not, it has been said. */
bool take_end(const struct command *command, char **args);

/* A usage error: what is wrong, then the command's usage. Return: STATUS_USAGE. */
__attribute__((format(printf, 2, 3)))
int usage_error(const struct command *command, const char *format, ...);

#endif
