/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A port mapper client's transaction. The functions use neither sockets nor a clock. */
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
 * @SDPMAP_NO_ANSWER: no PMReq was answered, or the port mapper cannot be reached; the client
 *                    connects to the address of the service by TCP (S2-122)
 */
enum sdpmap_client_state {
	SDPMAP_WAITING,
	SDPMAP_ACCEPTED,
	SDPMAP_DENIED,
	SDPMAP_NO_ANSWER,
};

/**
 * struct sdpmap_client - a transaction of a client
 * @state: state of the transaction
 * @request: PMReq
 * @reply: PMAccept or PMDeny, if @state is SDPMAP_ACCEPTED or SDPMAP_DENIED
 * @tries: number of PMReq that have been sent
 * @max_tries: largest number of PMReq, at least 1
 * @wait: time in milliseconds to wait for a reply to the next PMReq; it doubles with each PMReq
 * @deadline: time in milliseconds when the next PMReq is due or, after the last one, the wait ends
 */
struct sdpmap_client {
	enum sdpmap_client_state state;
	struct sdpmap_message request, reply;
	unsigned int tries, max_tries;
	uint64_t wait, deadline;
};

/**
 * sdpmap_client_start() - begin a transaction
 * @client: the transaction. The caller has set @max_tries and @wait; the function sets the rest.
 * @now: the current time in milliseconds
 * @service: address and port of the service
 * @from: address and port from which the client will connect, of the IP version of @service
 * @handle: AssocHandle. No packets of an older transaction with this @handle and @from may still be
 *          on their way (S2-119).
 */
void sdpmap_client_start(struct sdpmap_client *client, uint64_t now,
			 const struct sdpmap_endpoint *service, const struct sdpmap_endpoint *from,
			 uint64_t handle);

/**
 * sdpmap_client_run() - advance a transaction to the current time
 * @client: the transaction
 * @now: the current time in milliseconds
 *
 * Return: whether the caller must send @client->request now.
 */
bool sdpmap_client_run(struct sdpmap_client *client, uint64_t now);

/**
 * sdpmap_client_receive() - process a received datagram
 * @client: the transaction
 * @octets: contents of the datagram
 * @size: number of octets of the datagram
 * @ack: set to PMAck if the function returns true
 *
 * A datagram that is not a reply to this transaction is discarded.
 *
 * Return: whether the caller must send @ack to the sender of the datagram.
 */
bool sdpmap_client_receive(struct sdpmap_client *client, const uint8_t *octets, size_t size,
			   struct sdpmap_message *ack);

/**
 * sdpmap_client_unreachable() - end a transaction because PMReq cannot be delivered
 * @client: the transaction. If it is waiting, its state becomes SDPMAP_NO_ANSWER.
 */
void sdpmap_client_unreachable(struct sdpmap_client *client);

#endif
