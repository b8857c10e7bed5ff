/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Read Zcopy: RDMA Reads from the memory of the sending program into the memory of the receiving
 * program. The sender advertises its memory by SrcAvail.
 */
#ifndef HCA_SDP_SOCKET_ZCOPY_H
#define HCA_SDP_SOCKET_ZCOPY_H

#include <linux/socket.h>
#include "sdp/link/pages.h"
#include "sdp/socket/sock.h"

/**
 * sdp_zcopy_is_going_on() - whether an advertisement is unanswered, or pages are pinned
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
bool sdp_zcopy_is_going_on(const struct sdp_sock *ssk);

/**
 * sdp_zcopy_begin() - pin and register memory to be advertised
 * @ssk: connected socket, whose lock is held
 * @msg: the message
 * @use: SDP_PAGES_READ_BY_PEER or SDP_PAGES_READ_LATER
 * @payload: set by sdp_conn_may_advertise() to the maximum octets of payload in SrcAvail
 *
 * Context: process; may sleep.
 * Return: number of registered octets, from the next octet of the message on; 0 if no memory is
 * pinned, and the caller is to copy.
 */
u32 sdp_zcopy_begin(struct sdp_sock *ssk, const struct msghdr *msg, enum sdp_pages_use use,
		    u32 *payload);

/**
 * sdp_zcopy_advertise() - send a SrcAvail for registered pages
 * @ssk: the socket, whose lock is held
 * @msg: the message; the payload of SrcAvail is consumed
 * @octets: registered octets, from sdp_zcopy_begin()
 * @payload: maximum octets of payload in SrcAvail, from sdp_zcopy_begin()
 *
 * Other payload is not sent until the peer has answered SrcAvail.
 *
 * Context: process; may sleep.
 * Return: octets of payload in SrcAvail; -ENOBUFS or -EFAULT: nothing was sent.
 */
int sdp_zcopy_advertise(struct sdp_sock *ssk, struct msghdr *msg, u32 octets, u32 payload);

/**
 * sdp_zcopy_send() - send program memory without a copy, and wait until the peer has it
 * @ssk: connected socket, whose lock is held; the lock is released during the wait
 * @msg: the message; octets that are sent are consumed
 * @timeo: jiffies that the program may wait; the elapsed time is subtracted
 *
 * If the peer has sent SinkAvail, an RDMA Write sends the octets. Otherwise SrcAvail advertises the
 * octets for an RDMA Read of the peer. If the peer has not read all of them when @timeo or
 * SDP_ZCOPY_ANSWER_TIMEOUT has passed, the rest is canceled.
 *
 * Context: process; may sleep.
 * Return: octets that were sent; 0 if the caller is to copy; -EAGAIN: nothing was sent, and the
 * caller is to try again; -EFAULT.
 */
int sdp_zcopy_send(struct sdp_sock *ssk, struct msghdr *msg, long *timeo);

/* The request of an RDMA Read from memory that the peer advertises. */
struct sdp_zcopy_read {
	struct ib_sge sge;
	struct ib_rdma_wr wr;
};

/**
 * sdp_zcopy_read_init() - fill the request of an RDMA Read
 * @ssk: the socket, whose lock is held; sink_pages are registered for the read
 * @part: part of the advertisement, from sdp_sink_read_begin()
 * @read: the request to fill
 *
 * Context: any.
 */
void sdp_zcopy_read_init(struct sdp_sock *ssk, const struct sdp_advert *part,
			 struct sdp_zcopy_read *read);

/**
 * sdp_zcopy_read_end() - account for the end of an RDMA Read
 * @ssk: the socket, whose lock is held
 * @octets: octets of the read
 * @good: whether the read has succeeded; otherwise the function stops the link
 *
 * Context: any.
 * Return: octets that were read.
 */
u32 sdp_zcopy_read_end(struct sdp_sock *ssk, u32 octets, bool good);

/**
 * sdp_zcopy_receive() - read memory that the peer advertises by SrcAvail
 * @ssk: connected socket, whose lock is held; the lock is released during the wait; the program has
 * read all received payload
 * @msg: the message; octets that are read are consumed
 * @len: maximum octets to read
 * @flags: MSG_* flags of the read
 * @timeo: jiffies that the program may wait, or 0; the elapsed time is subtracted
 *
 * If an RDMA Read is not possible or costs more than a copy, the advertisement is refused: the peer
 * then sends the data by Buffered copy.
 *
 * Context: process; may sleep.
 * Return: octets that were read; 0 if there is no advertisement, or the RDMA Read was not possible.
 */
int sdp_zcopy_receive(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags,
		      long *timeo);

#endif
