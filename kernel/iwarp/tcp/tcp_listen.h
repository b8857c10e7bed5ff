/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Listening sockets. Users of the same network namespace, address and port share one, so that
 * several RNICs can listen to all addresses. An accepted socket is given to the first user that
 * serves its local address; it is closed if there is none.
 */
#ifndef HCA_IWARP_TCP_TCP_LISTEN_H
#define HCA_IWARP_TCP_TCP_LISTEN_H

#include <linux/list.h>
#include <linux/socket.h>
#include <linux/types.h>

struct hca_tcp_listener;
struct net;
struct socket;

/* A user of a listening socket. The structure of its kind begins with one. */
struct hca_tcp_listen {
	struct list_head node; /* entry of hca_tcp_listener.users */
	struct hca_tcp_listener *listener; /* set by hca_tcp_listen_add() if it succeeds */
	const void *owner; /* an owner has one user of a listening socket */
	/* Return: whether a local address is served. Context: a spin lock is held. */
	bool (*serves)(struct hca_tcp_listen *user, const struct sockaddr_storage *local);
	/* Get, and release, a reference. Context: get(): a spin lock is held. */
	void (*get)(struct hca_tcp_listen *user);
	void (*put)(struct hca_tcp_listen *user);
	/*
	 * Take over a socket that was accepted. IPv4 addresses are given as such, also if the
	 * socket is of IPv6. Context: process, may sleep. The user may be removed meanwhile.
	 */
	void (*accepted)(struct hca_tcp_listen *user, struct socket *sock,
			 const struct sockaddr_storage *local,
			 const struct sockaddr_storage *remote);
};

/**
 * hca_tcp_listen_add() - listen
 * @user: the user, whose functions are set
 * @net: the network namespace
 * @addr: the address, which may be the wildcard, and the port
 * @v6only: of IPv6's wildcard: do not accept connections of IPv4
 * @backlog: connections that wait to be accepted
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, -EADDRINUSE, or another error of a socket.
 */
int hca_tcp_listen_add(struct hca_tcp_listen *user, struct net *net,
		       const struct sockaddr_storage *addr, bool v6only, int backlog);

/**
 * hca_tcp_listen_remove() - end the use of a listening socket
 * @user: the user, of which no function is called any more when this function returns
 *
 * Context: process, may sleep.
 */
void hca_tcp_listen_remove(struct hca_tcp_listen *user);

/**
 * hca_tcp_is_any() - return whether an address is the wildcard
 * @addr: the address
 *
 * Context: any.
 * Return: whether it is.
 */
bool hca_tcp_is_any(const struct sockaddr_storage *addr);

#endif
