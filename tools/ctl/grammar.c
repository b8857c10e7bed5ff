// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The grammar of the command line. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grammar.h"
#include "say.h"

#define MAX_CHOICES 16

static const char options_help[] =
	"Options, anywhere on the line:\n"
	"  -j, --json     print JSON\n"
	"  -p, --pretty   print JSON indented\n"
	"  -h, --help     tell about what precedes\n"
	"  -V, --version  print hcactl's version\n";

__attribute__((noreturn, format(printf, 2, 3)))
static void complain(const char *where, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "hcactl: %s%s", where, *where ? ": " : "");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(STATUS_USAGE);
}

/* A word that may stand somewhere. Two may mean the same: then one is an alias. */
struct choice {
	const char *name;
	int meaning;
	bool alias;
};

static void add_choice(struct choice *choices, int *count, const char *name, int meaning)
{
	choices[(*count)++] = (struct choice){ .name = name, .meaning = meaning };
}

static void add_alias(struct choice *choices, int *count, const char *name, int meaning)
{
	if (name)
		choices[(*count)++] = (struct choice){ name, meaning, .alias = true };
}

/* "a, b, c" of those that begin with @prefix; aliases only if asked for by a prefix. */
static const char *list_choices(const struct choice *choices, int count, const char *prefix)
{
	static char list[512];
	size_t used = 0;
	int i;

	list[0] = '\0';
	for (i = 0; i < count; i++)
		if (!strncmp(choices[i].name, prefix, strlen(prefix)) &&
		    (*prefix || !choices[i].alias))
			used += snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "",
					 choices[i].name);
	return list;
}

/* What @word means: a whole name, or the beginning of names that all mean the same. */
static int choose(const char *where, const char *word, const struct choice *choices, int count)
{
	bool found = false, ambiguous = false;
	int i, meaning = -1;

	for (i = 0; i < count; i++) {
		if (!strcmp(choices[i].name, word))
			return choices[i].meaning;
		if (!*word || strncmp(choices[i].name, word, strlen(word)))
			continue;
		ambiguous |= found && choices[i].meaning != meaning;
		found = true;
		meaning = choices[i].meaning;
	}
	if (ambiguous)
		complain(where, "'%s' is ambiguous: %s", word, list_choices(choices, count, word));
	if (!found)
		complain(where, "'%s' is none of: %s", word, list_choices(choices, count, ""));
	return meaning;
}

enum { MEANS_HELP = -2 };

static const struct noun *choose_noun(const struct noun *const *nouns, const char *word)
{
	struct choice choices[MAX_CHOICES];
	int i, meaning, count = 0;

	for (i = 0; nouns[i]; i++)
		add_choice(choices, &count, nouns[i]->name, i);
	add_choice(choices, &count, "help", MEANS_HELP);
	meaning = choose("", word, choices, count);
	return meaning == MEANS_HELP ? NULL : nouns[meaning];
}

static const struct command *choose_command(const struct noun *noun, const char *word)
{
	struct choice choices[MAX_CHOICES];
	int i, meaning, count = 0;

	for (i = 0; noun->commands[i].name; i++) {
		add_choice(choices, &count, noun->commands[i].name, i);
		add_alias(choices, &count, noun->commands[i].alias, i);
	}
	add_choice(choices, &count, "help", MEANS_HELP);
	meaning = choose(noun->name, word, choices, count);
	return meaning == MEANS_HELP ? NULL : &noun->commands[meaning];
}

static void print_usage(FILE *file, const char *before, const struct command *command)
{
	fprintf(file, "%shcactl %s%s%s\n", before, command->path, *command->arguments ? " " : "",
		command->arguments);
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

/* @args: what to tell about; more words than that are of no interest. */
static int help(const struct noun *const *nouns, char **args)
{
	const struct command *command;
	const struct noun *noun = NULL;

	while (*args && !noun)
		noun = choose_noun(nouns, *args++);
	if (!noun)
		return help_top(nouns);
	if (!*args || !noun->commands)
		return help_noun(noun);
	command = choose_command(noun, *args);
	return command ? help_command(command) : help_noun(noun);
}

int grammar_run(const struct noun *const *nouns, char **args, const struct options *options)
{
	const struct command *command;
	const struct noun *noun;

	if (options->help)
		return help(nouns, args);
	if (!*args)
		complain("", "what to do? 'hcactl help' tells what can be done");

	noun = choose_noun(nouns, args[0]);
	if (!noun)
		return help(nouns, args + 1);
	if (!noun->commands || !args[1])
		return noun->alone->run(noun->alone, args + 1, options);

	command = choose_command(noun, args[1]);
	if (!command)
		return help_noun(noun);
	return command->run(command, args + 2, options);
}

void usage_error(const struct command *command, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "hcactl: %s: ", command->path);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	print_usage(stderr, "\nusage: ", command);
	exit(STATUS_USAGE);
}

const char *take_optional_word(char ***args)
{
	return **args ? *(*args)++ : NULL;
}

const char *take_word(const struct command *command, char ***args, const char *what)
{
	const char *word = take_optional_word(args);

	if (!word)
		usage_error(command, "%s is missing", what);
	return word;
}

void take_keywords(const struct command *command, char **args, const char *const *keywords,
		   const char **values)
{
	struct choice choices[MAX_CHOICES];
	int i, count = 0;

	for (i = 0; keywords[i]; i++) {
		add_choice(choices, &count, keywords[i], i);
		values[i] = NULL;
	}
	while (*args) {
		i = choose(command->path, *args++, choices, count);
		if (values[i])
			usage_error(command, "'%s' is given twice", keywords[i]);
		if (!*args)
			usage_error(command, "the value of '%s' is missing", keywords[i]);
		values[i] = *args++;
	}
}

void take_end(const struct command *command, char **args)
{
	if (*args)
		usage_error(command, "'%s' is one word too many", *args);
}
