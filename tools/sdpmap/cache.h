/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A cache of mappings that a client has received. Each mapping expires after its PmTime. */
#ifndef HCA_TOOLS_SDPMAP_CACHE_H
#define HCA_TOOLS_SDPMAP_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/sdpmap/endpoint.h"

#define SDPMAP_CACHE_MAX 64
#define SDPMAP_FOREVER UINT64_MAX

/**
 * struct sdpmap_mapping - a service and its SDP address
 * @service: the address to which a program connects
 * @sdp: the address to which it connects if it uses SDP
 * @pm_time: PmTime of PMAccept, which is the lifetime of the mapping
 * @expires: time in milliseconds when the mapping expires, or SDPMAP_FOREVER
 */
struct sdpmap_mapping {
	struct sdpmap_endpoint service, sdp;
	uint8_t pm_time;
	uint64_t expires;
};

/**
 * struct sdpmap_cache - a cache, which has at most one mapping of each service
 * @mappings: the mappings, of which the first @count are valid
 * @count: number of mappings
 */
struct sdpmap_cache {
	struct sdpmap_mapping mappings[SDPMAP_CACHE_MAX];
	unsigned int count;
};

/**
 * sdpmap_lifetime() - convert PmTime to the lifetime of a mapping (S2-102)
 * @pm_time: PmTime of PMAccept
 *
 * Return: milliseconds; 0 if the mapping is for a single connection; SDPMAP_FOREVER if it is
 * permanent.
 */
uint64_t sdpmap_lifetime(uint8_t pm_time);

/**
 * sdpmap_cache_add() - add a mapping, and remove an older mapping of the same service
 * @cache: the cache; if it is full, the mapping that expires first is removed
 * @now: time in milliseconds when PMAccept was received
 * @mapping: the mapping, in which @expires is not set; it is not added if it is for a single
 *           connection
 */
void sdpmap_cache_add(struct sdpmap_cache *cache, uint64_t now,
		      const struct sdpmap_mapping *mapping);

/**
 * sdpmap_cache_find() - find a mapping that has not expired
 * @cache: the cache, from which expired mappings are removed
 * @now: the current time in milliseconds
 * @service: address and port of the service
 *
 * Return: the mapping, which is valid until the cache changes; or NULL.
 */
const struct sdpmap_mapping *sdpmap_cache_find(struct sdpmap_cache *cache, uint64_t now,
					       const struct sdpmap_endpoint *service);

#endif
