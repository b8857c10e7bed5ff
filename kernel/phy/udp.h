/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Links over UDP, IPv4 and IPv6. */
#ifndef HCA_PHY_UDP_H
#define HCA_PHY_UDP_H

#include <linux/in6.h>
#include <linux/types.h>

struct hca_address;
struct hca_port;
struct hca_remote;
struct hca_remote_config;
struct net;

/* Where a datagram comes from or goes to. */
struct hca_udp_place {
	u16 family; /* AF_INET, AF_INET6; 0: none */
	__be16 port;
	u32 ifindex; /* of an address that is an interface's own (link-local); else 0 */
	union {
		__be32 v4;
		struct in6_addr v6;
	};
};

/* As a partner's address, and back: family 0 if @address is nobody's. */
void hca_udp_address(const struct hca_udp_place *place, struct hca_address *address);
void hca_udp_place(const struct hca_address *address, struct hca_udp_place *place);

/**
 * hca_udp_open() - a link over UDP
 * @net: whose addresses it uses; not held, hca_remote_stop() comes before its end
 * @port: the port at this end, without a cable
 * @local: UDP port to listen at; 0: any
 * @remote: the other end; NULL: whoever comes first
 * @config: as for hca_remote_init()
 *
 * Context: process. Return: the link, started; ERR_PTR(): -EADDRINUSE, -ENOMEM, or what the
 * network says.
 */
struct hca_remote *hca_udp_open(struct net *net, struct hca_port *port, u16 local,
				const struct hca_udp_place *remote,
				const struct hca_remote_config *config);

/* Free a link that has been stopped. */
void hca_udp_free(struct hca_remote *remote);

/* The UDP port at this end. */
u16 hca_udp_local(const struct hca_remote *remote);

#endif
