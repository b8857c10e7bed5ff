/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Addresses that programs use, of families AF_INET, AF_INET6 and 27 (AF_INET_SDP). In a struct
 * in6_addr, an IPv4 address is mapped (::ffff:a.b.c.d).
 */
#ifndef HCA_SDP_LINK_ADDRESS_H
#define HCA_SDP_LINK_ADDRESS_H

#include <linux/in6.h>
#include <linux/socket.h>

#define AF_INET_SDP 27 /* address family of earlier SDP implementations on Linux */

struct net;
struct net_device;

/**
 * sdp_address_parse() - read an address that a program gave
 * @addr: the address
 * @len: octets of @addr; an address of family 27 is IPv6 if it is as long as a sockaddr_in6
 * @ip: address to fill; IPv4 is mapped to IPv6
 * @port: port to fill, in host byte order
 *
 * Context: any.
 * Return: 0; -EINVAL: too short; -EAFNOSUPPORT: another family.
 */
int sdp_address_parse(const struct sockaddr *addr, int len, struct in6_addr *ip, u16 *port);

/**
 * sdp_address_has_ipv6() - whether an address that a program gave is a sockaddr_in6
 * @addr: the address, which sdp_address_parse() can read
 * @len: octets of @addr
 *
 * Context: any.
 */
bool sdp_address_has_ipv6(const struct sockaddr *addr, int len);

/**
 * sdp_address_scope() - get the interface that an address of a program names
 * @addr: the address, which sdp_address_parse() can read
 * @len: octets of @addr
 *
 * Context: any.
 * Return: index of the interface; 0 if the address has none.
 */
int sdp_address_scope(const struct sockaddr *addr, int len);

/**
 * sdp_address_needs_scope() - whether an address means a host only together with an interface
 * @ip: address; IPv4 is mapped to IPv6
 *
 * Context: any.
 * Return: true for a link-local address of IPv6.
 */
bool sdp_address_needs_scope(const struct in6_addr *ip);

/**
 * sdp_address_make() - make a sockaddr for a program or for the RDMA core
 * @ip: address; IPv4 is mapped to IPv6
 * @port: port in host byte order
 * @scope: index of the interface; ignored unless sdp_address_needs_scope(@ip)
 * @ipv6: make an AF_INET6 address also if @ip is IPv4
 * @addr: address to fill
 *
 * Context: any.
 * Return: octets of @addr.
 */
int sdp_address_make(const struct in6_addr *ip, u16 port, int scope, bool ipv6,
		     struct sockaddr_storage *addr);

/**
 * sdp_address_is_local() - whether an address is a local one of a network namespace
 * @net: network namespace
 * @ip: address; IPv4 is mapped to IPv6
 * @scope: index of the interface that has the address; any interface if it is 0, or if @ip does not
 *         need a scope
 *
 * Context: any.
 */
bool sdp_address_is_local(struct net *net, const struct in6_addr *ip, int scope);

/**
 * sdp_address_is_any() - whether an address is the wildcard address of its family
 * @ip: address; IPv4 is mapped to IPv6
 *
 * Context: any.
 */
bool sdp_address_is_any(const struct in6_addr *ip);

/**
 * sdp_address_is_loopback() - whether an address is a loopback address: 127.0.0.0/8 or ::1
 * @ip: address; IPv4 is mapped to IPv6
 *
 * Context: any.
 */
bool sdp_address_is_loopback(const struct in6_addr *ip);

/**
 * sdp_address_make_loopback() - replace an IPv4 address by 127.0.0.1, an IPv6 address by ::1
 * @ip: the address; IPv4 is mapped to IPv6
 *
 * Context: any.
 */
void sdp_address_make_loopback(struct in6_addr *ip);

/**
 * sdp_address_may_come() - whether the IP addresses in a connection request are valid
 * @dev: the network interface of the port that has received the request
 * @src: source address in the request; IPv4 is mapped to IPv6
 * @dst: destination address in the request; IPv4 is mapped to IPv6
 *
 * The rules are those of the RDMA CM: @dst is a local address of the namespace of @dev, and the
 * route to @src leads through @dev. Loopback addresses are not valid, because a request of another
 * host must not use them.
 *
 * Context: process.
 */
bool sdp_address_may_come(struct net_device *dev, const struct in6_addr *src,
			  const struct in6_addr *dst);

/**
 * sdp_address_of_port() - get an address of any IPoIB interface that is up
 * @net: network namespace of the interface
 * @ip: address to fill; IPv4 is mapped to IPv6
 *
 * Context: process.
 * Return: 0; -ENETUNREACH: there is no IPoIB interface that is up and has an address.
 */
int sdp_address_of_port(struct net *net, struct in6_addr *ip);

#endif
