/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Shapes of cables, which hcactl link set installs. */
#ifndef HCACTL_SHAPE_H
#define HCACTL_SHAPE_H

#include <stdbool.h>
#include <stdio.h>
#include "grammar.h"
#include "setup.h"

struct json_object;
struct nlattr;
struct request;

/* Keywords of "link set", in the order of shape_parse()'s @value. */
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
 * Parses the keywords' values. A value that is not given is NULL.
 * Return: 0, or an exit status after printing a message.
 */
int shape_parse(const struct command *command, const char *const *value, struct shape *shape);

bool shape_is_none(const struct shape *shape);
bool shape_is_same(const struct shape *one, const struct shape *other);

/* Returns whether a shape uses random numbers. */
bool shape_has_chance(const struct shape *shape);

/* Puts a shape as an attribute of a request. */
void shape_put(struct request *request, int type, const struct shape *shape, uint32_t seed);

/* Parses a nest of enum hca_nl_shape from a reply, which may be NULL. Return: the shape's seed. */
uint32_t shape_read(struct nlattr *nest, struct shape *shape);
struct json_object *shape_json(struct nlattr *nest);

/* Prints a shape in the syntax of "link set", with a blank before each argument. */
void shape_print(FILE *file, const struct shape *shape);

#endif
