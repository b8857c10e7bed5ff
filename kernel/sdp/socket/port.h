/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* SDP's port numbers, which are independent of TCP's. */
#ifndef HCA_SDP_LINUX_PORT_H
#define HCA_SDP_LINUX_PORT_H

#include "sdp/linux/sock.h"

/**
 * sdp_port_is_bound() - whether a socket has a name
 * @ssk: the socket, whose lock is held
 *
 * A connection that was accepted has no name: its port belongs to the listener.
 *
 * Context: any.
 */
static inline bool sdp_port_is_bound(const struct sdp_sock *ssk)
{
	return ssk->port_place.used;
}

/**
 * sdp_port_bind() - give a socket a name
 * @ssk: a socket that is not bound, whose lock is held
 * @addr: local address, IPv4 mapped; NULL for any of the socket's family
 * @port: port in host byte order; 0 for an unused port of net.ipv4.ip_local_port_range
 *
 * Context: process.
 * Return: 0; -EADDRINUSE: another socket has the address and port, or all ports are in use;
 * -ENOMEM.
 */
int sdp_port_bind(struct sdp_sock *ssk, const struct in6_addr *addr, u16 port);

/**
 * sdp_port_readdress() - change the local address of a socket
 * @ssk: the socket, whose lock is held
 * @addr: local address, IPv4 mapped; NULL for any of the socket's family
 *
 * The call does not check for conflicts with other sockets: the address of a connection is one of
 * the addresses that the socket was bound to.
 *
 * Context: process; may sleep.
 * Return: 0; -ENOMEM: nothing has changed.
 */
int sdp_port_readdress(struct sdp_sock *ssk, const struct in6_addr *addr);

/**
 * sdp_port_unbind() - remove the name of a socket
 * @ssk: the socket; the call has no effect if it is not bound
 *
 * Context: any but hardirq.
 */
void sdp_port_unbind(struct sdp_sock *ssk);

/**
 * sdp_port_may_listen() - begin to listen, if the name of the socket allows it
 * @ssk: a bound socket, whose lock is held
 *
 * The rules of bind() apply. A bound socket can violate these rules: after a connection its address
 * is the wildcard address again, and other sockets may have been bound to one address meanwhile.
 *
 * On success the state of the socket is LISTEN.
 *
 * Context: any but hardirq.
 * Return: false if another socket has the address and port, or an address that the socket's address
 * includes, and does not share it.
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
 * @addr: local address, IPv4 mapped
 * @port: port in host byte order
 *
 * Sockets that share a name by SO_REUSEPORT take turns.
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
