/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A cache of mappings that a client has received. PmTime limits their lifetime. */
#ifndef HCA_TOOLS_SDPMAP_CACHE_H
#define HCA_TOOLS_SDPMAP_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/sdpmap/endpoint.h"

#define SDPMAP_CACHE_MAX 64
#define SDPMAP_FOREVER UINT64_MAX

/**
 * struct sdpmap_mapping - a service and its SDP address
 * @service: the address by which a client knows the service
 * @sdp: the address that the client connects to by SDP
 * @pm_time: PmTime of PMAccept, the lifetime of the mapping
 * @expires: end of the lifetime in milliseconds, or SDPMAP_FOREVER
 */
struct sdpmap_mapping {
	struct sdpmap_endpoint service, sdp;
	uint8_t pm_time;
	uint64_t expires;
};

/**
 * struct sdpmap_cache - mappings of different services
 * @mappings: the mappings, of which the first @count are valid
 * @count: number of mappings
 */
struct sdpmap_cache {
	struct sdpmap_mapping mappings[SDPMAP_CACHE_MAX];
	unsigned int count;
};

/**
 * sdpmap_lifetime() - the lifetime of a mapping at the client (S2-102)
 * @pm_time: PmTime of PMAccept
 *
 * Return: milliseconds, 0 for a single connection, or SDPMAP_FOREVER.
 */
uint64_t sdpmap_lifetime(uint8_t pm_time);

/**
 * sdpmap_cache_add() - add a mapping, which replaces an older one of the service
 * @cache: the cache; if it is full, the mapping that expires first is removed
 * @now: time in milliseconds when PMAccept was received
 * @mapping: the mapping, without @expires; one for a single connection is not added
 */
void sdpmap_cache_add(struct sdpmap_cache *cache, uint64_t now,
		      const struct sdpmap_mapping *mapping);

/**
 * sdpmap_cache_find() - find a mapping that has not expired
 * @cache: the cache, from which expired mappings are removed
 * @now: the time in milliseconds
 * @service: the service
 *
 * Return: the mapping, which is valid until the cache changes; or NULL.
 */
const struct sdpmap_mapping *sdpmap_cache_find(struct sdpmap_cache *cache, uint64_t now,
					       const struct sdpmap_endpoint *service);

#endif
