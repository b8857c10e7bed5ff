/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The shape of a cable, which "hcactl link set" sets: rate limit, reordering, delay and
 * interruptions of the signal.
 */
#ifndef HCACTL_SHAPE_H
#define HCACTL_SHAPE_H

#include <stdbool.h>
#include <stdio.h>
#include "tools/ctl/grammar.h"
#include "tools/ctl/setup.h"

struct json_object;
struct nlattr;
struct request;

/* Keywords of "link set" for shapes; indexes of the array @value of shape_parse() */
enum {
	SHAPE_RATE,
	SHAPE_DELAY,
	SHAPE_JITTER,
	SHAPE_REORDER,
	SHAPE_EVERY,
	SHAPE_FOR,
	NUM_SHAPE_KEYWORDS
};

#define SHAPE_KEYWORDS "rate", "delay", "jitter", "reorder", "every", "for"

/*
 * Parses the values of the keywords for shapes, and sets *shape. @value contains one text for each
 * keyword, or NULL for a keyword that the user has not given. Return: 0, or an exit status after
 * printing a message.
 */
int shape_parse(const struct command *command, const char *const *value, struct shape *shape);

bool shape_is_none(const struct shape *shape);
bool shape_is_same(const struct shape *one, const struct shape *other);

/* Returns whether a shape needs random numbers, for jitter or reordering. */
bool shape_has_chance(const struct shape *shape);

/* Puts a shape into a request, as the nested attribute @type. */
void shape_put(struct request *request, int type, const struct shape *shape, uint32_t seed);

/*
 * Sets *shape from @nest, a nested attribute with attributes of enum hca_nl_shape. If @nest is
 * NULL, all fields of *shape are 0. Return: the seed of the shape, or 0.
 */
uint32_t shape_read(struct nlattr *nest, struct shape *shape);
struct json_object *shape_json(struct nlattr *nest);

/* Prints a shape in the syntax of "link set", with a blank before each argument. */
void shape_print(FILE *file, const struct shape *shape);

#endif
