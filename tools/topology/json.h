/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writes a topology as JSON. */
#ifndef TOPOLOGY_JSON_H
#define TOPOLOGY_JSON_H

#include <json-c/json.h>
#include "topology.h"

/* Returns an object with the arrays "nodes" and "links". */
struct json_object *topology_to_json(const struct topology *topology);

#endif
