// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Receives and sends the datagrams of a server. An answer is sent from the address that received
 * the request.
 */
#include "tools/sdpmap/datagram.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Space for a control message that contains an IPv4 or IPv6 address */
union control {
	char in[CMSG_SPACE(sizeof(struct in_pktinfo))];
	char in6[CMSG_SPACE(sizeof(struct in6_pktinfo))];
	struct cmsghdr align;
};

/*
 * Sets the options of a socket. IPV6_V6ONLY is set for IPv6, because the daemon also has an IPv4
 * socket.
 */
static bool datagram_prepare(int fd, const struct address *address)
{
	int one = 1;

	if (address->any.sa_family == AF_INET)
		return !setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &one, sizeof(one));
	return !setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one)) &&
	       !setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &one, sizeof(one));
}

int datagram_socket(const struct address *address)
{
	int fd = socket(address->any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int error;

	if (fd < 0)
		return -1;
	if (datagram_prepare(fd, address) && !bind(fd, &address->any, address_size(address)))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/*
 * Copies the destination address of a datagram. Return: whether the address is a unicast address.
 */
static bool copy_ipv4(struct address *to, const struct cmsghdr *control)
{
	struct in_pktinfo info;

	memcpy(&info, CMSG_DATA(control), sizeof(info));
	to->in.sin_family = AF_INET;
	to->in.sin_addr = info.ipi_addr;
	return info.ipi_addr.s_addr == info.ipi_spec_dst.s_addr;
}

static bool copy_ipv6(struct address *to, const struct cmsghdr *control)
{
	struct in6_pktinfo info;

	memcpy(&info, CMSG_DATA(control), sizeof(info));
	to->in6.sin6_family = AF_INET6;
	to->in6.sin6_addr = info.ipi6_addr;
	return !IN6_IS_ADDR_MULTICAST(&info.ipi6_addr);
}

static bool copy_destination(struct datagram *datagram, struct msghdr *message)
{
	struct cmsghdr *control = CMSG_FIRSTHDR(message);

	if (!control)
		return false;
	if (control->cmsg_level == IPPROTO_IP && control->cmsg_type == IP_PKTINFO)
		return copy_ipv4(&datagram->to, control);
	return control->cmsg_level == IPPROTO_IPV6 && control->cmsg_type == IPV6_PKTINFO &&
	       copy_ipv6(&datagram->to, control);
}

bool datagram_receive(int fd, struct datagram *datagram)
{
	struct iovec octets = { datagram->octets, sizeof(datagram->octets) };
	union control control;
	struct msghdr message = {
		.msg_name = &datagram->from,
		.msg_namelen = sizeof(datagram->from),
		.msg_iov = &octets,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t size = recvmsg(fd, &message, 0);

	if (size < 0)
		return false;
	datagram->to = (struct address){};
	datagram->size = copy_destination(datagram, &message) ? size : 0;
	return true;
}

/* Adds a control message that sets the source address of an answer. */
static void add_source(struct msghdr *message, const struct address *from)
{
	struct in_pktinfo in = { .ipi_spec_dst = from->in.sin_addr };
	struct in6_pktinfo in6 = { .ipi6_addr = from->in6.sin6_addr };
	bool is_ipv4 = from->any.sa_family == AF_INET;
	size_t size = is_ipv4 ? sizeof(in) : sizeof(in6);
	struct cmsghdr *control = message->msg_control;

	message->msg_controllen = CMSG_SPACE(size);
	control->cmsg_level = is_ipv4 ? IPPROTO_IP : IPPROTO_IPV6;
	control->cmsg_type = is_ipv4 ? IP_PKTINFO : IPV6_PKTINFO;
	control->cmsg_len = CMSG_LEN(size);
	memcpy(CMSG_DATA(control), is_ipv4 ? (void *)&in : &in6, size);
}

bool datagram_answer(int fd, const struct datagram *datagram, const uint8_t *octets)
{
	struct iovec iov = { (void *)octets, SDPMAP_OCTETS };
	struct address peer = datagram->from;
	union control control = {};
	struct msghdr message = {
		.msg_name = &peer,
		.msg_namelen = address_size(&peer),
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
	};

	add_source(&message, &datagram->to);
	return sendmsg(fd, &message, MSG_DONTWAIT) == SDPMAP_OCTETS;
}
