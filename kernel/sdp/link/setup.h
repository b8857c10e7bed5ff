/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Setup of connections: the common part of both bindings (binding.h). */
#ifndef HCA_SDP_LINK_SETUP_H
#define HCA_SDP_LINK_SETUP_H

#include "sdp/link/binding.h"
#include "sdp/link/ep.h"
#include "sdp/protocol/hello.h"

struct ib_device;
struct sdp_link;

/**
 * sdp_setup_link() - make a queue pair for a socket, and the task for events of its setup
 * @ep: the endpoint, whose lock is held; it has no link
 * @ib: device
 * @cm: operations of the binding
 * @gfp: allocation flags: SDP_GFP, or SDP_GFP_NOWAIT in a handler of the CM
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno of sdp_link_create().
 */
int sdp_setup_link(struct sdp_ep *ep, struct ib_device *ib, const struct sdp_setup_ops *cm,
		   gfp_t gfp);

/**
 * sdp_setup_port() - TCP port number to which the next Hello is sent
 * @ep: the endpoint, whose lock is held
 *
 * For the new setup of a suspended connection, this is the port that the peer has named when it
 * suspended the connection. getpeername() still returns the port of the first Hello.
 *
 * Context: any.
 */
static inline u16 sdp_setup_port(const struct sdp_ep *ep)
{
	return ep->resume_port ? ep->resume_port : ep->dport;
}

/**
 * sdp_setup_hello() - contents of a socket's Hello or HelloAck
 * @ep: the endpoint, whose lock is held; it has a link
 *
 * Context: any.
 */
struct sdp_hello sdp_setup_hello(const struct sdp_ep *ep);

/**
 * sdp_setup_begin() - initialize the protocol state of a connection
 * @ep: the endpoint, whose lock is held
 * @peer: Hello or HelloAck of the peer
 *
 * Context: any.
 */
void sdp_setup_begin(struct sdp_ep *ep, const struct sdp_hello *peer);

/**
 * sdp_setup_answer() - keep a HelloAck until SDP_CM_ANSWERED is processed
 * @link: the link
 * @data: HelloAck, from the private data of the CM's message
 * @octets: octets of @data
 *
 * Context: handler of the CM.
 */
void sdp_setup_answer(struct sdp_link *link, const void *data, u32 octets);

/**
 * sdp_setup_note() - record an event of the CM
 * @link: the link
 * @event: the event
 *
 * The link's event_task processes the event later. The handler itself must not wait for a socket
 * lock, because the CM has few threads for the handlers of the whole machine.
 *
 * Context: handler of the CM.
 */
void sdp_setup_note(struct sdp_link *link, enum sdp_setup_event event);

#endif
