/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The server of the port mapper protocol. It uses neither sockets nor a clock. */
#ifndef HCA_TOOLS_SDPMAP_SERVER_H
#define HCA_TOOLS_SDPMAP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/sdpmap/rate.h"
#include "tools/sdpmap/table.h"
#include "tools/sdpmap/wire.h"

/**
 * enum sdpmap_outcome - the kind of a received datagram, and the reaction of the server
 * @SDPMAP_HAS_ACCEPTED: PMReq, which was answered by PMAccept
 * @SDPMAP_HAS_DENIED: PMReq, which was answered by PMDeny
 * @SDPMAP_HAS_QUENCHED: PMReq of a client with too many open transactions, which was not answered
 * @SDPMAP_HAS_ENDED: PMAck, which has ended a transaction
 * @SDPMAP_HAS_NO_STATE: PMAck without an open transaction, which was discarded
 * @SDPMAP_IS_REPLY: PMAccept or PMDeny, which was discarded, because clients do not send them
 * @SDPMAP_IS_MALFORMED: a datagram that is not a valid message, which was discarded
 * @SDPMAP_OUTCOMES: number of outcomes
 */
enum sdpmap_outcome {
	SDPMAP_HAS_ACCEPTED,
	SDPMAP_HAS_DENIED,
	SDPMAP_HAS_QUENCHED,
	SDPMAP_HAS_ENDED,
	SDPMAP_HAS_NO_STATE,
	SDPMAP_IS_REPLY,
	SDPMAP_IS_MALFORMED,
	SDPMAP_OUTCOMES,
};

/**
 * struct sdpmap_server - a server of the port mapper protocol
 * @table: open transactions; the caller initializes the table
 * @rate: counter of requests, with its limit
 * @pm_time: PmTime of PMAccept
 * @listens: function that returns whether an SDP socket listens at an address and port
 * @context: first argument of @listens
 * @outcomes: number of datagrams of each outcome
 * @duplicates: number of requests that were repeated while their transaction was open
 * @expired: number of transactions that have ended without PMAck
 * @alarms: number of seconds with more requests than @rate allows
 */
struct sdpmap_server {
	struct sdpmap_table table;
	struct sdpmap_rate rate;
	uint8_t pm_time;
	bool (*listens)(void *context, const struct sdpmap_endpoint *service);
	void *context;
	uint64_t outcomes[SDPMAP_OUTCOMES], duplicates, expired, alarms;
};

/**
 * sdpmap_server_receive() - process a received datagram
 * @server: the server
 * @now: the current time in milliseconds
 * @client: source address of the datagram
 * @octets: contents of the datagram
 * @size: number of octets of the datagram
 * @reply: set to the message that the caller must send to @client, if the outcome is
 *         SDPMAP_HAS_ACCEPTED or SDPMAP_HAS_DENIED
 */
enum sdpmap_outcome sdpmap_server_receive(struct sdpmap_server *server, uint64_t now,
					  const struct sdpmap_endpoint *client,
					  const uint8_t *octets, size_t size,
					  struct sdpmap_message *reply);

/**
 * sdpmap_server_expire() - remove transactions whose PMAck has not been received in time
 * @server: the server
 * @now: the current time in milliseconds
 *
 * Return: milliseconds until the next transaction expires; -1 if there are no open transactions.
 */
int64_t sdpmap_server_expire(struct sdpmap_server *server, uint64_t now);

#endif
