// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hca_sdp.ko: stream sockets over InfiniBand, by the Sockets Direct Protocol. */
#include <linux/bpf-cgroup.h>
#include <linux/module.h>
#include <net/protocol.h>
#include "compat.h"
#include "sdp/linux/accept.h"
#include "sdp/linux/connect.h"
#include "sdp/linux/device.h"
#include "sdp/linux/idle.h"
#include "sdp/linux/keepalive.h"
#include "sdp/linux/link.h"
#include "sdp/linux/list.h"
#include "sdp/linux/lock.h"
#include "sdp/linux/memory.h"
#include "sdp/linux/options.h"
#include "sdp/linux/port.h"

struct workqueue_struct *sdp_wq;
struct workqueue_struct *sdp_iwarp_wq;

/*
 * Process completions that came while a process owned the socket, and queue tasks that wait for its
 * lock. Bound: the buffers of the connection, about 800.
 */
static void process_arrived(struct sock *sk)
{
	struct sdp_link *link = sdp_sk(sk)->link;
	struct sdp_buf *buf;

	if (!list_empty(&sdp_sk(sk)->tasks))
		sdp_tasks_queue(sdp_sk(sk));
	if (!link)
		return;
	while ((buf = list_first_entry_or_null(&link->arrived, struct sdp_buf, list))) {
		list_del_init(&buf->list);
		sdp_link_complete(sdp_sk(sk), buf);
	}
}

static int hash(struct sock *sk)
{
	return 0;
}

static void unhash(struct sock *sk)
{
}

/* Refuse bpf_bind() with a port, called by a BPF program of connect(): it binds as TCP does. */
static int get_port(struct sock *sk, unsigned short port)
{
	return -EADDRINUSE;
}

struct proto sdp_prot = {
	.name = "SDP",
	.owner = THIS_MODULE,
	.init = sdp_sock_init,
	.hash = hash,
	.unhash = unhash,
	.get_port = get_port,
	.release_cb = process_arrived,
	.keepalive = sdp_keepalive_set,
	.memory_allocated = &sdp_memory_allocated,
	.per_cpu_fw_alloc = &sdp_memory_per_cpu,
	.memory_pressure = &sdp_memory_pressure,
	.sysctl_mem = sdp_memory_limits,
	.obj_size = sizeof(struct sdp_sock),
	SDP_PROTO_IPV6(offsetof(struct sdp_sock, inet6))
};

const struct proto_ops sdp_proto_ops = {
	.family = PF_INET,
	.owner = THIS_MODULE,
	.release = sdp_release,
	.bind = sdp_bind,
	.connect = sdp_connect,
	.socketpair = sock_no_socketpair,
	.accept = sdp_accept,
	.getname = sdp_getname,
	.poll = sdp_poll,
	.ioctl = sdp_ioctl,
	.listen = sdp_listen,
	.shutdown = sdp_shutdown,
	.setsockopt = sdp_setsockopt,
	.getsockopt = sdp_getsockopt,
	.sendmsg = sdp_sendmsg,
	.recvmsg = sdp_recvmsg,
	.mmap = sock_no_mmap,
	SDP_PROTO_OPS
};

static struct inet_protosw protosw = {
	.type = SOCK_STREAM,
	.protocol = IPPROTO_SDP,
	.prot = &sdp_prot,
	.ops = &sdp_proto_ops,
};

#if IS_ENABLED(CONFIG_IPV6)
static struct inet_protosw protosw6 = {
	.type = SOCK_STREAM,
	.protocol = IPPROTO_SDP,
	.prot = &sdp_prot,
	.ops = &sdp_proto_ops,
};
#endif

/* Create a socket of family 27, which supports both versions of IP. */
static int create(struct net *net, struct socket *sock, int protocol, int kern)
{
	struct sock *sk;
	int err;

	if (sock->type != SOCK_STREAM)
		return -ESOCKTNOSUPPORT;
	if (protocol && protocol != IPPROTO_TCP && protocol != IPPROTO_SDP)
		return -EPROTONOSUPPORT;
	sk = sk_alloc(net, PF_INET, GFP_KERNEL, &sdp_prot, kern);
	if (!sk)
		return -ENOBUFS;
	sock->ops = &sdp_proto_ops;
	sock_init_data(sock, sk);
	sk->sk_protocol = IPPROTO_SDP;
	err = sdp_sock_init(sk);
	/* A BPF program of the cgroup can refuse a socket, as in other families. */
	if (!err && !kern)
		err = BPF_CGROUP_RUN_PROG_INET_SOCK(sk);
	if (err) {
		sock->sk = NULL;
		sk_common_release(sk);
	}
	return err;
}

static const struct net_proto_family family = {
	.family = AF_INET_SDP,
	.create = create,
	.owner = THIS_MODULE,
};

static int __init sdp_init(void)
{
	int err;

	sdp_wq = alloc_workqueue("hca_sdp", WQ_UNBOUND, 0);
	if (!sdp_wq)
		return -ENOMEM;
	err = -ENOMEM;
	sdp_iwarp_wq = alloc_workqueue("hca_sdp_iwarp", WQ_UNBOUND, 0);
	if (!sdp_iwarp_wq)
		goto no_iwarp_wq;
	err = sdp_memory_register();
	if (err)
		goto no_memory;
	err = sdp_port_register();
	if (err)
		goto no_port;
	err = sdp_device_register();
	if (err)
		goto no_device;
	err = sdp_list_register();
	if (err)
		goto no_list;
	err = proto_register(&sdp_prot, 1);
	if (err)
		goto no_proto;
	err = sock_register(&family);
	if (err)
		goto no_family;
	inet_register_protosw(&protosw);
#if IS_ENABLED(CONFIG_IPV6)
	err = inet6_register_protosw(&protosw6);
	if (err)
		goto no_ipv6;
#endif
	return 0;

#if IS_ENABLED(CONFIG_IPV6)
no_ipv6:
	inet_unregister_protosw(&protosw);
	sock_unregister(AF_INET_SDP);
#endif
no_family:
	proto_unregister(&sdp_prot);
no_proto:
	sdp_list_unregister();
no_list:
	sdp_device_unregister();
no_device:
	sdp_port_unregister();
no_port:
	sdp_memory_unregister();
no_memory:
	destroy_workqueue(sdp_iwarp_wq);
no_iwarp_wq:
	destroy_workqueue(sdp_wq);
	return err;
}

static void __exit sdp_exit(void)
{
#if IS_ENABLED(CONFIG_IPV6)
	inet6_unregister_protosw(&protosw6);
#endif
	inet_unregister_protosw(&protosw);
	sock_unregister(AF_INET_SDP);
	sdp_list_unregister();
	sdp_device_unregister();
	sdp_memory_unregister();
	sdp_idle_unregister();
	destroy_workqueue(sdp_iwarp_wq);
	destroy_workqueue(sdp_wq);
	sdp_port_unregister();
	proto_unregister(&sdp_prot);
}

module_init(sdp_init);
module_exit(sdp_exit);

MODULE_AUTHOR("The hca authors");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("Sockets Direct Protocol over InfiniBand");
MODULE_VERSION(HCA_VERSION);
MODULE_ALIAS_NETPROTO(AF_INET_SDP);
MODULE_ALIAS_NET_PF_PROTO_TYPE(PF_INET, 257, 1);
MODULE_ALIAS_NET_PF_PROTO_TYPE(PF_INET6, 257, 1);
