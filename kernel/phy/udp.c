// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Links over UDP. IP does not fragment the datagrams, since packets are split into frames that fit
 * into the path's MTU.
 */
#include "phy/udp.h"
#include <linux/err.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/slab.h>
#include <linux/udp.h>
#include <net/dst.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/route.h>
#include <net/udp_tunnel.h>
#include "compat.h"
#include HCA_IPV6_ROUTE_H
#include "phy/remote.h"

#define HCA_UDP_ENCAP 1 /* a nonzero value makes the socket pass its datagrams to udp_receive() */

struct hca_udp {
	struct hca_remote remote;
	struct socket *sock;
	/* sock->sk, which stays valid for an RCU grace period after the socket is released. */
	struct sock *sk;
	__be16 local; /* UDP port at this end */
};

static struct hca_udp *udp_of(const struct hca_remote *remote)
{
	return container_of(remote, struct hca_udp, remote);
}

void hca_udp_address(const struct hca_udp_place *place, struct hca_address *address)
{
	BUILD_BUG_ON(sizeof(*place) > sizeof(address->octet));
	address->len = sizeof(*place);
	memcpy(address->octet, place, sizeof(*place));
}

void hca_udp_place(const struct hca_address *address, struct hca_udp_place *place)
{
	if (address->len)
		memcpy(place, address->octet, sizeof(*place));
	else
		place->family = 0;
}

static void udp_source(const struct sk_buff *skb, struct hca_udp_place *place)
{
	memset(place, 0, sizeof(*place)); /* all octets are compared, padding included */
	place->port = udp_hdr(skb)->source;
	if (skb->protocol == htons(ETH_P_IP)) {
		place->family = AF_INET;
		place->v4 = ip_hdr(skb)->saddr;
	} else {
		place->family = AF_INET6;
		place->v6 = ipv6_hdr(skb)->saddr;
		if (ipv6_addr_type(&place->v6) & IPV6_ADDR_LINKLOCAL)
			place->ifindex = skb->skb_iif;
	}
}

static int udp_receive(struct sock *sk, struct sk_buff *skb)
{
	struct hca_udp *udp = rcu_dereference_sk_user_data(sk);
	struct hca_address from = {};
	struct hca_udp_place place;

	if (!udp || !pskb_may_pull(skb, sizeof(struct udphdr))) {
		kfree_skb(skb);
		return 0;
	}
	udp_source(skb, &place);
	hca_udp_address(&place, &from);
	__skb_pull(skb, sizeof(struct udphdr));
	hca_remote_receive(&udp->remote, &from, skb);
	return 0;
}

static struct rtable *udp_route4(struct hca_udp *udp, const struct hca_udp_place *to,
				 struct flowi4 *flow)
{
	struct sock *sk = udp->sk;

	*flow = (struct flowi4){
		.flowi4_proto = IPPROTO_UDP,
		.daddr = to->v4,
		.fl4_dport = to->port,
		.fl4_sport = udp->local,
	};
	return ip_route_output_flow(sock_net(sk), flow, sk);
}

static struct dst_entry *udp_route6(struct hca_udp *udp, const struct hca_udp_place *to,
				    struct flowi6 *flow)
{
	struct sock *sk = udp->sk;

	*flow = (struct flowi6){
		.flowi6_proto = IPPROTO_UDP,
		.flowi6_oif = to->ifindex,
		.daddr = to->v6,
		.fl6_dport = to->port,
		.fl6_sport = udp->local,
	};
	return hca_ipv6_route(sock_net(sk), sk, flow);
}

static void udp_transmit4(struct hca_udp *udp, const struct hca_udp_place *to,
			  struct sk_buff *skb)
{
	struct flowi4 flow;
	struct rtable *rt = udp_route4(udp, to, &flow);

	if (IS_ERR(rt)) {
		kfree_skb(skb);
		return;
	}
	hca_udp_xmit4(rt, udp->sk, skb, flow.saddr, flow.daddr, 0, ip4_dst_hoplimit(&rt->dst),
		      htons(IP_DF), udp->local, to->port, false, false);
}

static void udp_transmit6(struct hca_udp *udp, const struct hca_udp_place *to,
			  struct sk_buff *skb)
{
	struct flowi6 flow;
	struct dst_entry *dst = udp_route6(udp, to, &flow);

	if (IS_ERR(dst)) {
		kfree_skb(skb);
		return;
	}
	/* The device is NULL, since there is no tunnel device whose statistics are counted. */
	hca_udp_xmit6(dst, udp->sk, skb, NULL, &flow.saddr, &flow.daddr, 0, ip6_dst_hoplimit(dst),
		      0, udp->local, to->port, false);
}

/* Prepare coalesced frames for GSO, which sends each frame in a datagram of its own. */
static void udp_prepare(struct sk_buff *skb)
{
	if (!skb_is_gso(skb))
		return;
	skb_shinfo(skb)->gso_type = SKB_GSO_UDP_L4;
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_headroom(skb) - sizeof(struct udphdr);
	skb->csum_offset = offsetof(struct udphdr, check);
}

static void udp_transmit(struct hca_remote *remote, const struct hca_address *address,
			 struct sk_buff *skb)
{
	struct hca_udp_place to;

	udp_prepare(skb);
	hca_udp_place(address, &to);
	if (to.family == AF_INET)
		udp_transmit4(udp_of(remote), &to, skb);
	else
		udp_transmit6(udp_of(remote), &to, skb);
}

/* Return: the path's MTU, octets; 0 without a route. */
static unsigned int udp_path_mtu(struct hca_udp *udp, const struct hca_udp_place *to)
{
	struct dst_entry *dst;
	struct flowi4 flow4;
	struct flowi6 flow6;
	struct rtable *rt;
	unsigned int mtu;

	if (to->family == AF_INET) {
		rt = udp_route4(udp, to, &flow4);
		dst = IS_ERR(rt) ? ERR_CAST(rt) : &rt->dst;
	} else {
		dst = udp_route6(udp, to, &flow6);
	}
	if (IS_ERR(dst))
		return 0;
	mtu = dst_mtu(dst);
	dst_release(dst);
	return mtu;
}

static unsigned int udp_frame_max(struct hca_remote *remote, const struct hca_address *address)
{
	unsigned int mtu, headers;
	struct hca_udp_place to;

	hca_udp_place(address, &to);
	mtu = udp_path_mtu(udp_of(remote), &to);
	headers = sizeof(struct udphdr) + (to.family == AF_INET ? sizeof(struct iphdr) :
								  sizeof(struct ipv6hdr));
	return mtu > headers ? min(mtu, 65535u) - headers : 0;
}

static void udp_close(struct hca_remote *remote)
{
	udp_tunnel_sock_release(hca_udp_tunnel(udp_of(remote)->sock));
	synchronize_net(); /* wait for calls of udp_receive() that still use the link */
}

static const struct hca_network hca_udp_network = {
	.room = LL_MAX_HEADER + sizeof(struct ipv6hdr) + sizeof(struct udphdr),
	.most = U16_MAX - sizeof(struct ipv6hdr) - sizeof(struct udphdr),
	.transmit = udp_transmit,
	.frame_max = udp_frame_max,
	.close = udp_close,
};

/* Create a socket for IPv4 and IPv6, or for IPv4 if the kernel does not support IPv6. */
static int udp_bind(struct net *net, struct hca_udp *udp, u16 local)
{
	struct udp_port_cfg cfg = {
		.family = AF_INET6,
		.local_udp_port = htons(local),
	};
	int err = udp_sock_create(net, &cfg, &udp->sock);

	if (err == -EAFNOSUPPORT || err == -EPFNOSUPPORT) {
		cfg.family = AF_INET;
		err = udp_sock_create(net, &cfg, &udp->sock);
	}
	if (err)
		return err;
	udp->sk = udp->sock->sk;
	udp->local = inet_sk(udp->sk)->inet_sport;
	return 0;
}

struct hca_remote *hca_udp_open(struct net *net, struct hca_port *port, u16 local,
				const struct hca_udp_place *remote,
				const struct hca_remote_config *config)
{
	struct hca_udp *udp = kzalloc(sizeof(*udp), GFP_KERNEL);
	struct udp_tunnel_sock_cfg cfg = {
		.encap_type = HCA_UDP_ENCAP,
		.encap_rcv = udp_receive,
		.sk_user_data = udp,
	};
	struct hca_address address = {};
	int err;

	if (!udp)
		return ERR_PTR(-ENOMEM);
	if (remote)
		hca_udp_address(remote, &address);
	err = hca_remote_init(&udp->remote, &hca_udp_network, port, remote ? &address : NULL,
			      config);
	if (!err)
		err = udp_bind(net, udp, local);
	if (err) {
		hca_udp_free(&udp->remote);
		return ERR_PTR(err);
	}
	setup_udp_tunnel_sock(net, hca_udp_tunnel(udp->sock), &cfg);
	hca_remote_start(&udp->remote);
	return &udp->remote;
}

void hca_udp_free(struct hca_remote *remote)
{
	hca_remote_destroy(remote);
	kfree(udp_of(remote));
}

u16 hca_udp_local(const struct hca_remote *remote)
{
	return ntohs(udp_of(remote)->local);
}
