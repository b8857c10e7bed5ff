// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A port mapper client's transaction. The functions use neither sockets nor a clock. */
#include "tools/sdpmap/client.h"
#include <string.h>

void sdpmap_client_start(struct sdpmap_client *client, uint64_t now,
			 const struct sdpmap_endpoint *service, const struct sdpmap_endpoint *from,
			 uint64_t handle)
{
	struct sdpmap_message *request = &client->request;

	*request = (struct sdpmap_message){
		.type = SDPMAP_REQ,
		.ip_version = service->ip_version,
		.ap_port = service->port,
		.cp_port = from->port,
		.handle = handle,
	};
	memcpy(request->ap_address, service->address, SDPMAP_ADDRESS);
	memcpy(request->cp_address, from->address, SDPMAP_ADDRESS);
	client->state = SDPMAP_WAITING;
	client->tries = 0;
	client->deadline = now;
}

bool sdpmap_client_run(struct sdpmap_client *client, uint64_t now)
{
	if (client->state != SDPMAP_WAITING || now < client->deadline)
		return false;
	if (client->tries == client->max_tries) {
		client->state = SDPMAP_NO_ANSWER;
		return false;
	}
	client->tries++;
	client->deadline = now + client->wait;
	client->wait *= 2;
	return true;
}

/*
 * Returns whether a message is the reply to a request. AssocHandle, CpPort and CpIPAddr must agree
 * (S2-118).
 */
static bool is_reply_to(const struct sdpmap_message *reply, const struct sdpmap_message *request)
{
	struct sdpmap_endpoint to = sdpmap_cp(reply), from = sdpmap_cp(request);

	return reply->handle == request->handle && sdpmap_same_endpoint(&to, &from);
}

bool sdpmap_client_receive(struct sdpmap_client *client, const uint8_t *octets, size_t size,
			   struct sdpmap_message *ack)
{
	struct sdpmap_message reply;

	if (client->state != SDPMAP_WAITING || sdpmap_parse(&reply, octets, size) ||
	    !is_reply_to(&reply, &client->request))
		return false;
	if (reply.type == SDPMAP_DENY) {
		client->state = SDPMAP_DENIED;
		client->reply = reply;
		return false;
	}
	if (reply.type != SDPMAP_ACCEPT || !reply.ap_port)
		return false;
	client->state = SDPMAP_ACCEPTED;
	client->reply = reply;
	*ack = reply;
	ack->type = SDPMAP_ACK;
	ack->pm_time = 0;
	return true;
}

void sdpmap_client_unreachable(struct sdpmap_client *client)
{
	if (client->state == SDPMAP_WAITING)
		client->state = SDPMAP_NO_ANSWER;
}
