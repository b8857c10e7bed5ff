/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* All differences between kernel releases and between processors. */
#ifndef HCA_COMPAT_H
#define HCA_COMPAT_H

/*
 * Exempts a variable from CONFIG_INIT_STACK_ALL_ZERO. Zeroing an array that the code fills anyway
 * costs as much as filling it.
 */
#define HCA_UNINITIALIZED __attribute__((uninitialized))

#include <linux/version.h>

/* Names of the memory placement extensions, which the headers of the RDMA core have since 6.2. */
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

/* Ticks by which a timer expires late, since the timer wheel rounds up. */
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
 * 7.3 has no static_cpu_has(); its cpu_feature_enabled() is equivalent. In 6.1,
 * cpu_feature_enabled() does not compile for User Mode Linux.
 */
#ifndef static_cpu_has
#define static_cpu_has(bit) cpu_feature_enabled(bit)
#endif
#endif

/* Whether the kernel can write the processor's caches back to persistent memory. */
#if defined(HCA_PLACEMENT) && defined(CONFIG_ARCH_HAS_PMEM_API)
#define HCA_PERSISTENT
#endif

/* The last argument of create_cq, and the udata in it, which is NULL for kernel consumers. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define HCA_CREATE_CQ_ARG struct uverbs_attr_bundle
#define hca_create_cq_udata(arg) ((arg) ? &(arg)->driver_udata : NULL)
#else
#define HCA_CREATE_CQ_ARG struct ib_udata
#define hca_create_cq_udata(arg) (arg)
#endif

/* The operation that resizes a CQ, and the type of its number of entries. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 1, 0)
#define HCA_RESIZE_CQ_CQE unsigned int
#define HCA_RESIZE_CQ_OP resize_user_cq
#else
#define HCA_RESIZE_CQ_CQE int
#define HCA_RESIZE_CQ_OP resize_cq
#endif

/*
 * From 6.15 on, the core allocates the driver's part of a counter that queue pairs are bound to,
 * and passes the port number when it binds.
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
/* Driver details of an SRQ, for `rdma res show srq -dd`. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
#define HCA_FILL_RES_SRQ
#endif

/* Names of timer functions. Later releases of 6.1.y define 6.2's timer_delete_sync() as well. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif
#ifndef timer_container_of /* named so since 6.16 */
#define timer_container_of(var, timer, member) from_timer(var, timer, member)
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define hrtimer_setup(timer, fn, clock, mode) \
	(hrtimer_init(timer, clock, mode), (void)((timer)->function = (fn)))
#endif

/*
 * Registers a table of sysctls of a network namespace; before 6.6 the table ends with an empty
 * entry.
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

/*
 * Types of socket operations: the address, changed in 6.19, and the arguments of accept(), changed
 * in 6.10.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
#define SDP_SOCKADDR struct sockaddr_unsized
#else
#define SDP_SOCKADDR struct sockaddr
#endif
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
 * Programs of a cgroup that refuse or change the address of a call; from 6.7 on such a program can
 * change the length of the address as well.
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
 * Allocates the notification of a MSG_ZEROCOPY send; from 6.16 on, device memory can be sent as
 * well.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define hca_msg_zerocopy_alloc(sk, octets) msg_zerocopy_realloc(sk, octets, NULL, false)
#else
#define hca_msg_zerocopy_alloc(sk, octets) msg_zerocopy_realloc(sk, octets, NULL)
#endif
/*
 * Reads the error queue, whose messages have no address; from 7.1 on, inet_recv_error() sets
 * msg_namelen itself.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 1, 0)
#define hca_inet_recv_error(sk, msg, len) inet_recv_error(sk, msg, len)
#else
#define hca_inet_recv_error(sk, msg, len) inet_recv_error(sk, msg, len, &(msg)->msg_namelen)
#endif
/* Members of operation tables that only some releases have. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
#define SDP_PROTO_OPS .sendpage = sock_no_sendpage,
#define SDP_PROTO_IPV6(offset)
#else
#define SDP_PROTO_OPS
#define SDP_PROTO_IPV6(offset) .ipv6_pinfo_offset = (offset),
#endif

/* The vector of an iterator over several ranges of a program's memory. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define iter_iov(iter) ((iter)->iov)
#endif

/* Functions that change the flags of a VMA and clear its page table entries. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define vm_flags_clear(vma, flags) ((vma)->vm_flags &= ~(flags))
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 1, 0)
#define zap_special_vma_range(vma, start, length) zap_vma_ptes(vma, start, length)
#endif

/*
 * On-demand paging needs MMU notifiers and HMM mirroring, which the kernel's configuration may
 * leave out.
 */
#if defined(CONFIG_MMU_NOTIFIER) && defined(CONFIG_HMM_MIRROR)
#define HCA_ODP
#endif

/* The DMA handle of reg_user_mr, which is NULL for a device without the alloc_dmah operation. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define HCA_DMAH_ARG struct ib_dmah *dmah,
#else
#define HCA_DMAH_ARG
#endif

/*
 * DMA buffers: the last argument of reg_user_mr_dmabuf, the importer's callback for memory that
 * goes away, the functions that map a buffer, and the symbols' namespace.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define HCA_REG_DMABUF_ARG struct uverbs_attr_bundle
#else
#define HCA_REG_DMABUF_ARG struct ib_udata
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 1, 0)
#define HCA_DMABUF_REVOKE invalidate_mappings
#else
#define HCA_DMABUF_REVOKE move_notify
#endif
/*
 * Whether attaching to a buffer leaves the buffer unmapped. Releases before 6.17, which may cache
 * mappings, map a buffer that its exporter cannot move at once, for the device.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define hca_dmabuf_attaches_unmapped(buf) true
#else
#define hca_dmabuf_attaches_unmapped(buf) ((buf)->ops->pin != NULL)
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define dma_buf_vmap_unlocked(buf, map) dma_buf_vmap(buf, map)
#define dma_buf_vunmap_unlocked(buf, map) dma_buf_vunmap(buf, map)
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define HCA_IMPORT_DMA_BUF MODULE_IMPORT_NS("DMA_BUF")
#else
#define HCA_IMPORT_DMA_BUF MODULE_IMPORT_NS(DMA_BUF)
#endif

/* ib_umem_get_va() of 7.2 pins user memory by address; ib_umem_get() is its older name. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
#define ib_umem_get_va(device, start, length, access) ib_umem_get(device, start, length, access)
#endif

/* Before 7.1 IPv6 may be a module, whose functions are called through ipv6_stub. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 1, 0)
#define HCA_IPV6_ROUTE_H <net/ipv6.h>
#define hca_ipv6_route(net, sk, flow) ip6_dst_lookup_flow(net, sk, flow, NULL)
#else
#define HCA_IPV6_ROUTE_H <net/ipv6_stubs.h>
#define hca_ipv6_route(net, sk, flow) ipv6_stub->ipv6_dst_lookup_flow(net, sk, flow, NULL)
#endif
/*
 * From 6.17 on, these functions have an argument for flags of the IP control block, which is 0
 * here.
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
