/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What --query prints. */
#ifndef HCA_TOOLS_SDPMAP_RESULT_H
#define HCA_TOOLS_SDPMAP_RESULT_H

#include <stdbool.h>
#include "tools/sdpmap/cache.h"
#include "tools/sdpmap/client.h"

/**
 * struct result - what is known of a service
 * @state: how the transaction has ended
 * @mapping: the service, and, of SDPMAP_ACCEPTED, what it is mapped to
 * @mapper: whom --query has asked
 * @tries: how often; 0: not at all, since the mapping was known
 */
struct result {
	enum sdpmap_client_state state;
	struct sdpmap_mapping mapping;
	struct sdpmap_endpoint mapper;
	unsigned int tries;
};

/**
 * result_print() - print a result as a line
 * @result: the result
 */
void result_print(const struct result *result);

/**
 * result_print_json() - print a result as a JSON object
 * @result: the result
 * @is_first: it is the first one of the array
 */
void result_print_json(const struct result *result, bool is_first);

#endif
