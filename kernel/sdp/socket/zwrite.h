/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Write Zcopy: RDMA Writes from the memory of the sending program into the memory into which the
 * receiving program reads. The receiver advertises this memory by SinkAvail.
 */
#ifndef HCA_SDP_SOCKET_ZWRITE_H
#define HCA_SDP_SOCKET_ZWRITE_H

#include <linux/socket.h>
#include "sdp/socket/sock.h"

/**
 * sdp_zwrite_room() - octets that can be written into the memory of the peer's oldest SinkAvail
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 * Return: octets; 0 if there is no SinkAvail, or nothing may be written now.
 */
u32 sdp_zwrite_room(const struct sdp_sock *ssk);

/**
 * sdp_zwrite_begin() - pin and register memory for an RDMA Write to the peer's SinkAvail
 * @ssk: connected socket, whose lock is held
 * @msg: the message
 *
 * Context: process; may sleep.
 * Return: number of registered octets, from the next octet of the message on; 0 if no memory is
 * pinned, because there is no SinkAvail, or the caller is to copy.
 */
u32 sdp_zwrite_begin(struct sdp_sock *ssk, const struct msghdr *msg);

/**
 * sdp_zwrite_post() - post an RDMA Write from pages that are registered
 * @ssk: the socket, whose lock is held
 * @offset: octets between the first registered octet and the first one to write
 * @octets: octets to write, at most sdp_zwrite_room()
 *
 * sdp_pages_is_done() returns true once the RDMA Write has completed.
 *
 * Context: any.
 * Return: true if the RDMA Write was posted; otherwise the link is stopped.
 */
bool sdp_zwrite_post(struct sdp_sock *ssk, u32 offset, u32 octets);

/**
 * sdp_zwrite_send() - send program memory by an RDMA Write to the memory of the peer's SinkAvail
 * @ssk: connected socket, whose lock is held; the lock is released during the wait
 * @msg: the message; octets that are sent are consumed
 * @timeo: jiffies that the program may wait; the elapsed time is subtracted
 *
 * The call waits for completion of the RDMA Write even if that takes longer than @timeo.
 *
 * Context: process; may sleep.
 * Return: octets that were sent; 0 if there is no SinkAvail, or a copy is better.
 */
int sdp_zwrite_send(struct sdp_sock *ssk, struct msghdr *msg, long *timeo);

/**
 * sdp_zwrite_may_receive() - whether Write Zcopy is suitable for a read
 * @ssk: the socket, whose lock is held
 * @octets: contiguous octets of the program's memory that the read may fill
 * @flags: MSG_* flags of the read
 *
 * Context: any.
 */
bool sdp_zwrite_may_receive(const struct sdp_sock *ssk, size_t octets, int flags);

/**
 * sdp_zwrite_may_make_room() - whether SinkAvail may be sent now
 * @ssk: connected socket, whose lock is held; the program has read all received payload
 *
 * Context: any.
 */
bool sdp_zwrite_may_make_room(const struct sdp_sock *ssk);

/**
 * sdp_zwrite_make_room() - send SinkAvail for registered pages
 * @ssk: the socket, whose lock is held; sdp_zwrite_may_make_room() has returned true
 * @octets: number of octets that are registered, from the first on
 *
 * Context: any.
 */
void sdp_zwrite_make_room(struct sdp_sock *ssk, u32 octets);

/**
 * sdp_zwrite_room_end() - account for the end of an advertisement of SinkAvail
 * @ssk: the socket, whose lock is held; the peer can no longer write into the advertised memory
 *
 * The function also notes whether the peer has sent payload instead. Later calls then try less.
 *
 * Context: any.
 * Return: octets that the peer has written.
 */
u32 sdp_zwrite_room_end(struct sdp_sock *ssk);

/**
 * sdp_zwrite_receive() - send SinkAvail for the memory of a read, and wait for the RDMA Write
 * @ssk: connected socket, whose lock is held; the lock is released during the wait; the program has
 * read all received payload
 * @msg: the message; octets that are written are consumed
 * @len: maximum octets to read
 * @flags: MSG_* flags of the read
 * @timeo: jiffies that the program may wait; the elapsed time is subtracted
 *
 * The wait also ends when payload or a signal arrives, when shutdown() is called, or when the
 * connection ends.
 *
 * Context: process; may sleep.
 * Return: octets that the peer has written; -EAGAIN: none were written, and the caller is to check
 * again; 0: SinkAvail was not sent.
 */
int sdp_zwrite_receive(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags,
		       long *timeo);

#endif
