// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses the options of a command line with getopt_long(), by a table of options. */
#include "tools/lib/options.h"
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/lib/message.h"
#include "tools/lib/number.h"
#include "tools/lib/similar.h"

#define MAX_OPTIONS 24
/*
 * Value that getopt_long() returns for the first option of a table. It is greater than any letter.
 */
#define FIRST_INDEX 256

/* A table of options in the format of getopt_long() */
struct getopt_table {
	struct option options[MAX_OPTIONS + 1];
	char letters[2 * MAX_OPTIONS + 3];
};

static bool has_value(const struct option_spec *spec)
{
	return spec->kind >= OPTION_TEXT;
}

static int argument_of(const struct option_spec *spec)
{
	if (spec->is_optional)
		return optional_argument;
	return has_value(spec) ? required_argument : no_argument;
}

/*
 * Makes a table for getopt_long(). @order is "+" if the first word that is not an option ends the
 * options, and otherwise "".
 */
static void make_table(const struct option_spec *specs, struct getopt_table *table,
		       const char *order)
{
	char *letter;
	int i;

	*table = (struct getopt_table){};
	letter = stpcpy(table->letters, order);
	/*
	 * The ':' before the letters makes getopt_long() return ':' for a missing value and '?' for
	 * an unknown option.
	 */
	*letter++ = ':';
	for (i = 0; specs[i].name && i < MAX_OPTIONS; i++) {
		table->options[i] = (struct option){ specs[i].name, argument_of(&specs[i]), NULL,
						     FIRST_INDEX + i };
		if (!specs[i].letter)
			continue;
		*letter++ = specs[i].letter;
		if (has_value(&specs[i]))
			*letter++ = ':';
	}
}

__attribute__((noreturn)) static void end_well(void)
{
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %m");
	exit(EXIT_SUCCESS);
}

/*
 * Prints the names of all options, and the name that is most similar to the mistyped option @arg.
 */
static void list_options(const struct option_spec *specs, const char *arg)
{
	char name[SIMILAR_MAX + 2] = "";
	struct similar similar = { .typed = name };
	const char *separator = "; there are --";

	/*
	 * The option is compared without its value. A name that does not fit into the array is cut
	 * off. This does not matter, because such a name cannot be similar to an option.
	 */
	strncpy(name, arg, sizeof(name) - 1);
	name[strcspn(name, "=")] = '\0';
	for (; specs->name; specs++, separator = ", --") {
		fprintf(stderr, "%s%s", separator, specs->name);
		similar_offer(&similar, specs->name);
	}
	if (similar.best)
		fprintf(stderr, "; did you mean --%s?", similar.best);
}

/*
 * Reports a wrong option, and ends the program. @found is the value that getopt_long() has
 * returned, and @arg is the wrong argument.
 */
__attribute__((noreturn)) static void refuse(const struct option_spec *specs, int found,
					     const char *arg)
{
	const char letter[] = { '-', optopt, '\0' };
	bool is_letter = optopt && optopt < FIRST_INDEX && strncmp(arg, "--", 2);

	message_begin();
	/*
	 * An argument may consist of several letters. Only the wrong one, which getopt_long() has
	 * stored in optopt, is printed.
	 */
	fprintf(stderr, "'%s': %s", is_letter ? letter : arg,
		found == ':'	      ? "needs a value" :
		optopt >= FIRST_INDEX ? "takes no value" :
					"no such option");
	if (found != ':')
		list_options(specs, strncmp(arg, "--", 2) || optopt ? "" : arg + 2);
	fputc('\n', stderr);
	exit(program.misuse);
}

static void set_number(const struct option_spec *spec, void *to, const char *text)
{
	uint64_t number;

	if (!number_parse_range(text, spec->base, spec->min, spec->max, &number))
		die_usage("--%s '%s' is not a number from %" PRIu64 " to %" PRIu64, spec->name,
			  text, spec->min, spec->max);
	switch (spec->size) {
	case sizeof(uint8_t):
		*(uint8_t *)to = number;
		break;
	case sizeof(uint16_t):
		*(uint16_t *)to = number;
		break;
	case sizeof(uint32_t):
		*(uint32_t *)to = number;
		break;
	default:
		*(uint64_t *)to = number;
	}
}

static void option_apply(const struct option_spec *spec, void *options, const char *value)
{
	void *to = (char *)options + spec->offset;

	switch (spec->kind) {
	case OPTION_HELP:
		spec->help();
		end_well();
	case OPTION_VERSION:
		printf("%s " PACKAGE_VERSION "\n", program.name);
		end_well();
	case OPTION_FLAG:
		*(bool *)to = true;
		break;
	case OPTION_TEXT:
		*(const char **)to = value;
		break;
	case OPTION_NUMBER:
		set_number(spec, to, value);
		break;
	case OPTION_PARSED:
		spec->parse(options, value);
		break;
	}
}

static const struct option_spec *spec_of(const struct option_spec *specs, int found)
{
	if (found >= FIRST_INDEX)
		return specs + found - FIRST_INDEX;
	while (specs->name && specs->letter != found)
		specs++;
	return specs->name ? specs : NULL;
}

static int options_parse(const struct option_spec *specs, int argc, char **argv, void *options,
			 const char *order)
{
	const struct option_spec *spec;
	struct getopt_table table;
	int found;

	make_table(specs, &table, order);
	opterr = 0;
	while ((found = getopt_long(argc, argv, table.letters, table.options, NULL)) != -1) {
		spec = spec_of(specs, found);
		if (!spec)
			refuse(specs, found, argv[optind - 1]);
		option_apply(spec, options, optarg);
	}
	return optind;
}

int options_read(const struct option_spec *specs, int argc, char **argv, void *options)
{
	return options_parse(specs, argc, argv, options, "");
}

int options_read_before_command(const struct option_spec *specs, int argc, char **argv,
				void *options)
{
	return options_parse(specs, argc, argv, options, "+");
}
