/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Definitions that hide the differences between kernel releases and between processors. */
#ifndef HCA_COMPAT_H
#define HCA_COMPAT_H

/*
 * Exempts a variable from CONFIG_INIT_STACK_ALL_ZERO. Zeroing an array that the code fills anyway
 * costs as much as filling it.
 */
#define HCA_UNINITIALIZED __attribute__((uninitialized))

#include <linux/version.h>

/* Names of the memory placement extensions. From 6.2 on, the headers of the RDMA core have them. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define IB_UVERBS_WR_FLUSH 14
#define IB_UVERBS_WR_ATOMIC_WRITE 15
#define IB_UVERBS_WC_FLUSH 8
#define IB_UVERBS_WC_ATOMIC_WRITE 9
#define IB_UVERBS_ACCESS_FLUSH_GLOBAL (1 << 8)
#define IB_UVERBS_ACCESS_FLUSH_PERSISTENT (1 << 9)
#define IB_FLUSH_GLOBAL (1u << 0)
#define IB_FLUSH_PERSISTENT (1u << 1)
#define IB_FLUSH_RANGE 0
#define IB_FLUSH_MR 1
#ifdef __KERNEL__
#define IB_OPCODE_FLUSH 0x1c
#define IB_OPCODE_ATOMIC_WRITE 0x1d
#endif
#else
#define HCA_PLACEMENT
#endif

/* Number of jiffies by which a timer may expire late, since the timer wheel rounds up. */
#ifdef __KERNEL__
#define HCA_TIMER_ROUNDING 1
#else
#define HCA_TIMER_ROUNDING 0
#endif

#ifdef __KERNEL__
#include <linux/timer.h>
#include <linux/workqueue.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif
#ifdef CONFIG_X86_64
#include <asm/cpufeature.h>
#define HCA_REP_MOVSQ
/*
 * Linux 7.3 has no static_cpu_has(), but its cpu_feature_enabled() is equivalent. In 6.1,
 * cpu_feature_enabled() does not compile for User Mode Linux.
 */
#ifndef static_cpu_has
#define static_cpu_has(bit) cpu_feature_enabled(bit)
#endif
#endif

/* Defined if the kernel can write the processor's caches back to persistent memory. */
#if defined(HCA_PLACEMENT) && defined(CONFIG_ARCH_HAS_PMEM_API)
#define HCA_PERSISTENT
#endif

/*
 * hca_msg_iocb() returns the iocb of the read or write that calls a socket's operation, or NULL if
 * there is none. Linux 7.2 does not pass it to sockets; kernel/kbuild-file looks for it.
 */
#ifdef HCA_MSG_IOCB
#define hca_msg_iocb(msg) ((msg)->msg_iocb)
#else
#define hca_msg_iocb(msg) ((struct kiocb *)NULL)
#endif

/*
 * HCA_CREATE_CQ_ARG is the type of the last argument of create_cq. hca_create_cq_udata() returns
 * the udata of this argument, which is NULL for kernel consumers.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define HCA_CREATE_CQ_ARG struct uverbs_attr_bundle
#define hca_create_cq_udata(arg) ((arg) ? &(arg)->driver_udata : NULL)
#else
#define HCA_CREATE_CQ_ARG struct ib_udata
#define hca_create_cq_udata(arg) (arg)
#endif

/*
 * HCA_RESIZE_CQ_OP is the name of the operation that resizes a CQ. HCA_RESIZE_CQ_CQE is the type of
 * its argument for the number of entries.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 1, 0)
#define HCA_RESIZE_CQ_CQE unsigned int
#define HCA_RESIZE_CQ_OP resize_user_cq
#else
#define HCA_RESIZE_CQ_CQE int
#define HCA_RESIZE_CQ_OP resize_cq
#endif

/*
 * HCA_COUNTER_OPS is the part of the device operations by which the core, from 6.15 on, allocates
 * the driver's part of a counter that queue pairs are bound to. HCA_COUNTER_PORT_ARG is the port
 * number, which the core passes from 6.15 on when it binds or unbinds a queue pair.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
#define HCA_COUNTER_PORT_ARG , u32 port
#define HCA_COUNTER_OPS \
	.counter_init = hca_ib_counter_init, \
	INIT_RDMA_OBJ_SIZE(rdma_counter, hca_ib_counter, ib),
#else
#define HCA_COUNTER_PORT_ARG
#define HCA_COUNTER_OPS
#endif
/* Defined if the core asks for the driver's details of an SRQ, for `rdma res show srq -dd`. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
#define HCA_FILL_RES_SRQ
#endif

/* timer_delete_sync() has this name since 6.2, and in later releases of 6.1.y. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif
#ifndef timer_container_of /* from_timer() has this name since 6.16 */
#define timer_container_of(var, timer, member) from_timer(var, timer, member)
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define hrtimer_setup(timer, fn, clock, mode) \
	(hrtimer_init(timer, clock, mode), (void)((timer)->function = (fn)))
#endif

/*
 * Registers a table of sysctls of a network namespace. Before 6.6, the number of entries is not
 * passed, because the table ends with an empty entry.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#define register_net_sysctl_sz(net, path, table, count) register_net_sysctl(net, path, table)
#endif

/* From 6.17 on, a workqueue is per CPU only if it is allocated with WQ_PERCPU. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define WQ_PERCPU 0
#endif

/* BH work runs in softirq context on the CPU that queues it. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
#define hca_bh_work work_struct
#define hca_bh_work_init(work, fn) INIT_WORK(work, fn)
#define hca_bh_work_queue(work) queue_work(system_bh_wq, work)
#define hca_bh_work_cancel(work) cancel_work_sync(work)
#endif

/* The type of the address argument of socket operations. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
#define SDP_SOCKADDR struct sockaddr_unsized
#else
#define SDP_SOCKADDR struct sockaddr
#endif
/* The type of the address argument of kernel_bind() and kernel_connect(). */
#define HCA_SOCKADDR SDP_SOCKADDR
/* The last arguments of the operation accept(), and the flags in these arguments. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define SDP_ACCEPT_ARGS struct proto_accept_arg *arg
#define SDP_ACCEPT_FLAGS (arg->flags)
#else
#define SDP_ACCEPT_ARGS int flags, bool kern
#define SDP_ACCEPT_FLAGS flags
#endif
/* Makes the core pass options of level SOL_SOCKET to the operations of a socket (from 6.3 on). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define sdp_custom_sockopt(sock) set_bit(SOCK_CUSTOM_SOCKOPT, &(sock)->flags)
#else
#define sdp_custom_sockopt(sock) ((void)(sock))
#endif
/*
 * Run the BPF programs of a cgroup that may refuse or change the address of connect() or bind().
 * From 6.7 on, such a program can change the length of the address as well.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
#define hca_cgroup_connect4(sk, addr, len) BPF_CGROUP_RUN_PROG_INET4_CONNECT(sk, addr, len)
#define hca_cgroup_connect6(sk, addr, len) BPF_CGROUP_RUN_PROG_INET6_CONNECT(sk, addr, len)
#define hca_cgroup_bind(sk, addr, len, type, flags) \
	BPF_CGROUP_RUN_PROG_INET_BIND_LOCK(sk, addr, len, type, flags)
#else
#define hca_cgroup_connect4(sk, addr, len) BPF_CGROUP_RUN_PROG_INET4_CONNECT(sk, addr)
#define hca_cgroup_connect6(sk, addr, len) BPF_CGROUP_RUN_PROG_INET6_CONNECT(sk, addr)
#define hca_cgroup_bind(sk, addr, len, type, flags) \
	BPF_CGROUP_RUN_PROG_INET_BIND_LOCK(sk, addr, type, flags)
#endif
/*
 * Allocates the notification of a MSG_ZEROCOPY send. The arguments since 6.16 are for sending
 * device memory, which is not used here.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define hca_msg_zerocopy_alloc(sk, octets) msg_zerocopy_realloc(sk, octets, NULL, false)
#else
#define hca_msg_zerocopy_alloc(sk, octets) msg_zerocopy_realloc(sk, octets, NULL)
#endif
/*
 * Reads a message from the error queue of a socket. Before 7.1, inet_recv_error() has an argument
 * for the length of the address; from 7.1 on, it sets msg_namelen itself.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 1, 0)
#define hca_inet_recv_error(sk, msg, len) inet_recv_error(sk, msg, len)
#else
#define hca_inet_recv_error(sk, msg, len) inet_recv_error(sk, msg, len, &(msg)->msg_namelen)
#endif
/* Members of struct proto_ops and struct proto that only some releases have. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
#define SDP_PROTO_OPS .sendpage = sock_no_sendpage,
#define SDP_PROTO_IPV6(offset)
#else
#define SDP_PROTO_OPS
#define SDP_PROTO_IPV6(offset) .ipv6_pinfo_offset = (offset),
#endif

/*
 * hca_tcp_sendpage() hands octets of a page to TCP, which takes references to the page, or copies
 * them if the interface takes no fragments; before 6.5, TCP would sleep to copy them. The socket is
 * locked.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
#define hca_tcp_sendpage(sk, page, offset, octets, flags) ({ \
	struct msghdr _msg = { .msg_flags = (flags) }; \
	struct kvec _vec = { page_address(page) + (offset), octets }; \
	(sk)->sk_route_caps & NETIF_F_SG ? \
		tcp_sendpage_locked(sk, page, offset, octets, flags) : \
		kernel_sendmsg_locked(sk, &_msg, &_vec, 1, octets); \
})
#else
#define hca_tcp_sendpage(sk, page, offset, octets, flags) ({ \
	struct msghdr _msg = { .msg_flags = (flags) | MSG_SPLICE_PAGES }; \
	struct bio_vec _vec; \
	bvec_set_page(&_vec, page, octets, offset); \
	iov_iter_bvec(&_msg.msg_iter, ITER_SOURCE, &_vec, 1, octets); \
	tcp_sendmsg_locked(sk, &_msg, octets); \
})
#endif
/* Return: a reference to the control group of the caller, or of set_active_memcg(); or NULL. */
#ifdef CONFIG_MEMCG
#define hca_memcg_get() get_mem_cgroup_from_mm(NULL)
#else
#define hca_memcg_get() ((struct mem_cgroup *)NULL)
#endif
/* Softirqs that send must not use the page fragment of the task that they interrupt. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define hca_tcp_no_task_frag(sk) ((sk)->sk_use_task_frag = false)
#else
#define hca_tcp_no_task_frag(sk) ((void)(sk))
#endif

/* The struct iovec array of an iterator; before 6.4, it is a member of struct iov_iter. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define iter_iov(iter) ((iter)->iov)
#endif

/* Clears flags of a VMA. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define vm_flags_clear(vma, flags) ((vma)->vm_flags &= ~(flags))
#endif
/* Clears page table entries of a VMA. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 1, 0)
#define zap_special_vma_range(vma, start, length) zap_vma_ptes(vma, start, length)
#endif

/*
 * Defined if on-demand paging is possible. It needs MMU notifiers and HMM mirroring, which the
 * kernel's configuration may leave out.
 */
#if defined(CONFIG_MMU_NOTIFIER) && defined(CONFIG_HMM_MIRROR)
#define HCA_ODP
#endif

/*
 * The DMA handle, an argument of reg_user_mr since 6.17; it is NULL, since the device does not have
 * the operation alloc_dmah.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define HCA_DMAH_ARG struct ib_dmah *dmah,
#else
#define HCA_DMAH_ARG
#endif

/* The type of the last argument of reg_user_mr_dmabuf. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define HCA_REG_DMABUF_ARG struct uverbs_attr_bundle
#else
#define HCA_REG_DMABUF_ARG struct ib_udata
#endif
/* The callback of a DMA buffer's importer that is called when the buffer's memory goes away. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 1, 0)
#define HCA_DMABUF_REVOKE invalidate_mappings
#else
#define HCA_DMABUF_REVOKE move_notify
#endif
/*
 * Returns whether attaching to a DMA buffer leaves the buffer unmapped. Releases before 6.17 may
 * cache mappings: when a device attaches to a buffer that the exporter cannot move, they map the
 * buffer for the device.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define hca_dmabuf_attaches_unmapped(buf) true
#else
#define hca_dmabuf_attaches_unmapped(buf) ((buf)->ops->pin != NULL)
#endif
/* Functions that map a DMA buffer to kernel addresses and unmap it. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define dma_buf_vmap_unlocked(buf, map) dma_buf_vmap(buf, map)
#define dma_buf_vunmap_unlocked(buf, map) dma_buf_vunmap(buf, map)
#endif
/* Imports the namespace of the symbols of DMA buffers. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define HCA_IMPORT_DMA_BUF MODULE_IMPORT_NS("DMA_BUF")
#else
#define HCA_IMPORT_DMA_BUF MODULE_IMPORT_NS(DMA_BUF)
#endif

/* ib_umem_get_va() pins user memory by its address. Before 7.2, its name is ib_umem_get(). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
#define ib_umem_get_va(device, start, length, access) ib_umem_get(device, start, length, access)
#endif

/* Before 7.1, IPv6 may be a module, so that its functions are called through ipv6_stub. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 1, 0)
#define HCA_IPV6_ROUTE_H <net/ipv6.h>
#define hca_ipv6_route(net, sk, flow) ip6_dst_lookup_flow(net, sk, flow, NULL)
#else
#define HCA_IPV6_ROUTE_H <net/ipv6_stubs.h>
#define hca_ipv6_route(net, sk, flow) ipv6_stub->ipv6_dst_lookup_flow(net, sk, flow, NULL)
#endif
/*
 * From 6.17 on, udp_tunnel_xmit_skb() and udp_tunnel6_xmit_skb() have an argument for flags of the
 * IP control block, which is 0 here.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define hca_udp_xmit4(...) udp_tunnel_xmit_skb(__VA_ARGS__, 0)
#define hca_udp_xmit6(...) udp_tunnel6_xmit_skb(__VA_ARGS__, 0)
#else
#define hca_udp_xmit4(...) udp_tunnel_xmit_skb(__VA_ARGS__)
#define hca_udp_xmit6(...) udp_tunnel6_xmit_skb(__VA_ARGS__)
#endif
/*
 * UDP tunnel functions have a struct sock argument in 7.2 and in later releases of 7.0.y and 7.1.y,
 * and a struct socket argument before. The type of a function decides, since the version does not
 * determine it.
 */
#define hca_udp_tunnel(socket) \
	_Generic(&udp_tunnel_sock_release, void (*)(struct sock *): (socket)->sk, default: (socket))
#else
#include <linux/unaligned.h>
#endif

/* Before 6.9, and in user space, BH work is a tasklet. */
#ifndef hca_bh_work
#include <linux/interrupt.h>
#define hca_bh_work tasklet_struct
#define hca_bh_work_init(work, fn) tasklet_setup(work, fn)
#define hca_bh_work_queue(work) tasklet_schedule(work)
#define hca_bh_work_cancel(work) tasklet_kill(work)
#endif

#endif
