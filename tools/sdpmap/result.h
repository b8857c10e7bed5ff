/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints the results of --query. */
#ifndef HCA_TOOLS_SDPMAP_RESULT_H
#define HCA_TOOLS_SDPMAP_RESULT_H

#include <stdbool.h>
#include "tools/sdpmap/cache.h"
#include "tools/sdpmap/client.h"

/**
 * struct result - the result of a query about a service
 * @state: final state of the transaction
 * @mapping: the service, and its SDP address if @state is SDPMAP_ACCEPTED
 * @mapper: address of the port mapper
 * @tries: number of PMReq that were sent; 0: the mapping was in the cache
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
 * result_print_json() - print a result as an element of a JSON array
 * @result: the result
 * @is_first: the result is the first element of the array
 */
void result_print_json(const struct result *result, bool is_first);

#endif
