// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hca_sdp.ko: stream sockets over InfiniBand, by the Sockets Direct Protocol. */
#include <linux/bpf-cgroup.h>
#include <linux/module.h>
#include <net/protocol.h>
#include "compat.h"
#include "sdp/link/address.h"
#include "sdp/link/cm.h"
#include "sdp/link/device.h"
#include "sdp/link/idle.h"
#include "sdp/link/lock.h"
#include "sdp/link/memory.h"
#include "sdp/link/ops.h"
#include "sdp/link/transfer.h"
#include "sdp/link/watch.h"
#include "sdp/socket/accept.h"
#include "sdp/socket/connect.h"
#include "sdp/socket/create.h"
#include "sdp/socket/keepalive.h"
#include "sdp/socket/link_ops.h"
#include "sdp/socket/list.h"
#include "sdp/socket/options.h"
#include "sdp/socket/port.h"

/* Do the work that has waited for the socket lock, which the caller is about to release. */
static void sdp_release_cb(struct sock *sk)
{
	struct sdp_ep *ep = sdp_ep(sk);

	if (!list_empty(&ep->tasks))
		sdp_tasks_queue(ep);
	sdp_link_process_arrived(ep);
}

static int sdp_hash(struct sock *sk)
{
	return 0;
}

static void sdp_unhash(struct sock *sk)
{
}

/* Refuse a port in bpf_bind(), by which the core would bind the socket without SDP's table. */
static int sdp_get_port(struct sock *sk, unsigned short port)
{
	return -EADDRINUSE;
}

struct proto sdp_prot = {
	.name = "SDP",
	.owner = THIS_MODULE,
	.init = sdp_sock_init,
	.hash = sdp_hash,
	.unhash = sdp_unhash,
	.get_port = sdp_get_port,
	.release_cb = sdp_release_cb,
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

static struct inet_protosw sdp_protosw = {
	.type = SOCK_STREAM,
	.protocol = IPPROTO_SDP,
	.prot = &sdp_prot,
	.ops = &sdp_proto_ops,
};

#if IS_ENABLED(CONFIG_IPV6)
static struct inet_protosw sdp_protosw6 = {
	.type = SOCK_STREAM,
	.protocol = IPPROTO_SDP,
	.prot = &sdp_prot,
	.ops = &sdp_proto_ops,
};
#endif

/* Create a socket of family 27, which supports both versions of IP. */
static int sdp_create(struct net *net, struct socket *sock, int protocol, int kern)
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

static const struct net_proto_family sdp_family = {
	.family = AF_INET_SDP,
	.create = sdp_create,
	.owner = THIS_MODULE,
};

/* Make the family, and the protocol in both families of IP, known to programs. */
static int __init sdp_family_register(void)
{
	int err = sock_register(&sdp_family);

	if (err)
		return err;
	inet_register_protosw(&sdp_protosw);
#if IS_ENABLED(CONFIG_IPV6)
	err = inet6_register_protosw(&sdp_protosw6);
	if (err) {
		inet_unregister_protosw(&sdp_protosw);
		sock_unregister(AF_INET_SDP);
	}
#endif
	return err;
}

static void __exit sdp_family_unregister(void)
{
#if IS_ENABLED(CONFIG_IPV6)
	inet6_unregister_protosw(&sdp_protosw6);
#endif
	inet_unregister_protosw(&sdp_protosw);
	sock_unregister(AF_INET_SDP);
}

static int __init sdp_init(void)
{
	int err;

	sdp_link_ops = &sdp_sock_link_ops;
	sdp_idle_register();
	err = sdp_task_register();
	if (err)
		return err;
	err = sdp_memory_register();
	if (err)
		goto no_memory;
	err = sdp_port_register();
	if (err)
		goto no_port;
	err = sdp_device_register(sdp_cm_request);
	if (err)
		goto no_device;
	err = sdp_list_register();
	if (err)
		goto no_list;
	err = proto_register(&sdp_prot, 1);
	if (err)
		goto no_proto;
	err = sdp_family_register();
	if (!err)
		return 0;
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
	sdp_task_unregister();
	return err;
}

static void __exit sdp_exit(void)
{
	sdp_family_unregister();
	sdp_list_unregister();
	sdp_device_unregister();
	sdp_memory_unregister();
	sdp_watch_unregister();
	sdp_task_unregister();
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
