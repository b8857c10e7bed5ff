/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Links over UDP on IPv4 and IPv6, on which each frame (phy/frame.h) is a datagram. */
#ifndef HCA_PHY_UDP_H
#define HCA_PHY_UDP_H

#include <linux/in6.h>
#include <linux/types.h>

struct hca_address;
struct hca_port;
struct hca_remote;
struct hca_remote_config;
struct net;

/* IP address and UDP port of one end of a link. */
struct hca_udp_place {
	u16 family; /* AF_INET or AF_INET6; 0: not known */
	__be16 port;
	u32 ifindex; /* the interface of a link-local address; 0 for other addresses */
	union {
		__be32 v4;
		struct in6_addr v6;
	};
};

/**
 * hca_udp_address() - convert an IP address and UDP port to the address of a peer
 * @place: the IP address and UDP port
 * @address: set to the address of the peer
 *
 * Context: any.
 */
void hca_udp_address(const struct hca_udp_place *place, struct hca_address *address);

/**
 * hca_udp_place() - convert the address of a peer to an IP address and UDP port
 * @address: an address that hca_udp_address() has set, or an address of length 0
 * @place: set to the IP address and UDP port; its family is 0 if the length of @address is 0
 *
 * Context: any.
 */
void hca_udp_place(const struct hca_address *address, struct hca_udp_place *place);

/**
 * hca_udp_open() - open and start a link over UDP
 * @net: network namespace of the socket; the link does not hold a reference to @net, so the caller
 *       must stop the link before the namespace ends
 * @port: the port at this end, which has no cable
 * @local: UDP port to bind to; 0: any free port
 * @remote: the other end; NULL accepts the first peer that sends a Hello
 * @config: options of the link (hca_remote_init())
 *
 * Context: process.
 * Return: the started link; or an ERR_PTR(): -EADDRINUSE if another socket has the UDP port,
 * -ENOMEM, or an error of udp_sock_create() or of the kernel's crypto API.
 */
struct hca_remote *hca_udp_open(struct net *net, struct hca_port *port, u16 local,
				const struct hca_udp_place *remote,
				const struct hca_remote_config *config);

/**
 * hca_udp_free() - free a link
 * @remote: a link of hca_udp_open() that hca_remote_stop() has stopped
 *
 * Context: process.
 */
void hca_udp_free(struct hca_remote *remote);

/**
 * hca_udp_local() - UDP port at this end
 * @remote: a link of hca_udp_open()
 *
 * Context: any.
 * Return: the UDP port, in host byte order.
 */
u16 hca_udp_local(const struct hca_remote *remote);

#endif
