/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sockets of streams: their creation, and connections that are begun without waiting. */
#ifndef HCA_IWARP_TCP_TCP_CONNECT_H
#define HCA_IWARP_TCP_TCP_CONNECT_H

#include <linux/types.h>
#include "iwarp/tcp/tcp_endpoint.h"

struct net;
struct sockaddr_storage;
struct socket;

/**
 * hca_tcp_open() - create a socket that is prepared for a stream
 * @net: the network namespace
 * @family: AF_INET or AF_INET6
 * @v6only: of AF_INET6: do not accept or make connections of IPv4
 *
 * Context: process, may sleep.
 * Return: the socket, or ERR_PTR: -EAFNOSUPPORT, or the error of sock_create_kern().
 */
struct socket *hca_tcp_open(struct net *net, int family, bool v6only);

/**
 * hca_tcp_bind() - bind a socket to an address
 * @sock: the socket
 * @addr: the address and the port
 *
 * Context: process, may sleep.
 * Return: 0, or the error of kernel_bind().
 */
int hca_tcp_bind(struct socket *sock, const struct sockaddr_storage *addr);

/**
 * hca_tcp_set_tos() - set the type of service of a socket
 * @sock: the socket
 * @tos: the value
 *
 * Context: process, may sleep.
 */
void hca_tcp_set_tos(struct socket *sock, u8 tos);

/**
 * hca_tcp_connect() - begin to connect the stream of an endpoint
 * @te: the endpoint, whose stream raises WRITABLE or LOST later; its addresses are set
 * @local: the own address and port; another port is used if the port is in use
 * @remote: the address of the peer
 *
 * Context: process, may sleep, but does not wait for the peer.
 * Return: 0; or the error of kernel_bind(), after which the stream is unused.
 */
int hca_tcp_connect(struct hca_tcp_endpoint *te, const struct sockaddr_storage *local,
		    const struct sockaddr_storage *remote);

/**
 * hca_tcp_address_bytes() - octets of an address
 * @addr: the address
 *
 * Context: any.
 * Return: the size of the structure of its family.
 */
int hca_tcp_address_bytes(const struct sockaddr_storage *addr);

#endif
