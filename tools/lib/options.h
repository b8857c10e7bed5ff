/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parses options of a command line by a table, with getopt_long(). */
#ifndef HCA_TOOLS_OPTIONS_H
#define HCA_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum option_kind - kinds of options
 * @OPTION_HELP: prints help and ends the program
 * @OPTION_VERSION: prints the name and version of the program, and ends the program
 * @OPTION_FLAG: sets a bool
 * @OPTION_TEXT: has a value, to which a const char * is set
 * @OPTION_NUMBER: has a value, to which an unsigned integer of 1, 2, 4 or 8 octets is set
 * @OPTION_PARSED: has a value, which a function parses
 */
enum option_kind {
	OPTION_HELP,
	OPTION_VERSION,
	OPTION_FLAG,
	OPTION_TEXT,
	OPTION_NUMBER,
	OPTION_PARSED,
};

/**
 * struct option_spec - one option of a program
 * @name: long name of the option; NULL at the end of a table
 * @letter: short name of the option, or 0
 * @kind: kind of the option
 * @offset: offset of the member that the option sets in the program's structure of options
 * @size: octets of that member
 * @min: smallest valid number
 * @max: largest valid number
 * @base: base of a number: 10; or 0: the syntax of C
 * @parse: for OPTION_PARSED: function that sets members of @options, and ends the program by
 *         die_usage() if @value is wrong
 * @is_optional: for OPTION_PARSED without a letter: the value is optional, and NULL if missing
 * @help: for OPTION_HELP: function that prints the help on standard output
 */
struct option_spec {
	const char *name;
	char letter;
	enum option_kind kind;
	size_t offset, size;
	uint64_t min, max;
	int base;
	void (*parse)(void *options, const char *value);
	bool is_optional;
	void (*help)(void);
};

/* The fields of a row behind the letter. @member is a member of the program's struct options. */
#define OPTION_IS_HELP(function) .kind = OPTION_HELP, .help = function
#define OPTION_IS_VERSION .kind = OPTION_VERSION
#define OPTION_IS_FLAG(member) .kind = OPTION_FLAG, OPTION_SETS(member)
#define OPTION_IS_TEXT(member) .kind = OPTION_TEXT, OPTION_SETS(member)
#define OPTION_IS_NUMBER(member, least, most) \
	.kind = OPTION_NUMBER, OPTION_SETS(member), .min = least, .max = most
#define OPTION_IS_PARSED(function) .kind = OPTION_PARSED, .parse = function

#define OPTION_SETS(member) \
	.offset = offsetof(struct options, member), \
	.size = sizeof(((struct options *)NULL)->member)

/**
 * options_read() - parse the options of a command line
 * @specs: table of all options
 * @argc: argument of main()
 * @argv: argument of main(); words that are not options move to its end
 * @options: the program's structure of options, which has the defaults
 *
 * A wrong command line ends the program.
 * Return: the index of the first word that is not an option.
 */
int options_read(const struct option_spec *specs, int argc, char **argv, void *options);

/**
 * options_read_before_command() - options_read() for a program that runs another one
 * @specs: table of all options
 * @argc: argument of main()
 * @argv: argument of main(); its order does not change
 * @options: the program's structure of options, which has the defaults
 *
 * The first word that is not an option is the other program, which its own options follow.
 * Return: the index of that word.
 */
int options_read_before_command(const struct option_spec *specs, int argc, char **argv,
				void *options);

#endif
