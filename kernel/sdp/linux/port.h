/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* SDP's ports, which are its own: the same number can be TCP's. */
#ifndef HCA_SDP_LINUX_PORT_H
#define HCA_SDP_LINUX_PORT_H

#include "sdp/linux/sock.h"

/**
 * sdp_port_is_bound() - whether a socket has a name
 * @ssk: the socket, whose lock is held
 *
 * A connection that was accepted has none: its port is that of the listener.
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
 * @port: in host byte order; 0 for one of net.ipv4.ip_local_port_range that no socket has
 *
 * Context: process.
 * Return: 0; -EADDRINUSE: another socket has the address and port, or there is no port left;
 * -ENOMEM.
 */
int sdp_port_bind(struct sdp_sock *ssk, const struct in6_addr *addr, u16 port);

/**
 * sdp_port_readdress() - change the local address of a socket
 * @ssk: the socket, whose lock is held
 * @addr: local address, IPv4 mapped; NULL for any of the socket's family
 *
 * It is not looked whether another socket has it: a connection's address is among those that the
 * socket was bound to.
 *
 * Context: process; may sleep.
 * Return: 0; -ENOMEM: nothing has changed.
 */
int sdp_port_readdress(struct sdp_sock *ssk, const struct in6_addr *addr);

/**
 * sdp_port_unbind() - remove the name of a socket
 * @ssk: the socket; nothing is done if it is not bound
 *
 * Context: any but hardirq.
 */
void sdp_port_unbind(struct sdp_sock *ssk);

/**
 * sdp_port_may_listen() - whether a socket can begin to listen
 * @ssk: a bound socket, whose lock is held
 *
 * The rule is that of bind(). A name that the socket has can break it: after a connection its
 * address is any again, and others may have been bound to one meanwhile.
 *
 * If it can, it does so for others' calls: its state is LISTEN then.
 *
 * Context: any but hardirq.
 * Return: false if another socket has the address and port, or one that these include, and does not
 * share it.
 */
bool sdp_port_may_listen(struct sdp_sock *ssk);

/**
 * sdp_port_unlisten() - listen no longer
 * @ssk: socket that listens, whose lock is held
 *
 * Context: any but hardirq.
 */
void sdp_port_unlisten(struct sdp_sock *ssk);

/**
 * sdp_port_listener() - get the socket that listens at an address
 * @net: network namespace
 * @addr: local address, IPv4 mapped
 * @port: in host byte order
 *
 * Sockets that share a name by SO_REUSEPORT take turns.
 *
 * Context: any but hardirq.
 * Return: the socket with a reference, or NULL.
 */
struct sock *sdp_port_listener(struct net *net, const struct in6_addr *addr, u16 port);

/**
 * sdp_port_register() - make the table of ports
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int sdp_port_register(void);

/**
 * sdp_port_unregister() - remove the table of ports
 *
 * Context: process; there is no socket any more.
 */
void sdp_port_unregister(void);

#endif
