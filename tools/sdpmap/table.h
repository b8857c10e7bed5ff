/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The open transactions of the server. A transaction is open from PMAccept until PMAck. */
#ifndef HCA_TOOLS_SDPMAP_TABLE_H
#define HCA_TOOLS_SDPMAP_TABLE_H

#include <stdint.h>
#include <sys/queue.h>
#include "tools/sdpmap/wire.h"

#define SDPMAP_TABLE_BUCKETS 1024

/**
 * struct sdpmap_transaction - an open transaction
 * @request: PMReq
 * @client: source address of PMReq; its port is ignored
 * @expires: time in milliseconds when the transaction is removed
 * @by_tuple: entry in one of the lists @tuples of struct sdpmap_table
 * @by_client: entry in one of the lists @clients of struct sdpmap_table
 * @by_age: entry in the list @open or @unused of struct sdpmap_table
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
 * @entries: all transactions, open and unused ones
 * @tuples: lists of open transactions, indexed by a hash of the addresses and ports in @request
 * @clients: lists of open transactions, indexed by a hash of the client's address
 * @open: list of open transactions, in the order in which they expire
 * @unused: list of unused transactions
 * @count: number of open transactions
 * @max_per_client: largest number of open transactions of one client address
 * @timeout: time in milliseconds until a transaction without PMAck expires
 * @seed: seed of the hashes, so that clients cannot foresee them
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
 * @table: the table. The caller has set @max_per_client, @timeout and @seed; the function sets the
 *         rest.
 * @max: largest number of open transactions
 */
void sdpmap_table_init(struct sdpmap_table *table, unsigned int max);

/**
 * sdpmap_table_free() - free the memory that sdpmap_table_init() has allocated
 * @table: the table
 */
void sdpmap_table_free(struct sdpmap_table *table);

/**
 * sdpmap_table_find() - find the open transaction with the addresses and ports of a message
 * @table: the table
 * @message: PMReq or PMAck, whose AssocHandle is ignored
 *
 * Return: the transaction, or NULL.
 */
struct sdpmap_transaction *sdpmap_table_find(struct sdpmap_table *table,
					     const struct sdpmap_message *message);

/**
 * sdpmap_table_add() - open a transaction
 * @table: the table; if it is full, the transaction that expires first is removed
 * @now: the current time in milliseconds
 * @request: PMReq, for which sdpmap_table_find() has not found a transaction
 * @client: source address of PMReq
 *
 * Return: true; or false if the client already has @table->max_per_client open transactions.
 */
bool sdpmap_table_add(struct sdpmap_table *table, uint64_t now,
		      const struct sdpmap_message *request, const struct sdpmap_endpoint *client);

/**
 * sdpmap_table_renew() - restart the timeout of a transaction
 * @table: the table
 * @now: the current time in milliseconds
 * @transaction: an open transaction
 */
void sdpmap_table_renew(struct sdpmap_table *table, uint64_t now,
			struct sdpmap_transaction *transaction);

/**
 * sdpmap_table_remove() - end a transaction
 * @table: the table
 * @transaction: an open transaction
 */
void sdpmap_table_remove(struct sdpmap_table *table, struct sdpmap_transaction *transaction);

/**
 * sdpmap_table_expire() - remove the expired transactions
 * @table: the table
 * @now: the current time in milliseconds
 *
 * Return: the number of removed transactions.
 */
unsigned int sdpmap_table_expire(struct sdpmap_table *table, uint64_t now);

#endif
