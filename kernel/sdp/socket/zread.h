/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Asynchronous reads by io_submit(2): Read and Write Zcopy for a program that does not wait. The
 * call pins the pages, and a task fills them. A socket has one such read at a time.
 */
#ifndef HCA_SDP_SOCKET_ZREAD_H
#define HCA_SDP_SOCKET_ZREAD_H

#include <linux/types.h>

struct msghdr;
struct sdp_sock;

/**
 * sdp_zread_init() - initialize the asynchronous read of a new socket, in state IDLE
 * @ssk: the new socket
 *
 * Context: any.
 */
void sdp_zread_init(struct sdp_sock *ssk);

/**
 * sdp_zread_begin() - begin an asynchronous read
 * @ssk: the socket, whose lock is held
 * @msg: the message
 * @len: octets that the program reads at most
 * @flags: MSG_* flags of the read
 *
 * Context: process; may sleep.
 * Return: -EIOCBQUEUED: the task completes the read; -EAGAIN: another asynchronous read is under
 * way; 0: the call is to read as usual, because the read is not asynchronous, is too small, or has
 * data to return at once.
 */
int sdp_zread_begin(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags);

/**
 * sdp_zread_goes_on() - whether an asynchronous read is under way, for which other reads wait
 * @ssk: the socket
 *
 * Context: any; without the socket lock the result is a hint.
 */
bool sdp_zread_goes_on(const struct sdp_sock *ssk);

#endif
