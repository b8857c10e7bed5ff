/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Setup of connections: the common part of both bindings, and the operations of each binding. */
#ifndef HCA_SDP_LINUX_SETUP_H
#define HCA_SDP_LINUX_SETUP_H

#include "sdp/hello.h"
#include "sdp/linux/sock.h"

struct ib_device;
struct ib_qp_attr;
struct rdma_cm_id;
struct sdp_link;

#define SDP_RDMA_READS 4 /* maximum outstanding RDMA Reads of a connection */

/* Events of the CM that a link records, in the order in which they occur. */
enum sdp_setup_event {
	SDP_CM_ANSWERED, /* HelloAck */
	SDP_CM_ESTABLISHED,
	SDP_CM_REFUSED,
	SDP_CM_TIMED_OUT,
	SDP_CM_ENDED, /* the peer ends the connection, or the connection has ended */
};

/*
 * The operations of a binding. The socket lock is held in all operations except destroy(). Integer
 * results are 0 or a negative errno.
 */
struct sdp_setup_ops {
	enum sdp_binding binding;
	/*
	 * Brings the queue pair into state Init and sends a Hello. @id has the path; it is set to
	 * NULL, also on error, if the link owns the identifier afterwards.
	 */
	int (*request)(struct sdp_sock *ssk, struct rdma_cm_id **id);
	/* Fills @attr as ib_cm_init_qp_attr(); the mask is 0 if the CM itself changes the state. */
	int (*init_qp_attr)(struct sdp_link *link, struct ib_qp_attr *attr, int *mask);
	int (*ready)(struct sdp_link *link); /* confirms the HelloAck to the peer */
	void (*reject)(struct sdp_link *link); /* rejects the HelloAck */
	/* Destroys the identifier, which notifies the peer, and waits for its handler. */
	void (*destroy)(struct sdp_link *link);
};

/**
 * sdp_setup_link() - make a queue pair for a socket, and the task for events of its setup
 * @ssk: the socket, whose lock is held; it has no link
 * @ib: device
 * @cm: binding
 * @gfp: as for sdp_link_create()
 *
 * Context: process; may sleep.
 * Return: as for sdp_link_create().
 */
int sdp_setup_link(struct sdp_sock *ssk, struct ib_device *ib, const struct sdp_setup_ops *cm,
		   gfp_t gfp);

/**
 * sdp_setup_by_iba() - whether connections of a port are set up by the binding of IBA annex A4
 * @ib: device
 * @port: port number
 *
 * Context: any.
 */
bool sdp_setup_by_iba(struct ib_device *ib, u32 port);

/**
 * sdp_setup_port() - TCP port number of the peer to which a Hello is sent
 * @ssk: the socket, whose lock is held
 *
 * After a suspension, getpeername() still returns the port of the first Hello.
 *
 * Context: any.
 */
static inline u16 sdp_setup_port(const struct sdp_sock *ssk)
{
	return ssk->resume_port ? ssk->resume_port : ssk->dport;
}

/**
 * sdp_setup_hello() - contents of a socket's Hello or HelloAck
 * @ssk: the socket, whose lock is held; it has a link
 *
 * Context: any.
 */
struct sdp_hello sdp_setup_hello(const struct sdp_sock *ssk);

/**
 * sdp_setup_begin() - begin the protocol
 * @ssk: the socket, whose lock is held
 * @peer: Hello or HelloAck of the peer
 *
 * Context: any.
 */
void sdp_setup_begin(struct sdp_sock *ssk, const struct sdp_hello *peer);

/**
 * sdp_setup_answer() - keep a HelloAck until SDP_CM_ANSWERED is processed
 * @link: the link
 * @data: private data
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
 * The CM has few handlers for the whole machine, so handlers do not wait for a socket lock: work
 * processes the event.
 *
 * Context: handler of the CM.
 */
void sdp_setup_note(struct sdp_link *link, enum sdp_setup_event event);

/**
 * sdp_setup_request() - make a link, and send a Hello
 * @ssk: socket in SYN_SENT, or one that is being resumed, whose lock is held
 * @id: has the path; its device and port determine the binding; set to NULL, also on error, if the
 *      link owns the identifier afterwards and destroys it
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno.
 */
int sdp_setup_request(struct sdp_sock *ssk, struct rdma_cm_id **id);

#endif
