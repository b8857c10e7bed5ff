/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* hcactl link set: the shape of cables. */
#ifndef HCACTL_SHAPE_H
#define HCACTL_SHAPE_H

#include <stdbool.h>
#include <stdio.h>
#include "grammar.h"
#include "setup.h"

struct json_object;
struct nlattr;
struct request;

/* Keywords of "link set", in this order. */
enum { SHAPE_RATE, SHAPE_DELAY, SHAPE_JITTER, SHAPE_REORDER, SHAPE_EVERY, SHAPE_FOR, NUM_SHAPE_WORDS };
#define SHAPE_KEYWORDS "rate", "delay", "jitter", "reorder", "every", "for"

/* @value: of each keyword, NULL where it was not given. Return: 0, or exit status. */
int shape_parse(const struct command *command, const char *const *value, struct shape *shape);

bool shape_is_none(const struct shape *shape);
bool shape_is_same(const struct shape *one, const struct shape *other);

/* Whether anything of it is left to chance. */
bool shape_has_chance(const struct shape *shape);

/* As an attribute of a request. */
void shape_put(struct request *request, int type, const struct shape *shape, uint32_t seed);

/* Of an answer, a nest of enum hca_nl_shape, or NULL. Return: its seed. */
uint32_t shape_read(struct nlattr *nest, struct shape *shape);
struct json_object *shape_json(struct nlattr *nest);

/* As "link set" takes it, each word behind a space. */
void shape_print(FILE *file, const struct shape *shape);

#endif
