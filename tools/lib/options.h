/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parses the options of a command line with getopt_long(), by a table of options. */
#ifndef HCA_TOOLS_OPTIONS_H
#define HCA_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum option_kind - kinds of options
 * @OPTION_HELP: prints help, and ends the program
 * @OPTION_VERSION: prints the name and version of the program, and ends the program
 * @OPTION_FLAG: sets a member of type bool to true
 * @OPTION_TEXT: sets a member of type const char * to its value
 * @OPTION_NUMBER: sets an unsigned member of 1, 2, 4 or 8 octets to its value
 * @OPTION_PARSED: has a value that a function parses
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
 * @offset: offset of the member that the option sets, in the program's structure of options
 * @size: size of that member in octets
 * @min: for OPTION_NUMBER: smallest valid number
 * @max: for OPTION_NUMBER: largest valid number
 * @base: for OPTION_NUMBER: 10; or 0 for numbers in the syntax of C, such as 0x1f
 * @parse: for OPTION_PARSED: function that sets members of @options, and ends the program by
 *         die_usage() if @value is wrong
 * @is_optional: for OPTION_PARSED without a letter: the value may be omitted; @parse then gets NULL
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

/*
 * Macros for the members of struct option_spec after @letter. @member is the member of the
 * program's struct options that the option sets.
 */
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
 * @argv: argument of main(); words that are not options are moved to its end
 * @options: the program's structure of options, which contains the default values
 *
 * If the command line is wrong, the program ends with a message.
 *
 * Return: the index of the first word that is not an option.
 */
int options_read(const struct option_spec *specs, int argc, char **argv, void *options);

/**
 * options_read_before_command() - parse the options of a program that runs another command
 * @specs: table of all options
 * @argc: argument of main()
 * @argv: argument of main(), whose order does not change
 * @options: the program's structure of options, which contains the default values
 *
 * The first word that is not an option is the command. Options after it belong to the command. If
 * the command line is wrong, the program ends with a message.
 *
 * Return: the index of the first word that is not an option.
 */
int options_read_before_command(const struct option_spec *specs, int argc, char **argv,
				void *options);

#endif
