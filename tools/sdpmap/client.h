/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The client of the port mapper protocol: one transaction. It has neither sockets nor a clock. */
#ifndef HCA_TOOLS_SDPMAP_CLIENT_H
#define HCA_TOOLS_SDPMAP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/sdpmap/wire.h"

/**
 * enum sdpmap_client_state - where a transaction is
 * @SDPMAP_WAITING: PMReq is sent until there is a reply
 * @SDPMAP_ACCEPTED: PMAccept was received
 * @SDPMAP_DENIED: PMDeny was received
 * @SDPMAP_NO_ANSWER: all tries were in vain, or nobody is there: the client uses the address it
 *                    knows, by TCP (S2-122)
 */
enum sdpmap_client_state {
	SDPMAP_WAITING,
	SDPMAP_ACCEPTED,
	SDPMAP_DENIED,
	SDPMAP_NO_ANSWER,
};

/**
 * struct sdpmap_client - a transaction
 * @state: where it is
 * @request: PMReq
 * @reply: PMAccept or PMDeny, once it was received
 * @tries: how often PMReq was sent
 * @max_tries: how often it may be sent, 1 at least
 * @wait: how long a reply to the next try is waited for, in milliseconds; it doubles each time
 * @deadline: when PMReq is due again, or all tries are over, in milliseconds
 */
struct sdpmap_client {
	enum sdpmap_client_state state;
	struct sdpmap_message request, reply;
	unsigned int tries, max_tries;
	uint64_t wait, deadline;
};

/**
 * sdpmap_client_start() - begin a transaction
 * @client: with @max_tries and @wait; the rest is set
 * @now: the time in milliseconds
 * @service: the address that is asked about
 * @from: the address that the client will connect from, of the same version of IP
 * @handle: AssocHandle; with @from it is of no other transaction of which packets may still come
 *          (S2-119)
 */
void sdpmap_client_start(struct sdpmap_client *client, uint64_t now,
			 const struct sdpmap_endpoint *service, const struct sdpmap_endpoint *from,
			 uint64_t handle);

/**
 * sdpmap_client_run() - what time brings
 * @client: the transaction
 * @now: the time in milliseconds
 *
 * Return: whether the caller is to send @client->request now.
 */
bool sdpmap_client_run(struct sdpmap_client *client, uint64_t now);

/**
 * sdpmap_client_receive() - a datagram was received
 * @client: the transaction
 * @octets: the datagram
 * @size: how many octets it has
 * @ack: set to the PMAck that the caller is to send to where the datagram came from
 *
 * What is not a reply to this transaction is discarded.
 * Return: whether there is a PMAck.
 */
bool sdpmap_client_receive(struct sdpmap_client *client, const uint8_t *octets, size_t size,
			   struct sdpmap_message *ack);

/**
 * sdpmap_client_unreachable() - PMReq reaches nobody, as ICMP or the socket has it
 * @client: the transaction, which ends without an answer unless there was one
 */
void sdpmap_client_unreachable(struct sdpmap_client *client);

#endif
