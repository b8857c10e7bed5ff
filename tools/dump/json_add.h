/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Adds fields to JSON objects. */
#ifndef HCADUMP_JSON_ADD_H
#define HCADUMP_JSON_ADD_H

#include <json-c/json.h>
#include "packet.h"

static inline void add_number(struct json_object *to, const char *key, u64 value)
{
	json_object_object_add(to, key, json_object_new_uint64(value));
}

static inline void add_text(struct json_object *to, const char *key, const char *value)
{
	json_object_object_add(to, key, json_object_new_string(value));
}

static inline void add_flag(struct json_object *to, const char *key, bool value)
{
	json_object_object_add(to, key, json_object_new_boolean(value));
}

/* Adds the fields of a start-up frame or of an FPDU. */
void fpdu_add_json(struct json_object *to, const struct packet *packet);

#endif
