/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Differences between kernel versions and processors: here and nowhere else. */
#ifndef HCA_COMPAT_H
#define HCA_COMPAT_H

/* Kernels zero every automatic variable; of an array that is filled anyway that costs as much. */
#define HCA_UNINITIALIZED __attribute__((uninitialized))

#ifdef __KERNEL__
#include <linux/timer.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif
#ifdef CONFIG_X86_64
#include <asm/cpufeature.h>
#define HCA_REP_MOVSQ
/* Gone in 7.3, where the other does the same; that one does not compile for User Mode Linux in 6.1. */
#ifndef static_cpu_has
#define static_cpu_has(bit) cpu_feature_enabled(bit)
#endif
#endif

/* create_cq's last argument, and the driver's data in it; NULL for the kernel's own queues. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define HCA_CREATE_CQ_ARG struct uverbs_attr_bundle
#define hca_create_cq_udata(arg) ((arg) ? &(arg)->driver_udata : NULL)
#else
#define HCA_CREATE_CQ_ARG struct ib_udata
#define hca_create_cq_udata(arg) (arg)
#endif

/* Timers. The later 6.1.y have 6.2's name, too. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif
#ifndef timer_container_of /* 6.16 */
#define timer_container_of(var, timer, member) from_timer(var, timer, member)
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define hrtimer_setup(timer, fn, clock, mode) \
	(hrtimer_init(timer, clock, mode), (void)((timer)->function = (fn)))
#endif

/* A queue of work for each processor is no longer what one gets without asking. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define WQ_PERCPU 0
#endif

/* What a VMA may be, and who takes the pages out of it again. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define vm_flags_clear(vma, flags) ((vma)->vm_flags &= ~(flags))
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 1, 0)
#define zap_special_vma_range(vma, start, length) zap_vma_ptes(vma, start, length)
#endif

/* reg_user_mr's hints on DMA; never any, for a device that has no alloc_dmah. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define HCA_DMAH_ARG struct ib_dmah *dmah,
#else
#define HCA_DMAH_ARG
#endif
/* User memory by its address: 7.2 has it by a file's as well. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
#define ib_umem_get_va(device, start, length, access) ib_umem_get(device, start, length, access)
#endif

/* IPv6 is a table of functions where it may be a module, which it no longer is from 7.1 on. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 1, 0)
#define HCA_IPV6_ROUTE_H <net/ipv6.h>
#define hca_ipv6_route(net, sk, flow) ip6_dst_lookup_flow(net, sk, flow, NULL)
#else
#define HCA_IPV6_ROUTE_H <net/ipv6_stubs.h>
#define hca_ipv6_route(net, sk, flow) ipv6_stub->ipv6_dst_lookup_flow(net, sk, flow, NULL)
#endif
/* Flags of the control block of a datagram of a tunnel; none are ours. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define hca_udp_xmit4(...) udp_tunnel_xmit_skb(__VA_ARGS__, 0)
#define hca_udp_xmit6(...) udp_tunnel6_xmit_skb(__VA_ARGS__, 0)
#else
#define hca_udp_xmit4(...) udp_tunnel_xmit_skb(__VA_ARGS__)
#define hca_udp_xmit6(...) udp_tunnel6_xmit_skb(__VA_ARGS__)
#endif
/* What UDP tunnels call their socket: 7.2, and the later 7.0.y and 7.1.y, so the type tells. */
#define hca_udp_tunnel(socket) \
	_Generic(&udp_tunnel_sock_release, void (*)(struct sock *): (socket)->sk, default: (socket))
#else
#include <linux/unaligned.h>
#endif

#endif
