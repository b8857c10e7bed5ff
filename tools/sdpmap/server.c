// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The server of the port mapper protocol. It uses neither sockets nor a clock. */
#include "tools/sdpmap/server.h"

/*
 * Makes a reply to a request. The SDP address and port of a service are its own address and port,
 * which the request contains.
 */
static void make_reply(const struct sdpmap_server *server, const struct sdpmap_message *request,
		       enum sdpmap_type type, struct sdpmap_message *reply)
{
	*reply = *request;
	reply->type = type;
	reply->pm_time = type == SDPMAP_ACCEPT ? server->pm_time : 0;
}

/*
 * Finds the open transaction that an earlier copy of @request has opened (S2-117). If the open
 * transaction with the addresses and ports of @request has another AssocHandle, it is removed,
 * because the client has started a new transaction (S2-129). Return: the transaction, or NULL.
 */
static struct sdpmap_transaction *find_duplicate(struct sdpmap_server *server,
						 const struct sdpmap_message *request)
{
	struct sdpmap_transaction *found = sdpmap_table_find(&server->table, request);

	if (!found)
		return NULL;
	if (found->request.handle != request->handle) {
		sdpmap_table_remove(&server->table, found);
		return NULL;
	}
	server->duplicates++;
	return found;
}

/*
 * Answers a request. The answer to a repeated request may differ from the first one, if the service
 * has changed (S2-126). PMDeny does not need a transaction (S2-115).
 */
static enum sdpmap_outcome server_answer(struct sdpmap_server *server, uint64_t now,
					 const struct sdpmap_endpoint *client,
					 const struct sdpmap_message *request,
					 struct sdpmap_message *reply)
{
	struct sdpmap_transaction *duplicate = find_duplicate(server, request);
	struct sdpmap_endpoint service = sdpmap_ap(request);

	server->alarms += sdpmap_rate_add(&server->rate, now);
	if (!server->listens(server->context, &service)) {
		if (duplicate)
			sdpmap_table_remove(&server->table, duplicate);
		make_reply(server, request, SDPMAP_DENY, reply);
		return SDPMAP_HAS_DENIED;
	}
	if (duplicate)
		sdpmap_table_renew(&server->table, now, duplicate);
	else if (!sdpmap_table_add(&server->table, now, request, client))
		return SDPMAP_HAS_QUENCHED;
	make_reply(server, request, SDPMAP_ACCEPT, reply);
	return SDPMAP_HAS_ACCEPTED;
}

static enum sdpmap_outcome server_end(struct sdpmap_server *server,
				      const struct sdpmap_message *ack)
{
	struct sdpmap_transaction *found = sdpmap_table_find(&server->table, ack);

	if (!found || found->request.handle != ack->handle)
		return SDPMAP_HAS_NO_STATE;
	sdpmap_table_remove(&server->table, found);
	return SDPMAP_HAS_ENDED;
}

static enum sdpmap_outcome server_process(struct sdpmap_server *server, uint64_t now,
					  const struct sdpmap_endpoint *client,
					  const uint8_t *octets, size_t size,
					  struct sdpmap_message *reply)
{
	struct sdpmap_message message;

	if (sdpmap_parse(&message, octets, size))
		return SDPMAP_IS_MALFORMED;
	if (message.type == SDPMAP_REQ)
		return server_answer(server, now, client, &message, reply);
	return message.type == SDPMAP_ACK ? server_end(server, &message) : SDPMAP_IS_REPLY;
}

enum sdpmap_outcome sdpmap_server_receive(struct sdpmap_server *server, uint64_t now,
					  const struct sdpmap_endpoint *client,
					  const uint8_t *octets, size_t size,
					  struct sdpmap_message *reply)
{
	enum sdpmap_outcome outcome;

	sdpmap_server_expire(server, now);
	outcome = server_process(server, now, client, octets, size, reply);
	server->outcomes[outcome]++;
	return outcome;
}

int64_t sdpmap_server_expire(struct sdpmap_server *server, uint64_t now)
{
	const struct sdpmap_transaction *first;

	server->expired += sdpmap_table_expire(&server->table, now);
	first = TAILQ_FIRST(&server->table.open);
	return first ? (int64_t)(first->expires - now) : -1;
}
