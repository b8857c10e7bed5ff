/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The server of the port mapper protocol. It has neither sockets nor a clock. */
#ifndef HCA_TOOLS_SDPMAP_SERVER_H
#define HCA_TOOLS_SDPMAP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/sdpmap/rate.h"
#include "tools/sdpmap/table.h"
#include "tools/sdpmap/wire.h"

/**
 * enum sdpmap_outcome - what a datagram was, and what became of it
 * @SDPMAP_HAS_ACCEPTED: PMReq, answered by PMAccept
 * @SDPMAP_HAS_DENIED: PMReq, answered by PMDeny
 * @SDPMAP_HAS_QUENCHED: PMReq of a client that has too many transactions open: not answered
 * @SDPMAP_HAS_ENDED: PMAck, which has ended a transaction
 * @SDPMAP_HAS_NO_STATE: PMAck of no open transaction, discarded
 * @SDPMAP_IS_REPLY: PMAccept or PMDeny, which no client sends, discarded
 * @SDPMAP_IS_MALFORMED: no message, discarded
 * @SDPMAP_OUTCOMES: how many there are
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
 * struct sdpmap_server - a server
 * @table: open transactions, which the caller has initialized
 * @rate: of requests, with its limit
 * @pm_time: PmTime of PMAccept
 * @listens: whether somebody listens by SDP at an address and port now
 * @context: the first argument of @listens
 * @outcomes: how often each was
 * @duplicates: requests that have come again, as they were, while their transaction was open
 * @expired: transactions that have ended without PMAck
 * @alarms: how often there were more requests within a second than @rate allows
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
 * sdpmap_server_receive() - a datagram was received
 * @server: the server
 * @now: the time in milliseconds
 * @client: where it came from
 * @octets: the datagram
 * @size: how many octets it has
 * @reply: of SDPMAP_HAS_ACCEPTED and SDPMAP_HAS_DENIED: set to what the caller is to send to
 *         @client
 */
enum sdpmap_outcome sdpmap_server_receive(struct sdpmap_server *server, uint64_t now,
					  const struct sdpmap_endpoint *client,
					  const uint8_t *octets, size_t size,
					  struct sdpmap_message *reply);

/**
 * sdpmap_server_expire() - remove transactions whose PMAck has not come
 * @server: the server
 * @now: the time in milliseconds
 *
 * Return: milliseconds until this is to be called again, or -1 if nothing is open.
 */
int64_t sdpmap_server_expire(struct sdpmap_server *server, uint64_t now);

#endif
