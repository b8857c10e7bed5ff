// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Creation and destruction of a connection's queue pair and buffers. */
#include "sdp/link/create.h"
#include <linux/log2.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "sdp/link/address.h"
#include "sdp/link/binding.h"
#include "sdp/link/device.h"
#include "sdp/link/memory.h"
#include "sdp/link/ops.h"
#include "sdp/link/pages.h"
#include "sdp/link/resume.h"
#include "sdp/link/transfer.h"
#include "sdp/link/watch.h"

#define BUFS_MIN SDP_SEND_BUFS_MIN
#define BUFS_MAX 256
#define PSN_MASK 0xffffffu

static u32 link_bufs_for(u32 octets)
{
	return clamp_t(u32, octets / SDP_BUF_SIZE, BUFS_MIN, BUFS_MAX);
}

/*
 * Return the size of the first receive buffers: a page, because a peer that has much to send
 * requests larger buffers. After a suspension, the size is at least that of the earlier connection,
 * because queued messages of the peer may be as long.
 */
static u32 link_recv_size_for(const struct sdp_ep *ep)
{
	u32 before = ep->resume_port ? ep->conn.size : 0;

	return roundup_pow_of_two(max_t(u32, before, PAGE_SIZE));
}

static bool link_alloc_all(struct sdp_link *link, u32 size, gfp_t gfp)
{
	struct sdp_ep *ep = sdp_ep(link->sk);
	struct sdp_buf *buf;
	u32 i;

	link->recv_size = size;
	for (i = 0; i < link->recv_bufs; i++) {
		buf = sdp_buf_alloc(ep, SDP_MEMORY_RECEIVE, link->pd, size, gfp);
		if (!buf)
			return false;
		list_add(&buf->all, &link->bufs);
	}
	return true;
}

static void link_unmap_all(struct sdp_link *link)
{
	struct sdp_buf *buf;

	list_for_each_entry(buf, &link->bufs, all)
		sdp_buf_unmap(link->pd, buf);
}

/* Buffers with unread payload stay with the socket. */
static void link_free_all(struct sdp_link *link)
{
	struct sdp_buf *buf, *next;

	list_for_each_entry_safe(buf, next, &link->bufs, all) {
		list_del_init(&buf->all);
		if (!buf->kept)
			sdp_buf_free(sdp_ep(link->sk), buf);
	}
}

/*
 * Allocate all receive buffers with one size, which is a page if memory for @size is not available.
 * Return: 0; -ENOBUFS: a limit of memory is reached.
 */
static int link_alloc_recv_bufs(struct sdp_link *link, u32 size, gfp_t gfp)
{
	if (link_alloc_all(link, size, gfp))
		return 0;
	if (size == PAGE_SIZE)
		return -ENOBUFS;
	link_unmap_all(link);
	link_free_all(link);
	return link_alloc_all(link, PAGE_SIZE, gfp) ? 0 : -ENOBUFS;
}

/*
 * Memory that a driver allocates is charged to the payer's cgroup, which may make the caller wait.
 * If the caller may not wait, a cgroup is not charged. Return: the cgroup to restore afterwards.
 */
static struct mem_cgroup *link_set_driver_payer(const struct sdp_link *link, gfp_t gfp)
{
	return set_active_memcg(gfpflags_allow_blocking(gfp) ? sdp_link_payer(sdp_ep(link->sk)) :
							       NULL);
}

static int link_alloc_pd(struct sdp_link *link, gfp_t gfp)
{
	struct mem_cgroup *before = link_set_driver_payer(link, gfp);
	struct ib_pd *pd = ib_alloc_pd(link->device->ib, 0);

	set_active_memcg(before);
	if (IS_ERR(pd))
		return PTR_ERR(pd);
	link->pd = pd;
	return 0;
}

static int link_map_slots(struct sdp_link *link)
{
	struct ib_device *ib = link->device->ib;
	u64 addr;
	u32 i;

	addr = ib_dma_map_single(ib, link->headers, sizeof(link->headers), DMA_TO_DEVICE);
	if (ib_dma_mapping_error(ib, addr))
		return -ENOMEM;
	link->slots_mapped = true;
	for (i = 0; i < SDP_CONTROL_BUFS; i++) {
		struct sdp_buf *slot = &link->slots[i];

		slot->sge.addr = addr + i * SDP_SLOT_SIZE;
		slot->sge.lkey = link->pd->local_dma_lkey;
		list_add_tail(&slot->list, &link->control);
	}
	return 0;
}

static int link_create_qp(struct sdp_link *link, u32 send_bufs)
{
	struct ib_device *ib = link->device->ib;
	/*
	 * The send queue has room for two requests of each buffer of full size, which send and
	 * register it; one request that registers another buffer while all these are outstanding;
	 * one request of each message without payload; and three requests for program memory in
	 * each direction, which register it, read or write, and invalidate it.
	 */
	u32 send = 2 * send_bufs + 1 + SDP_CONTROL_BUFS + 2 * 3;
	struct ib_qp_init_attr init = {
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		/* ib_drain_qp() needs one more work request in each queue. */
		.cap = { .max_send_wr = send + 1, .max_recv_wr = link->recv_bufs_most + 1,
			 .max_send_sge = 1, .max_recv_sge = 1 },
	};

	link->cq = ib_alloc_cq_any(ib, link, send + link->recv_bufs_most + 2, IB_POLL_SOFTIRQ);
	if (IS_ERR(link->cq)) {
		int err = PTR_ERR(link->cq);

		link->cq = NULL;
		return err;
	}
	init.send_cq = init.recv_cq = link->cq;
	link->qp = ib_create_qp(link->pd, &init);
	if (IS_ERR(link->qp)) {
		int err = PTR_ERR(link->qp);

		link->qp = NULL;
		return err;
	}
	return 0;
}

static int link_create_qp_by(struct sdp_link *link, u32 send_bufs, gfp_t gfp)
{
	struct mem_cgroup *before = link_set_driver_payer(link, gfp);
	int err = link_create_qp(link, send_bufs);

	set_active_memcg(before);
	return err;
}

static void link_unmap_bufs(struct sdp_link *link)
{
	link_unmap_all(link);
	if (link->slots_mapped)
		ib_dma_unmap_single(link->device->ib, link->slots[0].sge.addr,
				    sizeof(link->headers), DMA_TO_DEVICE);
}

/*
 * End the socket. There is no error if the peer has sent DisConn and no AbortConn, and the device
 * was not lost.
 */
static void link_report(struct sdp_ep *ep, const struct sdp_link *link)
{
	bool graceful = ep->conn.end.disconn_received && !ep->conn.end.abort_received;
	int err = link->lost ? ENETDOWN : link->err ? link->err : ECONNRESET;

	sdp_link_ops->ended(ep, graceful && !link->lost ? 0 : err);
}

static void link_free(struct sdp_link *link)
{
	sock_put(link->sk);
	kfree_rcu(link, rcu);
}

/*
 * Destroy all objects of the device except the CM's identifier. The function does not take the
 * socket lock, because a process can hold this lock for a long time. Pages of programs stay pinned.
 */
static void link_destroy_objects(struct sdp_link *link)
{
	struct sdp_ep *ep = sdp_ep(link->sk);

	ib_destroy_qp(link->qp);
	ib_free_cq(link->cq);
	link_unmap_bufs(link);
	sdp_pages_detach(ep->source_pages);
	sdp_pages_detach(ep->sink_pages);
	ib_dealloc_pd(link->pd);
}

/*
 * Destroying the identifier notifies the peer, and waits for the identifier's handler. Draining the
 * queue pair completes all received messages, on which the end of the connection depends.
 */
static void link_detach_device(struct sdp_link *link)
{
	sdp_gate_close(&link->setup);
	link->cm->destroy(link);
	sdp_task_end(sdp_ep(link->sk), &link->event_task);
	if (link->initialized)
		ib_drain_qp(link->qp);
	sdp_gate_close(&link->objects);
	sdp_device_remove_loop(link);
	link_destroy_objects(link);
	sdp_device_remove_link(link);
	complete_all(&link->gone);
}

/*
 * Destroy a link. Its objects of the device come first. The rest needs the socket lock; if a
 * process holds this lock, the work runs again after the lock was released.
 */
static void link_destroy(struct work_struct *work)
{
	struct sdp_link *link = container_of(work, struct sdp_link, task.work);
	struct sock *sk = link->sk;
	struct sdp_ep *ep = sdp_ep(sk);
	bool resumes;

	if (!completion_done(&link->gone))
		link_detach_device(link);
	if (!sdp_task_lock(ep, &link->task))
		return;
	resumes = sdp_resume_is_due(ep);
	if (resumes) {
		sdp_resume_keep(ep);
	} else {
		link_report(ep, link);
		INIT_LIST_HEAD(&ep->tx);
		ep->send_used = 0;
	}
	ep->tx_open = false;
	sdp_watch_end(ep);
	WRITE_ONCE(ep->link, NULL);
	ep->send_bufs = 0;
	ep->send_short = false;
	link_free_all(link);
	sdp_memory_remove_link(ep);
	sdp_link_ops->gone(ep, resumes);
	release_sock(sk);
	if (link->unborn)
		sock_put(sk);
	link_free(link);
}

/* Ignore a failed registration: the queue pair is in Error, and flushes all later requests. */
static void link_ignore(struct ib_cq *cq, struct ib_wc *wc)
{
}

/* Allocate a link with its fields and lists. Return: the link; NULL if memory is exhausted. */
static struct sdp_link *link_alloc(struct sdp_ep *ep, struct ib_device *ib,
				   const struct sdp_setup_ops *cm, gfp_t gfp)
{
	struct sdp_link *link = kzalloc(sizeof(*link), gfp);

	if (!link)
		return NULL;
	link->sk = sdp_ep_sock(ep);
	sock_hold(link->sk);
	link->larger_at = jiffies;
	link->psn = get_random_u32() & PSN_MASK;
	INIT_LIST_HEAD(&link->bufs);
	INIT_LIST_HEAD(&link->spares);
	INIT_LIST_HEAD(&link->free);
	INIT_LIST_HEAD(&link->control);
	INIT_LIST_HEAD(&link->early);
	INIT_LIST_HEAD(&link->sent);
	INIT_LIST_HEAD(&link->arrived);
	link->done = sdp_link_done;
	link->reg_cqe.done = link_ignore;
	sdp_task_init(&link->task, link_destroy);
	sdp_gate_open(&link->setup);
	sdp_gate_get(&link->setup);
	sdp_gate_open(&link->objects);
	init_completion(&link->gone);
	link->cm = cm;
	link->invalidates = rdma_protocol_iwarp(ib, 1);
	if (link->invalidates)
		link->read_access = IB_ACCESS_REMOTE_WRITE;
	link->pages_octets = sdp_pages_limit(ib);
	link->loops = sdp_address_is_loopback(&ep->daddr);
	link->saddr = ep->saddr;
	link->daddr = ep->daddr;
	return link;
}

/* Make the objects of the device. After an error, link_free_objects() frees those that exist. */
static int link_make_objects(struct sdp_link *link, u32 send_bufs, gfp_t gfp)
{
	int err = link_alloc_pd(link, gfp);

	if (!err)
		err = link_map_slots(link);
	if (!err)
		err = link_alloc_recv_bufs(link, link_recv_size_for(sdp_ep(link->sk)), gfp);
	return err ? err : link_create_qp_by(link, send_bufs, gfp);
}

static void link_free_objects(struct sdp_link *link)
{
	if (link->qp)
		ib_destroy_qp(link->qp);
	if (link->cq)
		ib_free_cq(link->cq);
	if (link->pd) {
		link_unmap_bufs(link);
		ib_dealloc_pd(link->pd);
	}
	link_free_all(link);
}

static int link_create(struct sdp_ep *ep, struct ib_device *ib, const struct sdp_setup_ops *cm,
		       gfp_t gfp)
{
	struct sdp_link *link = link_alloc(ep, ib, cm, gfp);
	u32 most = ib->attrs.max_qp_wr / 4, send_bufs;
	struct sock *sk = sdp_ep_sock(ep);
	int err = -ENOBUFS;

	if (!link)
		return -ENOMEM;
	if (!sdp_memory_add_link(ep))
		goto no_memory;
	err = -ENODEV;
	link->device = sdp_device_get(ib);
	if (!link->device)
		goto no_device;
	link->recv_bufs = SDP_RECV_BUFS_MIN;
	link->recv_bufs_most = min(link_bufs_for(sdp_memory_most(sk, SDP_MEMORY_RECEIVE)), most);
	link->recv_most = clamp_t(u32, sdp_memory_most(sk, SDP_MEMORY_RECEIVE),
				  SDP_RECV_BUFS_MIN * PAGE_SIZE,
				  link->recv_bufs_most * SDP_BUF_SIZE);
	send_bufs = link_bufs_for(sdp_memory_most(sk, SDP_MEMORY_SEND));
	send_bufs = max(min(send_bufs, most), ep->send_used);
	err = link_make_objects(link, send_bufs, gfp);
	if (err)
		goto no_objects;
	strscpy(link->device_name, ib->name, sizeof(link->device_name));
	link->qpn = link->qp->qp_num;
	err = sdp_device_add_link(link);
	if (err)
		goto no_objects;
	smp_store_release(&ep->link, link);
	ep->send_bufs = send_bufs;
	return 0;

no_objects:
	link_free_objects(link);
	sdp_device_put(link->device);
no_device:
	sdp_memory_remove_link(ep);
no_memory:
	link_free(link);
	return err;
}

int sdp_link_create(struct sdp_ep *ep, struct ib_device *ib, const struct sdp_setup_ops *cm,
		    gfp_t gfp)
{
	struct mem_cgroup *before = set_active_memcg(sdp_link_payer(ep));
	int err = link_create(ep, ib, cm, gfp);

	set_active_memcg(before);
	return err;
}

static int link_post_all(struct sdp_link *link)
{
	struct sdp_buf *buf;
	int err = 0;

	list_for_each_entry(buf, &link->bufs, all) {
		err = err ? err : sdp_link_post_recv(link, buf);
	}
	return err;
}

int sdp_link_init(struct sdp_link *link, struct ib_qp_attr *attr, int mask)
{
	int err;

	attr->qp_access_flags = IB_ACCESS_REMOTE_READ | IB_ACCESS_REMOTE_WRITE;
	err = ib_modify_qp(link->qp, attr, mask | IB_QP_ACCESS_FLAGS);
	if (err)
		return err;
	link->initialized = true;
	return link_post_all(link);
}

/* Change the queue pair's state. The peer's numbers of RDMA Reads may exceed the device's. */
static int link_modify(struct sdp_link *link, enum ib_qp_state state)
{
	const struct ib_device_attr *attrs = &link->device->ib->attrs;
	struct ib_qp_attr attr = { .qp_state = state };
	int err, mask;

	err = link->cm->init_qp_attr(link, &attr, &mask);
	if (err || !mask)
		return err;
	attr.max_rd_atomic = min_t(int, attr.max_rd_atomic, attrs->max_qp_init_rd_atom);
	attr.max_dest_rd_atomic = min_t(int, attr.max_dest_rd_atomic, attrs->max_qp_rd_atom);
	return ib_modify_qp(link->qp, &attr, mask);
}

int sdp_link_connect(struct sdp_link *link)
{
	int err = link_modify(link, IB_QPS_RTR);

	return err ? err : link_modify(link, IB_QPS_RTS);
}
