/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parses options of a command line by a table, with getopt_long(). */
#ifndef HCA_TOOLS_OPTIONS_H
#define HCA_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum option_kind - what an option is
 * @OPTION_HELP: prints help and ends the program
 * @OPTION_VERSION: prints the name and version of the program and ends it
 * @OPTION_FLAG: sets a bool
 * @OPTION_TEXT: has a value; sets a const char * to it
 * @OPTION_NUMBER: has a value; sets an unsigned integer of 1, 2, 4 or 8 octets to it
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
 * @name: its long name; NULL is the end of a table
 * @letter: its short name, or 0
 * @kind: what it is
 * @offset: of what it sets in the program's structure of options
 * @size: octets of that
 * @min: the least number
 * @max: the largest number
 * @base: of a number: 10; or 0: as in C
 * @parse: of OPTION_PARSED: sets what there is to set in @options; ends the program by
 *         die_usage() if @value is wrong
 * @is_optional: of OPTION_PARSED without a letter: the value may be left out, and is NULL then
 * @help: of OPTION_HELP: prints the help on standard output
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

/* The fields of a row behind the letter. @member is one of the program's struct options. */
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
 * options_read() - set what a command line asks for
 * @specs: all options there are
 * @argc: as of main()
 * @argv: as of main(); words that are no options move to its end
 * @options: the program's structure of options, with all that is set by default
 *
 * A command line that is wrong ends the program.
 * Return: the index of the first word that is no option.
 */
int options_read(const struct option_spec *specs, int argc, char **argv, void *options);

/**
 * options_read_before_command() - options_read() of a program that runs another one
 * @specs: all options there are
 * @argc: as of main()
 * @argv: as of main(); its order stays
 * @options: the program's structure of options, with all that is set by default
 *
 * The first word that is no option is the other program, whose options are behind it.
 * Return: the index of that word.
 */
int options_read_before_command(const struct option_spec *specs, int argc, char **argv,
				void *options);

#endif
