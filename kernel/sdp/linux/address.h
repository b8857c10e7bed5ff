/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Addresses of programs, of families AF_INET, AF_INET6 and 27. */
#ifndef HCA_SDP_LINUX_ADDRESS_H
#define HCA_SDP_LINUX_ADDRESS_H

#include <linux/in6.h>
#include <linux/socket.h>

struct net;
struct net_device;

/**
 * sdp_address_parse() - read an address that a program gave
 * @addr: the address
 * @len: octets of @addr; family 27 with the octets of a sockaddr_in6 is IPv6, otherwise IPv4
 * @ip: address to fill, IPv4 mapped
 * @port: port to fill, in host byte order
 *
 * Context: any.
 * Return: 0; -EINVAL: too short; -EAFNOSUPPORT: another family.
 */
int sdp_address_parse(const struct sockaddr *addr, int len, struct in6_addr *ip, u16 *port);

/**
 * sdp_address_has_ipv6() - whether an address that a program gave has the form of IPv6
 * @addr: the address, which sdp_address_parse() can read
 * @len: octets of @addr
 *
 * Context: any.
 */
bool sdp_address_has_ipv6(const struct sockaddr *addr, int len);

/**
 * sdp_address_make() - make an address for a program or for the RDMA core
 * @ip: address, IPv4 mapped
 * @port: port in host byte order
 * @ipv6: make an AF_INET6 address also if @ip is IPv4
 * @addr: address to fill
 *
 * Context: any.
 * Return: octets of @addr.
 */
int sdp_address_make(const struct in6_addr *ip, u16 port, bool ipv6, struct sockaddr_storage *addr);

/**
 * sdp_address_is_local() - whether an address is one of this host
 * @net: network namespace
 * @ip: address, IPv4 mapped
 *
 * Context: any.
 */
bool sdp_address_is_local(struct net *net, const struct in6_addr *ip);

/**
 * sdp_address_is_any() - whether an address is the wildcard address of its family
 * @ip: address, IPv4 mapped
 *
 * Context: any.
 */
bool sdp_address_is_any(const struct in6_addr *ip);

/**
 * sdp_address_is_loopback() - whether an address is a loopback address: 127.0.0.0/8 or ::1
 * @ip: address, IPv4 mapped
 *
 * Context: any.
 */
bool sdp_address_is_loopback(const struct in6_addr *ip);

/**
 * sdp_address_make_loopback() - replace an address by 127.0.0.1 or ::1
 * @ip: address, IPv4 mapped; keeps its version of IP
 *
 * Context: any.
 */
void sdp_address_make_loopback(struct in6_addr *ip);

/**
 * sdp_address_may_come() - whether the addresses of a request are valid
 * @dev: the network interface of the port that has received the request
 * @src: source address in the request, IPv4 mapped
 * @dst: destination address in the request, IPv4 mapped
 *
 * The RDMA CM applies these rules to its own requests: @dst is an address of the namespace, and the
 * route to @src leads out of @dev. Neither address is a loopback address, because other hosts may
 * not use these.
 *
 * Context: process.
 */
bool sdp_address_may_come(struct net_device *dev, const struct in6_addr *src,
			  const struct in6_addr *dst);

/**
 * sdp_address_of_port() - get the address of any InfiniBand port, by IPoIB
 * @net: network namespace of the port's network interface
 * @ip: address to fill, IPv4 mapped
 *
 * Context: process.
 * Return: 0; -ENETUNREACH: no InfiniBand network interface is up and has an address.
 */
int sdp_address_of_port(struct net *net, struct in6_addr *ip);

#endif
