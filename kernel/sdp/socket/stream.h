/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Received payload that the program has not read, and the out-of-band octet. */
#ifndef HCA_SDP_SOCKET_STREAM_H
#define HCA_SDP_SOCKET_STREAM_H

#include <linux/types.h>
#include "sdp/socket/sock.h"

struct msghdr;
struct sdp_buf;
struct sdp_delivery;

/**
 * sdp_stream_add() - queue received payload for the program
 * @ssk: the socket, whose lock is held
 * @buf: buffer with the message
 * @delivery: effects of the message, which has payload
 *
 * Context: any.
 * Return: true if the buffer is kept until the program has read it; false if it can be posted now.
 */
bool sdp_stream_add(struct sdp_sock *ssk, struct sdp_buf *buf, const struct sdp_delivery *delivery);

/**
 * sdp_stream_there() - octets that were received and not read
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 * Return: octets; the next octet does not count if it is out of band and reads skip it.
 */
u32 sdp_stream_there(const struct sdp_sock *ssk);

/**
 * sdp_stream_is_at_mark() - whether the next octet is out of band, which ends a read before it
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
bool sdp_stream_is_at_mark(const struct sdp_sock *ssk);

/**
 * sdp_stream_some() - copy from the first buffer that was received and not read
 * @ssk: the socket, whose lock is held; there is such a buffer
 * @msg: the message
 *
 * Context: process; any if the memory of the message is kernel memory.
 * Return: octets that were copied; 0 if only an out-of-band octet was skipped; -EFAULT.
 */
int sdp_stream_some(struct sdp_sock *ssk, struct msghdr *msg);

/**
 * sdp_stream_nothing() - result of a read that has no data and does not wait
 * @ssk: the socket, whose lock is held
 *
 * The function clears an error of the socket that it returns.
 *
 * Context: any.
 * Return: 0: end of file; or a negative errno.
 */
int sdp_stream_nothing(struct sdp_sock *ssk);

/**
 * sdp_stream_urgent() - note that the peer has announced an out-of-band octet
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
void sdp_stream_urgent(struct sdp_sock *ssk);

/* Position of a call in the unread payload. With MSG_PEEK it differs from copied_seq. */
struct sdp_cursor {
	struct sdp_buf *buf;
	u32 offset; /* offset in the payload of @buf */
	u32 seq;
};

/**
 * sdp_stream_has_mark() - whether a call has not yet passed the out-of-band octet
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 * Return: true if urg_seq is the position of an octet that copied_seq has not passed.
 */
bool sdp_stream_has_mark(const struct sdp_sock *ssk);

/**
 * sdp_stream_next() - find the next unread payload for a call
 * @ssk: the socket, whose lock is held
 * @at: position of the call, which is set to the payload
 * @peek: whether the call has MSG_PEEK; otherwise the position is that of the first unread octet
 *
 * Context: any.
 * Return: the buffer, or NULL.
 */
struct sdp_buf *sdp_stream_next(struct sdp_sock *ssk, struct sdp_cursor *at, bool peek);

/**
 * sdp_stream_copy() - copy from one buffer, up to the out-of-band octet
 * @ssk: the socket, whose lock is held
 * @at: position of the call, from sdp_stream_next(); it is advanced
 * @msg: the message
 * @len: maximum octets
 * @flags: MSG_* flags of the call
 *
 * If the out-of-band octet is the next one, it is skipped, or copied if SO_OOBINLINE is set.
 *
 * Context: process; any if the memory of the message is kernel memory.
 * Return: octets copied; 0 if only the out-of-band octet was skipped; a negative errno.
 */
int sdp_stream_copy(struct sdp_sock *ssk, struct sdp_cursor *at, struct msghdr *msg, size_t len,
		    int flags);

/**
 * sdp_stream_end() - result of a read that finds no payload
 * @sk: the socket, whose lock is held
 * @timeo: jiffies that the call may wait
 *
 * Context: process.
 * Return: 0 at the stream's end; a negative errno; 1: the call is to wait for data.
 */
int sdp_stream_end(struct sock *sk, long timeo);

#endif
