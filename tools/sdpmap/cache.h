/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Mappings that a client has received, as long as PmTime allows. */
#ifndef HCA_TOOLS_SDPMAP_CACHE_H
#define HCA_TOOLS_SDPMAP_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/sdpmap/endpoint.h"

#define SDPMAP_CACHE_MAX 64
#define SDPMAP_FOREVER UINT64_MAX

/**
 * struct sdpmap_mapping - a service and what it is mapped to
 * @service: the address that a client knows the service by
 * @sdp: the address that it connects to by SDP
 * @pm_time: how long that is so, as PMAccept has it
 * @expires: when it ends, in milliseconds, or SDPMAP_FOREVER
 */
struct sdpmap_mapping {
	struct sdpmap_endpoint service, sdp;
	uint8_t pm_time;
	uint64_t expires;
};

/**
 * struct sdpmap_cache - mappings, each of another service
 * @mappings: the first @count are valid
 * @count: how many there are
 */
struct sdpmap_cache {
	struct sdpmap_mapping mappings[SDPMAP_CACHE_MAX];
	unsigned int count;
};

/**
 * sdpmap_lifetime() - how long a mapping is valid at the client (S2-102)
 * @pm_time: PmTime of PMAccept
 *
 * Return: milliseconds, 0 for a single connection, or SDPMAP_FOREVER.
 */
uint64_t sdpmap_lifetime(uint8_t pm_time);

/**
 * sdpmap_cache_add() - keep a mapping, in place of an older one of the service
 * @cache: the cache; if it is full, the mapping that expires first is removed
 * @now: when PMAccept was received, in milliseconds
 * @mapping: the mapping, but for @expires; one of a single connection is not kept
 */
void sdpmap_cache_add(struct sdpmap_cache *cache, uint64_t now,
		      const struct sdpmap_mapping *mapping);

/**
 * sdpmap_cache_find() - a mapping that has not expired
 * @cache: the cache, from which those that have expired are removed
 * @now: the time in milliseconds
 * @service: the service
 *
 * Return: the mapping, until the cache is changed, or NULL.
 */
const struct sdpmap_mapping *sdpmap_cache_find(struct sdpmap_cache *cache, uint64_t now,
					       const struct sdpmap_endpoint *service);

#endif
