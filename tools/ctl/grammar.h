/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Parses the command line: hcactl NOUN COMMAND ARGUMENT...
 * Nouns, commands and keywords may be abbreviated to any unambiguous prefix. A usage error is
 * reported with the argument that is wrong and what would be right; the exit status is
 * STATUS_USAGE.
 */
#ifndef HCACTL_GRAMMAR_H
#define HCACTL_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

struct options {
	bool json;
	bool pretty;
	bool help;
	bool dry_run;
	bool table;
	bool details;
	uint16_t port; /* 0: not given */
	bool control;
	bool watch;
};

struct setup;

struct command {
	const char *name; /* NULL at the end of a table */
	const char *alias; /* another name, or NULL */
	const char *path; /* with the noun, as in "device add" */
	const char *arguments; /* as in "NAME [ports N]" */
	const char *help; /* description, lines of text */
	bool dry_run; /* run() obeys options->dry_run */
	bool table; /* run() obeys options->table and options->details */
	bool serves; /* run() obeys options->port and options->control */
	bool watch; /* run() obeys options->watch */
	int misuse; /* exit status of a wrong call; 0: STATUS_USAGE */
	int kind; /* kind of device, for run() and plan() */
	/* Carries out the command. Return: exit status. */
	int (*run)(const struct command *command, char **args, const struct options *options);
	/*
	 * Adds the objects of the command to @setup instead of creating them. NULL: not allowed in
	 * a file.
	 */
	int (*plan)(const struct command *command, char **args, struct setup *setup);
};

struct noun {
	const char *name;
	const struct command *commands; /* NULL: the noun itself is a command */
	const struct command *alone; /* command that is run if none is given */
	const char *alias; /* another name, or NULL */
};

/*
 * Finds the command that @args name and runs it or, with options->help, describes it. @nouns ends
 * with NULL.
 * Return: exit status.
 */
int grammar_run(const struct noun *const *nouns, char **args, const struct options *options);

/* Finds the command of a line of a file and calls its plan() with @setup. */
int grammar_plan(const struct noun *const *nouns, char **args, struct setup *setup);

/* Commands parse their arguments by these functions. */

/*
 * Parses an argument that is required; @what is its name in the usage.
 * Return: NULL after printing a message if it is missing.
 */
const char *parse_argument(const struct command *command, char ***args, const char *what);

/* Parses an argument that may be missing. Return: NULL if it is. */
const char *parse_optional_argument(char ***args);

/* The keywords that a command takes. */
struct keywords {
	const char *const *names; /* ends with NULL */
	int pairs; /* the keywords from this one on have no value */
	const char *earlier_name; /* accepted for names[renamed], but listed nowhere; or NULL */
	int renamed;
};

/*
 * Parses all arguments that are left as pairs of a keyword and a value: values[i] is the value of
 * keywords[i], or NULL.
 * Return: false after printing a message.
 */
bool parse_keywords(const struct command *command, char **args, const char *const *keywords,
		   const char **values);

/*
 * Parses pairs as parse_keywords() does, and keywords without a value: for those from
 * @keywords->pairs on, values[i] is the keyword itself.
 */
bool parse_keywords_and_flags(const struct command *command, char **args,
			      const struct keywords *keywords, const char **values);

/* Checks that no argument is left. Return: false after printing a message. */
bool parse_end(const struct command *command, char **args);

/* Prints a usage error and the command's usage. Return: the exit status of a wrong call. */
__attribute__((format(printf, 2, 3)))
int usage_error(const struct command *command, const char *format, ...);

#endif
