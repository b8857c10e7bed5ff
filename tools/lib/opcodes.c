// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Converts lists of opcodes from text and to text. */
#include "tools/lib/opcodes.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/lib/memory.h"
#include "tools/lib/similar.h"
#include "wire/opcode.h"

#define NUM_OPCODES (8 * OPCODES_OCTETS)
#define TOKEN_OCTETS 48 /* size of a token with the final 0; each name of an opcode fits */
#define MAX_NEAREST 3

/* --- names --------------------------------------------------------------------------------- */

static char opcode_fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 'a';
	return c == ' ' ? '-' : c;
}

/* Copies the first octets of a text, as many as a token may have, in small letters and with '-'. */
static void fold_token(const char *text, size_t length, char *token)
{
	size_t i;

	for (i = 0; i < length && i < TOKEN_OCTETS - 1; i++)
		token[i] = opcode_fold(text[i]);
	token[i] = '\0';
}

/* Sets @name to the name of an opcode. Return: false if the opcode has none. */
static bool name_of(unsigned int opcode, char *name)
{
	const char *text = hca_opcodes[opcode].name;

	fold_token(text ?: "", text ? strlen(text) : 0, name);
	return text;
}

static bool opcode_begins(const char *name, const char *token, size_t length)
{
	return !strncmp(name, token, length);
}

static bool ends_part(char c)
{
	return !c || c == '-';
}

/* --- sets ---------------------------------------------------------------------------------- */

static void opcode_add(struct opcodes *opcodes, unsigned int opcode)
{
	opcodes->octets[opcode / 8] |= 1 << opcode % 8;
}

static void add_all(struct opcodes *opcodes, const struct opcodes *more)
{
	size_t i;

	for (i = 0; i < OPCODES_OCTETS; i++)
		opcodes->octets[i] |= more->octets[i];
}

static void remove_opcode(struct opcodes *opcodes, unsigned int opcode)
{
	opcodes->octets[opcode / 8] &= ~(1 << opcode % 8);
}

bool opcodes_is_empty(const struct opcodes *opcodes)
{
	static const uint8_t none[OPCODES_OCTETS];

	return !memcmp(opcodes->octets, none, sizeof(none));
}

/* --- from text ----------------------------------------------------------------------------- */

/*
 * Adds the opcode that has the name @token, or otherwise all opcodes whose names begin with it.
 * Return: whether there are any.
 */
static bool parse_name(const char *token, struct opcodes *opcodes)
{
	struct opcodes family = {};
	char name[TOKEN_OCTETS];
	unsigned int opcode;

	for (opcode = 0; opcode < NUM_OPCODES; opcode++) {
		if (!name_of(opcode, name) || !opcode_begins(name, token, strlen(token)))
			continue;
		if (!strcmp(name, token)) {
			opcode_add(opcodes, opcode);
			return true;
		}
		opcode_add(&family, opcode);
	}
	add_all(opcodes, &family);
	return !opcodes_is_empty(&family);
}

/* Parses an opcode's number, 0x and one or two digits, and advances *at past it. */
static bool parse_number(const char **at, unsigned int *number)
{
	char *end;

	if (!opcode_begins(*at, "0x", 2) || !isxdigit((unsigned char)(*at)[2]))
		return false;
	*number = strtoul(*at, &end, 16);
	if (end - *at > 4)
		return false;
	*at = end;
	return true;
}

/* Adds the opcodes whose number or range of numbers @token is. Return: false if it is neither. */
static bool parse_numbers(const char *token, struct opcodes *opcodes)
{
	unsigned int low, high;

	if (!parse_number(&token, &low))
		return false;
	high = low;
	if (*token == '-') {
		token++;
		if (!parse_number(&token, &high))
			return false;
	}
	if (*token || high < low)
		return false;
	for (; low <= high; low++)
		opcode_add(opcodes, low);
	return true;
}

static bool parse_class(const char *token, const struct opcode_class *classes,
			struct opcodes *opcodes)
{
	for (; classes && classes->name; classes++)
		if (!strcmp(classes->name, token)) {
			opcodes->classes |= classes->bit;
			return true;
		}
	return false;
}

static const char unknown[] = "is not an opcode";

/* Returns what is wrong with a token; NULL after adding what it stands for. */
static const char *parse_token(const char *text, size_t length, const struct opcode_class *classes,
			      struct opcodes *opcodes)
{
	char token[TOKEN_OCTETS];

	if (!length)
		return "an opcode is missing";
	fold_token(text, length, token);
	/* A longer token than a name can be is unknown, not cut. */
	if (length >= sizeof(token) ||
	    (!parse_class(token, classes, opcodes) && !parse_name(token, opcodes) &&
	     !parse_numbers(token, opcodes)))
		return unknown;
	if (opcodes->classes && !opcodes_is_empty(opcodes))
		return "cannot be beside the others: a list has either classes or opcodes";
	return NULL;
}

bool opcodes_parse(const char *text, size_t length, const struct opcode_class *classes,
		   struct opcodes *opcodes, struct opcodes_error *error)
{
	const char *end = text + length, *token = text, *comma, *last;

	*opcodes = (struct opcodes){};
	for (;; token = comma + 1) {
		while (token < end && *token == ' ')
			token++;
		for (comma = token; comma < end && *comma != ','; comma++)
			;
		for (last = comma; last > token && last[-1] == ' '; last--)
			;
		error->what = parse_token(token, last - token, classes, opcodes);
		if (error->what)
			break;
		if (comma == end)
			return true;
	}
	error->at = token - text;
	error->length = last - token;
	error->is_unknown = error->what == unknown;
	return false;
}

/* --- to text ------------------------------------------------------------------------------- */

/*
 * Returns whether the first @length octets of @name are a token that stands for two or more
 * opcodes, all of which are in the list.
 */
static bool is_family(const struct opcodes *opcodes, const char *name, size_t length)
{
	char other[TOKEN_OCTETS];
	unsigned int opcode, count = 0;

	for (opcode = 0; opcode < NUM_OPCODES; opcode++) {
		if (!name_of(opcode, other) || !opcode_begins(other, name, length))
			continue;
		if (!other[length] || !opcodes_has(opcodes, opcode))
			return false;
		count++;
	}
	return count >= 2;
}

/* Sets @token to the token for an opcode: the shortest one of its families, or its name. */
static void choose_token(const struct opcodes *opcodes, const char *name, char *token)
{
	size_t length;

	for (length = 1; name[length]; length++)
		if (name[length] == '-' && is_family(opcodes, name, length))
			break;
	fold_token(name, length, token);
}

/* Prints an opcode or its family, and takes what was printed out of @left. */
static void print_name(FILE *file, const struct opcodes *opcodes, const char *name,
		       struct opcodes *left)
{
	struct opcodes printed = {};
	char token[TOKEN_OCTETS];
	size_t i;

	choose_token(opcodes, name, token);
	fputs(token, file);
	parse_name(token, &printed);
	for (i = 0; i < OPCODES_OCTETS; i++)
		left->octets[i] &= ~printed.octets[i];
}

/* Prints the numbers of opcodes without a name from @opcode on, and takes them out of @left. */
static void print_numbers(FILE *file, unsigned int opcode, struct opcodes *left)
{
	unsigned int first = opcode;

	while (opcode < NUM_OPCODES && opcodes_has(left, opcode) && !hca_opcodes[opcode].name)
		remove_opcode(left, opcode++);
	fprintf(file, "0x%02x", first);
	if (opcode - first > 1)
		fprintf(file, "-0x%02x", opcode - 1);
}

char *opcodes_text(const struct opcodes *opcodes, const struct opcode_class *classes)
{
	struct opcodes left = *opcodes;
	const char *separator = "";
	char name[TOKEN_OCTETS], *text;
	unsigned int opcode;
	size_t size;
	FILE *file = need(open_memstream(&text, &size));

	for (; classes && classes->name; classes++)
		if (opcodes->classes & classes->bit) {
			fprintf(file, "%s%s", separator, classes->name);
			separator = ",";
		}
	for (opcode = 0; opcode < NUM_OPCODES; opcode++) {
		if (!opcodes_has(&left, opcode))
			continue;
		fputs(separator, file);
		separator = ",";
		if (name_of(opcode, name))
			print_name(file, opcodes, name, &left);
		else
			print_numbers(file, opcode, &left);
	}
	fclose(file);
	return need(text);
}

/* --- suggestions --------------------------------------------------------------------------- */

/* The tokens that are nearest to one that is not known */
struct nearest {
	char token[MAX_NEAREST][TOKEN_OCTETS];
	size_t count;
	unsigned int distance; /* the one that they have in common */
};

static void nearest_offer(struct nearest *nearest, const char *typed, const char *token)
{
	unsigned int distance = similar_distance(typed, token);

	if (distance == SIMILAR_MAX || (nearest->count && distance > nearest->distance))
		return;
	if (nearest->count && distance < nearest->distance)
		nearest->count = 0;
	nearest->distance = distance;
	if (nearest->count < MAX_NEAREST)
		strcpy(nearest->token[nearest->count++], token);
}

/*
 * Returns whether the first @length octets of the name of @opcode are a token that the names of
 * lower opcodes do not have.
 */
static bool is_new_token(unsigned int opcode, const char *name, size_t length)
{
	char other[TOKEN_OCTETS];

	if (!ends_part(name[length]))
		return false;
	while (opcode--)
		if (name_of(opcode, other) && opcode_begins(other, name, length) &&
		    ends_part(other[length]))
			return false;
	return true;
}

static void find_nearest(struct nearest *nearest, const char *typed,
			 const struct opcode_class *classes)
{
	char name[TOKEN_OCTETS], token[TOKEN_OCTETS];
	unsigned int opcode;
	size_t length;

	for (opcode = 0; opcode < NUM_OPCODES; opcode++) {
		name_of(opcode, name);
		for (length = 1; length <= strlen(name); length++)
			if (is_new_token(opcode, name, length)) {
				fold_token(name, length, token);
				nearest_offer(nearest, typed, token);
			}
	}
	for (; classes && classes->name; classes++)
		nearest_offer(nearest, typed, classes->name);
}

/*
 * Prints the tokens that have one part more than the first @length octets of @typed, which end
 * before a '-'. Return: whether there are any.
 */
static bool print_longer(FILE *file, const char *typed, size_t length)
{
	const char *separator = "; there are ";
	char name[TOKEN_OCTETS];
	unsigned int opcode;
	size_t end;

	for (opcode = 0; opcode < NUM_OPCODES; opcode++) {
		if (!name_of(opcode, name) || !opcode_begins(name, typed, length) ||
		    (length && name[length] != '-'))
			continue;
		for (end = length + 1; !ends_part(name[end]); end++)
			;
		if (!is_new_token(opcode, name, end))
			continue;
		fprintf(file, "%s%.*s", separator, (int)end, name);
		separator = ", ";
	}
	return !strcmp(separator, ", ");
}

static void print_nearest(FILE *file, const struct nearest *nearest)
{
	size_t i;

	for (i = 0; i < nearest->count; i++)
		fprintf(file, "%s%s",
			!i ? "; did you mean " : i + 1 < nearest->count ? ", " : " or ",
			nearest->token[i]);
	fputc('?', file);
}

static void print_suggestion(FILE *file, const char *typed, const struct opcode_class *classes)
{
	struct nearest nearest = {};
	size_t end;

	find_nearest(&nearest, typed, classes);
	if (nearest.count) {
		print_nearest(file, &nearest);
		return;
	}
	for (end = strlen(typed); end; end--)
		if (ends_part(typed[end]) && print_longer(file, typed, end))
			return;
	print_longer(file, typed, 0);
	for (; classes && classes->name; classes++)
		fprintf(file, ", %s", classes->name);
}

char *opcodes_suggest(const char *token, size_t length, const struct opcode_class *classes)
{
	char typed[TOKEN_OCTETS], *text;
	size_t size;
	FILE *file = need(open_memstream(&text, &size));

	fold_token(token, length, typed);
	print_suggestion(file, typed, classes);
	fclose(file);
	return need(text);
}
