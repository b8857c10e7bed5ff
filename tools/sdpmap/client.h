/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A transaction of a client of the port mapper protocol. It uses neither sockets nor a clock. */
#ifndef HCA_TOOLS_SDPMAP_CLIENT_H
#define HCA_TOOLS_SDPMAP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/sdpmap/wire.h"

/**
 * enum sdpmap_client_state - the state of a transaction
 * @SDPMAP_WAITING: PMReq is repeated until a reply is received
 * @SDPMAP_ACCEPTED: PMAccept was received
 * @SDPMAP_DENIED: PMDeny was received
 * @SDPMAP_NO_ANSWER: all tries were in vain, or the port mapper cannot be reached: the client uses
 *                    the address that it knows, by TCP (S2-122)
 */
enum sdpmap_client_state {
	SDPMAP_WAITING,
	SDPMAP_ACCEPTED,
	SDPMAP_DENIED,
	SDPMAP_NO_ANSWER,
};

/**
 * struct sdpmap_client - a transaction
 * @state: state of the transaction
 * @request: PMReq
 * @reply: PMAccept or PMDeny, valid once received
 * @tries: number of PMReq sent
 * @max_tries: largest number of PMReq, 1 at least
 * @wait: time in milliseconds to wait for a reply to the next try; it doubles each time
 * @deadline: time in milliseconds when PMReq is due again, or the last try ends
 */
struct sdpmap_client {
	enum sdpmap_client_state state;
	struct sdpmap_message request, reply;
	unsigned int tries, max_tries;
	uint64_t wait, deadline;
};

/**
 * sdpmap_client_start() - begin a transaction
 * @client: the transaction, of which @max_tries and @wait are set; the rest is initialized
 * @now: the time in milliseconds
 * @service: the address of the service
 * @from: the address that the client will connect from, of the IP version of @service
 * @handle: AssocHandle; no packets of another transaction with @handle and @from may be on their
 *          way (S2-119)
 */
void sdpmap_client_start(struct sdpmap_client *client, uint64_t now,
			 const struct sdpmap_endpoint *service, const struct sdpmap_endpoint *from,
			 uint64_t handle);

/**
 * sdpmap_client_run() - advance a transaction to the current time
 * @client: the transaction
 * @now: the time in milliseconds
 *
 * Return: whether the caller must send @client->request now.
 */
bool sdpmap_client_run(struct sdpmap_client *client, uint64_t now);

/**
 * sdpmap_client_receive() - process a received datagram
 * @client: the transaction
 * @octets: the datagram
 * @size: number of octets of the datagram
 * @ack: set to the PMAck that the caller must send to the sender of the datagram
 *
 * A datagram that is not a reply to this transaction is discarded.
 * Return: whether there is a PMAck to send.
 */
bool sdpmap_client_receive(struct sdpmap_client *client, const uint8_t *octets, size_t size,
			   struct sdpmap_message *ack);

/**
 * sdpmap_client_unreachable() - end a transaction whose PMReq cannot be delivered
 * @client: the transaction, which ends without an answer unless it has ended already
 */
void sdpmap_client_unreachable(struct sdpmap_client *client);

#endif
