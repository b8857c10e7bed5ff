/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The claim of a socket for a stream: its options, and the checks of a process's socket. */
#ifndef HCA_IWARP_TCP_TCP_CLAIM_H
#define HCA_IWARP_TCP_TCP_CLAIM_H

#include <linux/socket.h>
#include <net/sock.h>

struct net;

/* The demands on a process's socket, and its addresses. */
struct hca_tcp_claim {
	const struct net *net; /* the network namespace that it must have */
	/* Return: whether a local address is served. Context: BH disabled. */
	bool (*serves)(const struct hca_tcp_claim *claim, const struct sockaddr_storage *local);
	struct sockaddr_storage local, remote; /* filled in: addresses and ports of the two ends */
};

/**
 * hca_tcp_claim_tune() - set the options that the socket of a stream needs
 * @sk: the socket, which is locked
 *
 * Context: any.
 */
void hca_tcp_claim_tune(struct sock *sk);

/**
 * hca_tcp_claim() - check and claim the socket of a process for a stream
 * @sk: the socket, whose spin lock the caller has taken; the caller takes its callbacks next
 * @claim: the demands; the addresses are filled in
 *
 * A socket that is claimed has a ULP for the rest of its life, so that it cannot get another one,
 * and cannot listen. A claim of such a socket whose stream has gone is possible.
 *
 * Context: BH disabled.
 * Return: 0; -EAGAIN: a process has locked the socket; -EOPNOTSUPP: it is not a socket of TCP;
 * -ENETUNREACH: it has another network namespace; -ENOTCONN: it is not connected, or one half of
 * the connection has ended; -EBUSY: it has a ULP, or another user, or is in repair;
 * -EADDRNOTAVAIL: its address is not served.
 */
int hca_tcp_claim(struct sock *sk, struct hca_tcp_claim *claim);

#endif
