/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Parses the command line: hcactl NOUN COMMAND ARGUMENT...
 *
 * Nouns, commands and keywords may be abbreviated to an unambiguous prefix. If an argument is
 * wrong, a message names the argument and the valid ones, and the exit status is STATUS_USAGE.
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
	uint16_t port; /* 0: the option is not given */
	bool control;
	bool watch;
};

struct setup;

struct command {
	const char *name; /* name of the command; NULL at the end of a table */
	const char *alias; /* another name, or NULL */
	const char *path; /* noun and name, as in "device add" */
	const char *arguments; /* text of the arguments, as in "NAME [ports N]" */
	const char *help; /* description of the command, which may have several lines */
	bool dry_run; /* the command supports options->dry_run */
	bool table; /* the command supports options->table and options->details */
	bool serves; /* the command supports options->port and options->control */
	bool watch; /* the command supports options->watch */
	int misuse; /* exit status if the arguments are wrong; 0: STATUS_USAGE */
	/*
	 * enum hca_nl_type of a device, or index into resources[] of resource.h; for run() and
	 * plan()
	 */
	int kind;
	/* Runs the command. Return: the exit status. */
	int (*run)(const struct command *command, char **args, const struct options *options);
	/*
	 * Adds the objects that the command would create to @setup. NULL: the command is not
	 * allowed in a file.
	 */
	int (*plan)(const struct command *command, char **args, struct setup *setup);
};

struct noun {
	const char *name;
	/* commands of the noun; NULL: the noun itself is a command */
	const struct command *commands;
	/* the command that runs if only the noun is given */
	const struct command *alone;
	const char *alias; /* another name, or NULL */
};

/*
 * Finds the command that @args names, and runs it. With options->help, describes the command
 * instead. @nouns ends with NULL. Return: the exit status.
 */
int grammar_run(const struct noun *const *nouns, char **args, const struct options *options);

/*
 * Finds the command that a line of a file names, and calls its plan() with @setup. Return: the exit
 * status.
 */
int grammar_plan(const struct noun *const *nouns, char **args, struct setup *setup);

/* Functions that commands call to parse their arguments */

/*
 * Parses a required argument. @what is the name of the argument in messages. Return: the argument;
 * NULL after printing a message if it is missing.
 */
const char *parse_argument(const struct command *command, char ***args, const char *what);

/* Parses an optional argument. Return: the argument; NULL if it is missing. */
const char *parse_optional_argument(char ***args);

/* The keywords of a command */
struct keywords {
	const char *const *names; /* names of the keywords; ends with NULL */
	int pairs; /* number of keywords with a value; they precede the keywords without a value */
	/* former name of names[renamed], or NULL; it is accepted, but not listed in messages */
	const char *earlier_name;
	int renamed;
};

/*
 * Parses all remaining arguments, which are pairs of a keyword and a value. values[i] is set to the
 * value of keywords[i], or to NULL if that keyword is not given. Return: false after printing a
 * message.
 */
bool parse_keywords(const struct command *command, char **args, const char *const *keywords,
		   const char **values);

/*
 * Parses all remaining arguments, which are keywords with their values. values[i] is set to the
 * value of keywords->names[i], or to NULL if that keyword is not given. For a keyword without a
 * value (from keywords->pairs on), values[i] is set to the keyword itself. Return: false after
 * printing a message.
 */
bool parse_keywords_and_flags(const struct command *command, char **args,
			      const struct keywords *keywords, const char **values);

/*
 * Parses an argument that is one of @names, which end with NULL, or an unambiguous prefix of one.
 * Return: its index; a negative number after printing a message.
 */
int parse_choice(const struct command *command, const char *argument, const char *const *names);

/* Checks that there are no more arguments. Return: false after printing a message. */
bool parse_end(const struct command *command, char **args);

/*
 * Prints a message about wrong usage, and the command's usage. Return: the exit status for wrong
 * arguments.
 */
__attribute__((format(printf, 2, 3)))
int usage_error(const struct command *command, const char *format, ...);

#endif
