/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Transactions of the server that are open: PMAccept was sent, and PMAck has not come. */
#ifndef HCA_TOOLS_SDPMAP_TABLE_H
#define HCA_TOOLS_SDPMAP_TABLE_H

#include <stdint.h>
#include <sys/queue.h>
#include "tools/sdpmap/wire.h"

#define SDPMAP_TABLE_BUCKETS 1024

/**
 * struct sdpmap_transaction - an open transaction
 * @request: PMReq
 * @client: where PMReq came from; the port does not count
 * @expires: when it is removed, in milliseconds
 * @by_tuple: others with the hash value of @request's addresses and ports
 * @by_client: others with the hash value of @client
 * @by_age: the next older and younger
 */
struct sdpmap_transaction {
	struct sdpmap_message request;
	struct sdpmap_endpoint client;
	uint64_t expires;
	LIST_ENTRY(sdpmap_transaction) by_tuple, by_client;
	TAILQ_ENTRY(sdpmap_transaction) by_age;
};

LIST_HEAD(sdpmap_bucket, sdpmap_transaction);
TAILQ_HEAD(sdpmap_ages, sdpmap_transaction);

/**
 * struct sdpmap_table - the open transactions, in memory that is allocated once
 * @entries: all there can be
 * @tuples: by addresses and ports of the request
 * @clients: by address of the client
 * @open: those that are open, the one that expires first in front
 * @unused: the others
 * @count: how many are open
 * @max_per_client: how many of an address may be open
 * @timeout: how long one stays open without PMAck, in milliseconds
 * @seed: makes hash values that no client can foresee
 */
struct sdpmap_table {
	struct sdpmap_transaction *entries;
	struct sdpmap_bucket tuples[SDPMAP_TABLE_BUCKETS], clients[SDPMAP_TABLE_BUCKETS];
	struct sdpmap_ages open, unused;
	unsigned int count, max_per_client;
	uint64_t timeout, seed;
};

/**
 * sdpmap_table_init() - allocate a table
 * @table: with @max_per_client, @timeout and @seed; the rest is set
 * @max: how many transactions it has room for
 */
void sdpmap_table_init(struct sdpmap_table *table, unsigned int max);

/**
 * sdpmap_table_free() - free what sdpmap_table_init() has allocated
 * @table: the table
 */
void sdpmap_table_free(struct sdpmap_table *table);

/**
 * sdpmap_table_find() - the transaction with the addresses and ports of a message
 * @table: the table
 * @message: PMReq or PMAck; its AssocHandle does not count
 *
 * Return: the transaction, or NULL.
 */
struct sdpmap_transaction *sdpmap_table_find(struct sdpmap_table *table,
					     const struct sdpmap_message *message);

/**
 * sdpmap_table_add() - open a transaction
 * @table: the table; if it is full, the transaction that expires first is removed
 * @now: the time in milliseconds
 * @request: PMReq, of which sdpmap_table_find() finds none
 * @client: where it came from
 *
 * Return: false if the client has as many as it may have.
 */
bool sdpmap_table_add(struct sdpmap_table *table, uint64_t now,
		      const struct sdpmap_message *request, const struct sdpmap_endpoint *client);

/**
 * sdpmap_table_renew() - begin the timeout of a transaction anew
 * @table: the table
 * @now: the time in milliseconds
 * @transaction: the transaction
 */
void sdpmap_table_renew(struct sdpmap_table *table, uint64_t now,
			struct sdpmap_transaction *transaction);

/**
 * sdpmap_table_remove() - end a transaction
 * @table: the table
 * @transaction: the transaction
 */
void sdpmap_table_remove(struct sdpmap_table *table, struct sdpmap_transaction *transaction);

/**
 * sdpmap_table_expire() - remove the transactions whose time is over
 * @table: the table
 * @now: the time in milliseconds
 *
 * Return: how many there were.
 */
unsigned int sdpmap_table_expire(struct sdpmap_table *table, uint64_t now);

#endif
