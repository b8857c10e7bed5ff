/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Parses the command line: hcactl NOUN COMMAND ARGUMENT...
 * Nouns, commands and keywords may be abbreviated to any unambiguous prefix. The message of a usage
 * error has the wrong argument and the arguments that would be right. The exit status is
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
	const char *path; /* noun and name, as in "device add" */
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
	 * Adds the objects of the command to @setup instead of creating them. NULL: the command is
	 * not allowed in a file.
	 */
	int (*plan)(const struct command *command, char **args, struct setup *setup);
};

struct noun {
	const char *name;
	const struct command *commands; /* NULL: the noun itself is a command */
	/* the command that runs if the command line names only the noun */
	const struct command *alone;
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

/* Functions by which commands parse their arguments. */

/*
 * Parses a required argument. @what is its name in the usage.
 * Return: the argument; NULL after printing a message if it is missing.
 */
const char *parse_argument(const struct command *command, char ***args, const char *what);

/* Parses an optional argument. Return: the argument; NULL if it is missing. */
const char *parse_optional_argument(char ***args);

/* The keywords that a command takes. */
struct keywords {
	const char *const *names; /* ends with NULL */
	int pairs; /* number of keywords with a value; the later ones have none */
	/* a former name of names[renamed], which is accepted but not listed; or NULL */
	const char *earlier_name;
	int renamed;
};

/*
 * Parses all remaining arguments as pairs of a keyword and a value: values[i] is the value of
 * keywords[i], or NULL if that keyword is not given.
 * Return: false after printing a message.
 */
bool parse_keywords(const struct command *command, char **args, const char *const *keywords,
		   const char **values);

/*
 * Parses all remaining arguments as parse_keywords() does. Keywords from @keywords->pairs on have
 * no value; for them, values[i] is the keyword itself.
 * Return: false after printing a message.
 */
bool parse_keywords_and_flags(const struct command *command, char **args,
			      const struct keywords *keywords, const char **values);

/* Checks that there are no more arguments. Return: false after printing a message. */
bool parse_end(const struct command *command, char **args);

/* Prints a usage error and the command's usage. Return: the exit status of a wrong call. */
__attribute__((format(printf, 2, 3)))
int usage_error(const struct command *command, const char *format, ...);

#endif
