// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * hcactl topology generate: generates a fabric from the name of its shape, such as "torus", and
 * from parameters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/noun/topology.h"
#include "tools/ctl/status.h"
#include "tools/lib/number.h"
#include "tools/topology/generate.h"

#define MAX_NUMBERS 5

/* Generates a fat tree. @number contains the values of the keywords "ports" and "levels". */
static const char *fat_tree(struct topology *topology, const char *sizes, const uint32_t *number)
{
	(void)sizes;
	return generate_fat_tree(topology, number[0], number[1]);
}

/* Generates a torus. @sizes contains the dimensions, as in "4x4x2". */
static const char *shape_torus(struct topology *topology, const char *sizes, const uint32_t *number)
{
	unsigned int size[TORUS_DIMENSIONS], count = 0;
	unsigned long value;
	char *end;

	for (;; sizes = end + 1) {
		value = *sizes >= '0' && *sizes <= '9' ? strtoul(sizes, &end, 10) : 0;
		if (!value || value > GENERATE_MAX || count == TORUS_DIMENSIONS ||
		    (*end && *end != 'x'))
			return "SIZES must be 1 to 6 numbers with 'x' between, as in 4x4x4";
		size[count++] = value;
		if (!*end)
			return generate_torus(topology, size, count, number[0]);
	}
}

static const char *shape_dragonfly(struct topology *topology, const char *sizes,
				   const uint32_t *number)
{
	(void)sizes;
	return generate_dragonfly(topology, number[0], number[1], number[2]);
}

static const char *shape_random(struct topology *topology, const char *sizes,
				const uint32_t *number)
{
	(void)sizes;
	return generate_random(topology, number[0], number[1], number[2], number[3], number[4]);
}

static const struct shape {
	const char *name;
	bool has_sizes;
	/* keywords of the parameters, followed by "to" and NULL */
	const char *keywords[MAX_NUMBERS + 2];
	uint32_t number[MAX_NUMBERS]; /* default values of the parameters */
	const char *(*generate)(struct topology *topology, const char *sizes,
				const uint32_t *number);
} shapes[] = {
	{ "fat-tree", false, { "ports", "levels", "to" }, { 36, 2 }, fat_tree },
	{ "torus", true, { "hosts", "to" }, { 1 }, shape_torus },
	{ "dragonfly", false, { "routers", "hosts", "links", "to" }, { 4, 2, 2 }, shape_dragonfly },
	{ "random", false, { "nodes", "switches", "ports", "links", "seed", "to" },
	  { 100, 10, 36, 10, 1 }, shape_random },
};

static const struct shape *find_shape(const struct command *command, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	usage_error(command, "'%s' is none of: fat-tree, torus, dragonfly, random", name);
	return NULL;
}

static bool parse_numbers(const struct command *command, char **args, const struct shape *shape,
			  uint32_t *number, const char **to)
{
	const char *value[MAX_NUMBERS + 2];
	size_t i;

	if (!parse_keywords(command, args, shape->keywords, value))
		return false;
	for (i = 0; strcmp(shape->keywords[i], "to"); i++) {
		number[i] = shape->number[i];
		if (value[i] && !number_parse(value[i], &number[i])) {
			usage_error(command, "%s '%s' is not a number", shape->keywords[i],
				    value[i]);
			return false;
		}
	}
	*to = value[i];
	return true;
}

int topology_generate(const struct command *command, char **args, const struct options *options)
{
	const char *name = parse_argument(command, &args, "what kind of topology"), *sizes = NULL;
	const struct shape *shape = name ? find_shape(command, name) : NULL;
	struct topology topology = {};
	uint32_t number[MAX_NUMBERS];
	const char *to, *wrong;
	int status;

	if (!shape)
		return STATUS_USAGE;
	if (shape->has_sizes) {
		sizes = parse_argument(command, &args, "SIZES");
		if (!sizes)
			return STATUS_USAGE;
	}
	if (!parse_numbers(command, args, shape, number, &to))
		return STATUS_USAGE;
	wrong = shape->generate(&topology, sizes, number);
	if (wrong)
		status = usage_error(command, "%s", wrong);
	else
		status = topology_print(command, &topology, to, options);
	topology_clear(&topology);
	return status;
}
