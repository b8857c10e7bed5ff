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
 * @len: octets of it; a family of 27 with the octets of a sockaddr_in6 is IPv6, else IPv4
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
 * @len: octets of it
 *
 * Context: any.
 */
bool sdp_address_has_ipv6(const struct sockaddr *addr, int len);

/**
 * sdp_address_make() - make an address for a program or for the RDMA core
 * @ip: address, IPv4 mapped
 * @port: port in host byte order
 * @ipv6: an AF_INET6 address, if it is not needed for @ip, too
 * @addr: address to fill
 *
 * Context: any.
 * Return: its octets.
 */
int sdp_address_make(const struct in6_addr *ip, u16 port, bool ipv6, struct sockaddr_storage *addr);

/**
 * sdp_address_is_local() - whether an address is this host's
 * @net: network namespace
 * @ip: address, IPv4 mapped
 *
 * Context: any.
 */
bool sdp_address_is_local(struct net *net, const struct in6_addr *ip);

/**
 * sdp_address_is_any() - whether an address stands for all of its family
 * @ip: address, IPv4 mapped
 *
 * Context: any.
 */
bool sdp_address_is_any(const struct in6_addr *ip);

/**
 * sdp_address_is_loopback() - whether an address is a host's for itself: 127.0.0.0/8 or ::1
 * @ip: address, IPv4 mapped
 *
 * Context: any.
 */
bool sdp_address_is_loopback(const struct in6_addr *ip);

/**
 * sdp_address_make_loopback() - replace an address by 127.0.0.1 or ::1
 * @ip: address, IPv4 mapped, which says the version
 *
 * Context: any.
 */
void sdp_address_make_loopback(struct in6_addr *ip);

/**
 * sdp_address_may_come() - whether a request can be for an address, and from another
 * @dev: the network interface of the port that it came in at
 * @src: address that the request names as its own, IPv4 mapped
 * @dst: address that it names as the host's
 *
 * As the RDMA CM has it for its own requests: @dst is an address of the namespace, and what is
 * sent to @src leaves by @dev. Neither is a loopback address, which nobody else may use.
 *
 * Context: process.
 */
bool sdp_address_may_come(struct net_device *dev, const struct in6_addr *src,
			  const struct in6_addr *dst);

/**
 * sdp_address_of_port() - get the address of some InfiniBand port, by IPoIB
 * @net: network namespace; only ports with a network interface in it count
 * @ip: address to fill, IPv4 mapped
 *
 * Context: process.
 * Return: 0; -ENETUNREACH: no such interface is up and has an address.
 */
int sdp_address_of_port(struct net *net, struct in6_addr *ip);

#endif
