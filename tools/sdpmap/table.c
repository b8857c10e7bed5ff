// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The open transactions of the server. A transaction is open from PMAccept until PMAck. */
#include "tools/sdpmap/table.h"
#include <stdlib.h>
#include "tools/lib/memory.h"
#include "tools/lib/rng.h"

static uint64_t hash_address(uint64_t hash, const uint8_t *address)
{
	uint64_t halves[2];

	memcpy(halves, address, sizeof(halves));
	return rng_mix(rng_mix(hash ^ halves[0]) ^ halves[1]);
}

static struct sdpmap_bucket *tuple_bucket(struct sdpmap_table *table,
					  const struct sdpmap_message *message)
{
	uint64_t hash = table->seed ^ message->ip_version << 16;

	hash = hash_address(rng_mix(hash ^ message->ap_port), message->ap_address);
	hash = hash_address(rng_mix(hash ^ message->cp_port), message->cp_address);
	return &table->tuples[hash % SDPMAP_TABLE_BUCKETS];
}

static struct sdpmap_bucket *client_bucket(struct sdpmap_table *table,
					   const struct sdpmap_endpoint *client)
{
	uint64_t hash = hash_address(table->seed ^ client->ip_version, client->address);

	return &table->clients[hash % SDPMAP_TABLE_BUCKETS];
}

static bool has_tuple(const struct sdpmap_message *a, const struct sdpmap_message *b)
{
	return a->ip_version == b->ip_version && a->ap_port == b->ap_port &&
	       a->cp_port == b->cp_port &&
	       !memcmp(a->ap_address, b->ap_address, SDPMAP_ADDRESS) &&
	       !memcmp(a->cp_address, b->cp_address, SDPMAP_ADDRESS);
}

void sdpmap_table_init(struct sdpmap_table *table, unsigned int max)
{
	unsigned int i;

	table->entries = need(calloc(max, sizeof(*table->entries)));
	table->count = 0;
	TAILQ_INIT(&table->open);
	TAILQ_INIT(&table->unused);
	for (i = 0; i < max; i++)
		TAILQ_INSERT_TAIL(&table->unused, &table->entries[i], by_age);
	for (i = 0; i < SDPMAP_TABLE_BUCKETS; i++) {
		LIST_INIT(&table->tuples[i]);
		LIST_INIT(&table->clients[i]);
	}
}

void sdpmap_table_free(struct sdpmap_table *table)
{
	free(table->entries);
}

struct sdpmap_transaction *sdpmap_table_find(struct sdpmap_table *table,
					     const struct sdpmap_message *message)
{
	struct sdpmap_transaction *transaction;

	LIST_FOREACH(transaction, tuple_bucket(table, message), by_tuple)
		if (has_tuple(&transaction->request, message))
			return transaction;
	return NULL;
}

static unsigned int count_of(struct sdpmap_table *table, const struct sdpmap_endpoint *client)
{
	struct sdpmap_transaction *transaction;
	unsigned int count = 0;

	LIST_FOREACH(transaction, client_bucket(table, client), by_client)
		count += sdpmap_same_address(&transaction->client, client);
	return count;
}

bool sdpmap_table_add(struct sdpmap_table *table, uint64_t now,
		      const struct sdpmap_message *request, const struct sdpmap_endpoint *client)
{
	struct sdpmap_transaction *transaction;

	if (count_of(table, client) >= table->max_per_client)
		return false;
	if (TAILQ_EMPTY(&table->unused))
		sdpmap_table_remove(table, TAILQ_FIRST(&table->open));
	transaction = TAILQ_FIRST(&table->unused);
	TAILQ_REMOVE(&table->unused, transaction, by_age);
	transaction->request = *request;
	transaction->client = *client;
	transaction->expires = now + table->timeout;
	LIST_INSERT_HEAD(tuple_bucket(table, request), transaction, by_tuple);
	LIST_INSERT_HEAD(client_bucket(table, client), transaction, by_client);
	TAILQ_INSERT_TAIL(&table->open, transaction, by_age);
	table->count++;
	return true;
}

void sdpmap_table_renew(struct sdpmap_table *table, uint64_t now,
			struct sdpmap_transaction *transaction)
{
	TAILQ_REMOVE(&table->open, transaction, by_age);
	transaction->expires = now + table->timeout;
	TAILQ_INSERT_TAIL(&table->open, transaction, by_age);
}

void sdpmap_table_remove(struct sdpmap_table *table, struct sdpmap_transaction *transaction)
{
	LIST_REMOVE(transaction, by_tuple);
	LIST_REMOVE(transaction, by_client);
	TAILQ_REMOVE(&table->open, transaction, by_age);
	TAILQ_INSERT_HEAD(&table->unused, transaction, by_age);
	table->count--;
}

unsigned int sdpmap_table_expire(struct sdpmap_table *table, uint64_t now)
{
	struct sdpmap_transaction *transaction;
	unsigned int count = 0;

	while ((transaction = TAILQ_FIRST(&table->open)) && transaction->expires <= now) {
		sdpmap_table_remove(table, transaction);
		count++;
	}
	return count;
}
