// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A cache of mappings that a client has received. Each mapping expires after its PmTime. */
#include "tools/sdpmap/cache.h"
#include <stddef.h>

/*
 * Largest PmTime that is in units of SHORT_UNIT ms. A greater PmTime is in units of LONG_UNIT ms
 * (S2-102).
 */
#define SHORT_MAX 127
#define SHORT_UNIT 250
#define LONG_UNIT 1000
#define PERMANENT 255

uint64_t sdpmap_lifetime(uint8_t pm_time)
{
	if (pm_time == PERMANENT)
		return SDPMAP_FOREVER;
	return (uint64_t)pm_time * (pm_time <= SHORT_MAX ? SHORT_UNIT : LONG_UNIT);
}

static void remove_expired(struct sdpmap_cache *cache, uint64_t now)
{
	unsigned int i, count = 0;

	for (i = 0; i < cache->count; i++)
		if (cache->mappings[i].expires > now)
			cache->mappings[count++] = cache->mappings[i];
	cache->count = count;
}

static struct sdpmap_mapping *cache_find(struct sdpmap_cache *cache,
					 const struct sdpmap_endpoint *service)
{
	unsigned int i;

	for (i = 0; i < cache->count; i++)
		if (sdpmap_same_endpoint(&cache->mappings[i].service, service))
			return &cache->mappings[i];
	return NULL;
}

static struct sdpmap_mapping *first_to_expire(struct sdpmap_cache *cache)
{
	struct sdpmap_mapping *first = cache->mappings;
	unsigned int i;

	for (i = 1; i < cache->count; i++)
		if (cache->mappings[i].expires < first->expires)
			first = &cache->mappings[i];
	return first;
}

void sdpmap_cache_add(struct sdpmap_cache *cache, uint64_t now,
		      const struct sdpmap_mapping *mapping)
{
	uint64_t lifetime = sdpmap_lifetime(mapping->pm_time);
	struct sdpmap_mapping *entry;

	remove_expired(cache, now);
	entry = cache_find(cache, &mapping->service);
	if (!lifetime) {
		if (entry)
			*entry = cache->mappings[--cache->count];
		return;
	}
	if (!entry && cache->count < SDPMAP_CACHE_MAX)
		entry = &cache->mappings[cache->count++];
	if (!entry)
		entry = first_to_expire(cache);
	*entry = *mapping;
	entry->expires = lifetime == SDPMAP_FOREVER ? SDPMAP_FOREVER : now + lifetime;
}

const struct sdpmap_mapping *sdpmap_cache_find(struct sdpmap_cache *cache, uint64_t now,
					       const struct sdpmap_endpoint *service)
{
	remove_expired(cache, now);
	return cache_find(cache, service);
}
