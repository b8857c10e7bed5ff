/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * SDP's port numbers, which are independent of TCP's. The name of a socket is its local address and
 * port, which bind() sets.
 */
#ifndef HCA_SDP_SOCKET_PORT_H
#define HCA_SDP_SOCKET_PORT_H

#include "sdp/socket/sock.h"

/**
 * sdp_port_is_bound() - whether a socket is in the table of ports
 * @ssk: the socket, whose lock is held
 *
 * A socket from accept() is not in the table: its port belongs to the listener.
 *
 * Context: any.
 */
static inline bool sdp_port_is_bound(const struct sdp_sock *ssk)
{
	return ssk->port_place.used;
}

/**
 * sdp_port_bind() - bind a socket to a local address and port
 * @ssk: a socket that is not bound, whose lock is held
 * @addr: local address (IPv4 is mapped to IPv6), or NULL for the family's wildcard address
 * @port: port in host byte order; 0 for an unused port of net.ipv4.ip_local_port_range
 *
 * Context: process.
 * Return: 0; -EADDRINUSE: another socket has the address and port, or all ports are in use;
 * -ENOMEM.
 */
int sdp_port_bind(struct sdp_sock *ssk, const struct in6_addr *addr, u16 port);

/**
 * sdp_port_readdress() - change the local address of a socket, and keep its port
 * @ssk: the socket, whose lock is held
 * @addr: local address (IPv4 is mapped to IPv6), or NULL for the family's wildcard address
 *
 * The call replaces the wildcard address by the address of a connection, or restores the wildcard
 * address after a connection. It does not check for conflicts with other sockets.
 *
 * Context: process; may sleep.
 * Return: 0; -ENOMEM: nothing has changed.
 */
int sdp_port_readdress(struct sdp_sock *ssk, const struct in6_addr *addr);

/**
 * sdp_port_unbind() - remove a socket from the table of ports
 * @ssk: the socket; the call has no effect if it is not bound
 *
 * Context: any but hardirq.
 */
void sdp_port_unbind(struct sdp_sock *ssk);

/**
 * sdp_port_may_listen() - begin to listen, unless the socket conflicts with another one
 * @ssk: a bound socket, whose lock is held
 *
 * The call checks the rules of bind() again, because sdp_port_readdress() does not check them.
 * After a connection, the wildcard address may conflict with sockets that were bound to the port
 * later.
 *
 * On success the state of the socket is LISTEN.
 *
 * Context: any but hardirq.
 * Return: true if the socket listens; false if another socket has the port with an equal or an
 * overlapping address, and the options of the two sockets do not allow them to share the port.
 */
bool sdp_port_may_listen(struct sdp_sock *ssk);

/**
 * sdp_port_unlisten() - end listening
 * @ssk: socket that listens, whose lock is held
 *
 * Context: any but hardirq.
 */
void sdp_port_unlisten(struct sdp_sock *ssk);

/**
 * sdp_port_listener() - get the socket that listens at an address
 * @net: network namespace
 * @addr: local address; IPv4 is mapped to IPv6
 * @port: port in host byte order
 *
 * If several sockets listen at the address and port (SO_REUSEPORT), successive calls return them in
 * turn.
 *
 * Context: any but hardirq.
 * Return: the socket with a reference, or NULL.
 */
struct sock *sdp_port_listener(struct net *net, const struct in6_addr *addr, u16 port);

/**
 * sdp_port_register() - initialize the table of ports
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int sdp_port_register(void);

/**
 * sdp_port_unregister() - remove the table of ports
 *
 * Context: process; all sockets have been released.
 */
void sdp_port_unregister(void);

#endif
