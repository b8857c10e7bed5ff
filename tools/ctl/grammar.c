// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses the command line. */
#include "tools/ctl/grammar.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "tools/ctl/place.h"
#include "tools/ctl/status.h"
#include "tools/ctl/usage.h"
#include "tools/lib/append.h"
#include "tools/lib/message.h"
#include "tools/lib/similar.h"

#define MAX_CHOICES 24 /* maximum number of names at one place, aliases and help included */

static const char options_help[] =
	"Options, anywhere on the line:\n"
	"  -j, --json     print JSON\n"
	"  -p, --pretty   print JSON indented\n"
	"  -n, --dry-run  of restore, clear, topology load: print what would be done, and\n"
	"                 do nothing\n"
	"  -t, --table    of show, link show: print a table, a line for each port, as on\n"
	"                 a terminal; of qp show and its like, also of a single object\n"
	"  -d, --details  of show, link show: print all, as where there is no terminal;\n"
	"                 of qp show and its like, also of several objects\n"
	"  -w, --watch    of drops show: show what is dropped until it is interrupted\n"
	"      --port N   of serve: listen at this TCP port; 8791 if not given\n"
	"      --control  of serve: let the page change links and capture packets\n"
	"  -h, --help     describe what precedes\n"
	"  -V, --version  print hcactl's version\n";

__attribute__((format(printf, 2, 3)))
static int grammar_complain(const char *where, const char *format, ...)
{
	va_list args;

	message_begin();
	fprintf(stderr, "%s%s", where, *where ? ": " : "");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return STATUS_USAGE;
}

/*
 * A name that is valid at one place of the command line. Names with the same meaning are aliases.
 */
struct choice {
	const char *name;
	int meaning;
	bool hidden; /* the name is listed only if the user has typed a prefix of it */
};

static void add_choice(struct choice *choices, int *count, const char *name, int meaning,
		       bool hidden)
{
	if (!name)
		return;
	assert(*count < MAX_CHOICES);
	choices[(*count)++] = (struct choice){ name, meaning, hidden };
}

/*
 * Returns a list of the choices that begin with @prefix, as in "a, b, c". Hidden choices are listed
 * only if @prefix is not empty.
 */
static const char *list_choices(const struct choice *choices, int count, const char *prefix)
{
	static char list[512];
	size_t used = 0;
	int i;

	list[0] = '\0';
	for (i = 0; i < count && used < sizeof(list); i++)
		if (!strncmp(choices[i].name, prefix, strlen(prefix)) &&
		    (*prefix || !choices[i].hidden))
			used = text_append(list, sizeof(list), used, "%s%s", used ? ", " : "",
					   choices[i].name);
	return list;
}

enum { MEANS_NOTHING = -1, MEANS_HELP = -2 };

/* Reports that an argument is not one of the choices. */
static void grammar_refuse(const char *where, const char *argument, const struct choice *choices,
			   int count)
{
	struct similar similar = { .typed = argument };
	int i;

	for (i = 0; i < count; i++)
		if (!choices[i].hidden)
			similar_offer(&similar, choices[i].name);
	grammar_complain(where, "'%s' is none of: %s%s%s%s", argument,
			 list_choices(choices, count, ""),
			 similar.best ? "; did you mean " : "", similar.best ?: "",
			 similar.best ? "?" : "");
}

/*
 * Returns the meaning of an argument. The argument is a whole name or an unambiguous prefix of one.
 * A prefix of several names is unambiguous if they are aliases. Return: the meaning; MEANS_NOTHING
 * after printing a message.
 */
static int grammar_choose(const char *where, const char *argument, const struct choice *choices,
			  int count)
{
	bool found = false, ambiguous = false;
	int i, meaning = MEANS_NOTHING;

	for (i = 0; i < count; i++) {
		if (!strcmp(choices[i].name, argument))
			return choices[i].meaning;
		if (!*argument || strncmp(choices[i].name, argument, strlen(argument)))
			continue;
		ambiguous |= found && choices[i].meaning != meaning;
		found = true;
		meaning = choices[i].meaning;
	}
	if (ambiguous)
		grammar_complain(where, "'%s' is ambiguous: %s", argument,
				 list_choices(choices, count, argument));
	else if (!found)
		grammar_refuse(where, argument, choices, count);
	return ambiguous ? MEANS_NOTHING : meaning;
}

/* Returns whether a file that hca.conf(5) describes may contain a command with this noun. */
static bool has_plan(const struct noun *noun)
{
	const struct command *command;

	for (command = noun->commands; command && command->name; command++)
		if (command->plan)
			return true;
	return false;
}

/*
 * Finds the noun that an argument names. If the argument requests help, *noun is set to NULL.
 * Return: false after printing a message.
 */
static bool choose_noun(const struct noun *const *nouns, const char *argument, bool in_file,
			const struct noun **noun)
{
	struct choice choices[MAX_CHOICES];
	int i, meaning, count = 0;

	for (i = 0; nouns[i]; i++) {
		add_choice(choices, &count, nouns[i]->name, i, in_file && !has_plan(nouns[i]));
		add_choice(choices, &count, nouns[i]->alias, i, true);
	}
	add_choice(choices, &count, "help", MEANS_HELP, in_file);
	meaning = grammar_choose("", argument, choices, count);
	*noun = meaning >= 0 ? nouns[meaning] : NULL;
	return meaning != MEANS_NOTHING;
}

/*
 * Finds the command that an argument names among the commands of @noun. If the argument requests
 * help, *command is set to NULL. Return: false after printing a message.
 */
static bool choose_command(const struct noun *noun, const char *argument, bool in_file,
			   const struct command **command)
{
	const struct command *commands = noun->commands;
	struct choice choices[MAX_CHOICES];
	int i, meaning, count = 0;

	for (i = 0; commands[i].name; i++) {
		add_choice(choices, &count, commands[i].name, i, in_file && !commands[i].plan);
		add_choice(choices, &count, commands[i].alias, i, true);
	}
	add_choice(choices, &count, "help", MEANS_HELP, in_file);
	meaning = grammar_choose(noun->name, argument, choices, count);
	*command = meaning >= 0 ? &commands[meaning] : NULL;
	return meaning != MEANS_NOTHING;
}

static void print_usages(const struct noun *noun)
{
	const struct command *command;

	if (!noun->commands)
		print_usage(stdout, "       ", noun->alone);
	else
		for (command = noun->commands; command->name; command++)
			print_usage(stdout, "       ", command);
}

static int help_top(const struct noun *const *nouns)
{
	puts("usage: hcactl [OPTION...] NOUN [COMMAND] [ARGUMENT...]");
	for (; *nouns; nouns++)
		print_usages(*nouns);
	printf("       hcactl help [NOUN [COMMAND]]\n\n%s", options_help);
	return 0;
}

static int help_command(const struct command *command)
{
	print_usage(stdout, "usage: ", command);
	printf("\n%s\n%s", command->help, options_help);
	return 0;
}

static int help_noun(const struct noun *noun)
{
	const struct command *command;

	if (!noun->commands)
		return help_command(noun->alone);
	for (command = noun->commands; command->name; command++) {
		print_usage(stdout, "usage: ", command);
		printf("\n%s\n", command->help);
	}
	fputs(options_help, stdout);
	return 0;
}

/* Prints help on the noun, or on the command, that @args names. Further arguments are ignored. */
static int grammar_help(const struct noun *const *nouns, char **args)
{
	const struct command *command;
	const struct noun *noun = NULL;

	while (*args && !noun)
		if (!choose_noun(nouns, *args++, false, &noun))
			return STATUS_USAGE;
	if (!noun)
		return help_top(nouns);
	if (!*args || !noun->commands)
		return help_noun(noun);
	if (!choose_command(noun, *args, false, &command))
		return STATUS_USAGE;
	return command ? help_command(command) : help_noun(noun);
}

/*
 * Finds the command that the first arguments name, and advances *args past them. If the arguments
 * request help, *command is set to NULL, and the help is about *noun. If *noun is NULL, too, the
 * remaining arguments name the subject of the help. Return: false after printing a message.
 */
static bool grammar_find(const struct noun *const *nouns, char ***args, bool in_file,
			 const struct noun **noun, const struct command **command)
{
	*command = NULL;
	if (!choose_noun(nouns, *(*args)++, in_file, noun))
		return false;
	if (!*noun)
		return true;
	if ((*noun)->commands && **args)
		return choose_command(*noun, *(*args)++, in_file, command);
	*command = (*noun)->alone;
	return true;
}

/* Checks that the options are valid for the command. Return: 0, or an exit status. */
static int check_options(const struct command *command, const struct options *options)
{
	if (options->dry_run && !command->dry_run)
		return usage_error(command, "--dry-run is for restore, clear and topology load");
	if ((options->table || options->details) && !command->table)
		return usage_error(command, "--table and --details are for show, link show, qp show "
				   "and their like");
	if (options->table && options->details)
		return usage_error(command, "--table and --details exclude each other");
	if ((options->port || options->control) && !command->serves)
		return usage_error(command, "--port and --control are for serve");
	if (options->watch && !command->watch)
		return usage_error(command, "--watch is for drops show");
	return 0;
}

int grammar_run(const struct noun *const *nouns, char **args, const struct options *options)
{
	const struct command *command;
	const struct noun *noun;

	if (options->help)
		return grammar_help(nouns, args);
	if (!*args)
		return grammar_complain("", "what to do? 'hcactl help' tells what can be done");
	if (!grammar_find(nouns, &args, false, &noun, &command))
		return STATUS_USAGE;
	if (!command)
		return noun ? help_noun(noun) : grammar_help(nouns, args);
	return check_options(command, options) ?: command->run(command, args, options);
}

int grammar_plan(const struct noun *const *nouns, char **args, struct setup *setup)
{
	const struct command *command;
	const struct noun *noun;

	if (!grammar_find(nouns, &args, true, &noun, &command))
		return STATUS_USAGE;
	if (!command || !command->plan)
		return grammar_complain("",
					"'%s': only 'device add', 'switch add', 'tca add', 'rnic set', "
					"'link add' and 'link set' may stand in a file",
					command ? command->path : "help");
	return command->plan(command, args, setup);
}

int usage_error(const struct command *command, const char *format, ...)
{
	va_list args;

	message_begin();
	fprintf(stderr, "%s: ", command->path);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	/* A message about a file is one line, so it does not contain the usage. */
	if (!has_place())
		print_usage(stderr, "usage: ", command);
	return command->misuse ?: STATUS_USAGE;
}

const char *parse_optional_argument(char ***args)
{
	return **args ? *(*args)++ : NULL;
}

const char *parse_argument(const struct command *command, char ***args, const char *what)
{
	const char *argument = parse_optional_argument(args);

	if (!argument)
		usage_error(command, "%s is missing", what);
	return argument;
}

static int choose_keyword(const struct command *command, const char *argument,
			  const struct keywords *keywords)
{
	struct choice choices[MAX_CHOICES];
	int i, count = 0;

	if (keywords->earlier_name && !strcmp(argument, keywords->earlier_name))
		return keywords->renamed;
	for (i = 0; keywords->names[i]; i++)
		add_choice(choices, &count, keywords->names[i], i, false);
	return grammar_choose(command->path, argument, choices, count);
}

int parse_choice(const struct command *command, const char *argument, const char *const *names)
{
	const struct keywords keywords = { .names = names };

	return choose_keyword(command, argument, &keywords);
}

static bool parse_keyword(const struct command *command, char ***args,
			  const struct keywords *keywords, const char **values)
{
	const char *argument = *(*args)++;
	int i = choose_keyword(command, argument, keywords);

	if (i == MEANS_NOTHING)
		return false;
	if (values[i]) {
		usage_error(command, "'%s' is given twice", keywords->names[i]);
		return false;
	}
	values[i] = i < keywords->pairs ? parse_optional_argument(args) : argument;
	if (!values[i])
		usage_error(command, "the value of '%s' is missing", keywords->names[i]);
	return values[i];
}

bool parse_keywords_and_flags(const struct command *command, char **args,
			      const struct keywords *keywords, const char **values)
{
	int i;

	for (i = 0; keywords->names[i]; i++)
		values[i] = NULL;
	while (*args)
		if (!parse_keyword(command, &args, keywords, values))
			return false;
	return true;
}

bool parse_keywords(const struct command *command, char **args, const char *const *keywords,
		    const char **values)
{
	const struct keywords syntax = { .names = keywords, .pairs = MAX_CHOICES };

	return parse_keywords_and_flags(command, args, &syntax, values);
}

bool parse_end(const struct command *command, char **args)
{
	if (*args)
		usage_error(command, "'%s' is one word too many", *args);
	return !*args;
}
