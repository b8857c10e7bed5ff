// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Creation and destruction of a connection's queue pair and buffers. */
#include "sdp/linux/link.h"
#include <linux/log2.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "sdp/linux/address.h"
#include "sdp/linux/idle.h"
#include "sdp/linux/pages.h"
#include "sdp/linux/resume.h"
#include "sdp/linux/setup.h"
#include "sdp/linux/transfer.h"

#define BUFS_MIN SDP_SEND_BUFS_MIN
#define BUFS_MAX 256
#define PSN_MASK 0xffffffu

static u32 bufs_for(u32 octets)
{
	return clamp_t(u32, octets / SDP_BUF_SIZE, BUFS_MIN, BUFS_MAX);
}

/*
 * Return the size of the first receive buffers. It is a page: a peer that has much to send requests
 * larger buffers. After a suspension it is at least the size before, if memory allows, because
 * queued messages of the peer may be as long.
 */
static u32 recv_size_for(const struct sdp_sock *ssk)
{
	u32 before = ssk->resume_port ? ssk->conn.size : 0;

	return roundup_pow_of_two(max_t(u32, before, PAGE_SIZE));
}

static bool alloc_all(struct sdp_link *link, u32 size, gfp_t gfp)
{
	struct sdp_sock *ssk = sdp_sk(link->sk);
	struct sdp_buf *buf;
	u32 i;

	link->recv_size = size;
	for (i = 0; i < link->recv_bufs; i++) {
		buf = sdp_buf_alloc(ssk, SDP_MEMORY_RECEIVE, link->pd, size, gfp);
		if (!buf)
			return false;
		list_add(&buf->all, &link->bufs);
	}
	return true;
}

static void unmap_all(struct sdp_link *link)
{
	struct sdp_buf *buf;

	list_for_each_entry(buf, &link->bufs, all)
		sdp_buf_unmap(link->pd, buf);
}

/* Buffers with unread payload stay with the socket. */
static void free_all(struct sdp_link *link)
{
	struct sdp_buf *buf, *next;

	list_for_each_entry_safe(buf, next, &link->bufs, all) {
		list_del_init(&buf->all);
		if (!buf->kept)
			sdp_buf_free(sdp_sk(link->sk), buf);
	}
}

/*
 * Allocate all receive buffers with one size, which is a page if memory for @size is not available.
 * Return: 0; -ENOBUFS: the limits of memory.
 */
static int alloc_recv_bufs(struct sdp_link *link, u32 size, gfp_t gfp)
{
	if (alloc_all(link, size, gfp))
		return 0;
	if (size == PAGE_SIZE)
		return -ENOBUFS;
	unmap_all(link);
	free_all(link);
	return alloc_all(link, PAGE_SIZE, gfp) ? 0 : -ENOBUFS;
}

/*
 * Memory that a driver allocates is charged to the payer's cgroup, which may make the caller wait.
 * If the caller may not wait, a cgroup is not charged. Return: the cgroup to restore afterwards.
 */
static struct mem_cgroup *set_driver_payer(const struct sdp_link *link, gfp_t gfp)
{
	return set_active_memcg(gfpflags_allow_blocking(gfp) ? sdp_link_payer(sdp_sk(link->sk)) :
							       NULL);
}

static int alloc_pd(struct sdp_link *link, gfp_t gfp)
{
	struct mem_cgroup *before = set_driver_payer(link, gfp);
	struct ib_pd *pd = ib_alloc_pd(link->device->ib, 0);

	set_active_memcg(before);
	if (IS_ERR(pd))
		return PTR_ERR(pd);
	link->pd = pd;
	return 0;
}

static int map_slots(struct sdp_link *link)
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

static int create_qp(struct sdp_link *link, u32 send_bufs)
{
	struct ib_device *ib = link->device->ib;
	/*
	 * Each buffer of the full size is sent and registered, also the one that waits while all
	 * others are outstanding. Pages of programs are registered, read and invalidated.
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

static int create_qp_by(struct sdp_link *link, u32 send_bufs, gfp_t gfp)
{
	struct mem_cgroup *before = set_driver_payer(link, gfp);
	int err = create_qp(link, send_bufs);

	set_active_memcg(before);
	return err;
}

static void unmap_bufs(struct sdp_link *link)
{
	unmap_all(link);
	if (link->slots_mapped)
		ib_dma_unmap_single(link->device->ib, link->slots[0].sge.addr,
				    sizeof(link->headers), DMA_TO_DEVICE);
}

/* End the socket, without an error if both ends have closed a connection that was not aborted. */
static void report(struct sdp_sock *ssk, const struct sdp_link *link)
{
	bool graceful = ssk->conn.disconn_received && !ssk->conn.abort_received;
	int err = link->lost ? ENETDOWN : link->err ? link->err : ECONNRESET;

	sdp_sock_end(ssk, graceful && !link->lost ? 0 : err);
}

static void free_link(struct sdp_link *link)
{
	sock_put(link->sk);
	kfree_rcu(link, rcu);
}

/* Without the socket lock, which a process can hold for long. Pinned pages stay pinned. */
static void destroy_objects(struct sdp_link *link)
{
	struct sdp_sock *ssk = sdp_sk(link->sk);

	ib_destroy_qp(link->qp);
	ib_free_cq(link->cq);
	unmap_bufs(link);
	sdp_pages_detach(ssk->source_pages);
	sdp_pages_detach(ssk->sink_pages);
	ib_dealloc_pd(link->pd);
}

/*
 * Destroying the identifier notifies the peer, and waits for the identifier's handler. Draining the
 * queue pair completes all received messages, on which the end of the connection depends.
 */
static void detach_device(struct sdp_link *link)
{
	sdp_gate_close(&link->setup);
	link->cm->destroy(link);
	sdp_task_end(sdp_sk(link->sk), &link->event_task);
	if (link->initialized)
		ib_drain_qp(link->qp);
	sdp_gate_close(&link->objects);
	sdp_device_remove_loop(link);
	destroy_objects(link);
	sdp_device_remove_link(link);
	complete_all(&link->gone);
}

/* Destroy a link. The work runs again if a process holds the socket lock. */
static void destroy(struct work_struct *work)
{
	struct sdp_link *link = container_of(work, struct sdp_link, task.work);
	struct sock *sk = link->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	bool resumes;

	if (!completion_done(&link->gone))
		detach_device(link);
	if (!sdp_task_lock(ssk, &link->task))
		return;
	resumes = sdp_resume_is_due(ssk);
	if (resumes) {
		sdp_resume_keep(ssk);
	} else {
		report(ssk, link);
		INIT_LIST_HEAD(&ssk->tx);
		ssk->send_used = 0;
	}
	ssk->tx_open = false;
	sdp_idle_end(ssk);
	WRITE_ONCE(ssk->link, NULL);
	ssk->send_bufs = 0;
	ssk->send_short = false;
	free_all(link);
	sdp_memory_remove_link(ssk);
	sdp_zsend_kick(&ssk->zsend);
	if (resumes)
		sdp_resume_begin(ssk);
	sk->sk_state_change(sk);
	release_sock(sk);
	if (link->unborn)
		sock_put(sk);
	free_link(link);
}

/* A failed request takes the queue pair to Error, which flushes and reports later requests. */
static void ignore(struct ib_cq *cq, struct ib_wc *wc)
{
}

static int create(struct sdp_sock *ssk, struct ib_device *ib, const struct sdp_setup_ops *cm,
		  gfp_t gfp)
{
	struct sock *sk = sdp_sock(ssk);
	struct sdp_link *link = kzalloc(sizeof(*link), gfp);
	u32 most = ib->attrs.max_qp_wr / 4, size = recv_size_for(ssk), send_bufs;
	int err;

	if (!link)
		return -ENOMEM;
	if (!sdp_memory_add_link(ssk)) {
		kfree(link);
		return -ENOBUFS;
	}
	link->sk = sk;
	link->larger_at = jiffies;
	link->psn = get_random_u32() & PSN_MASK;
	INIT_LIST_HEAD(&link->bufs);
	INIT_LIST_HEAD(&link->spares);
	INIT_LIST_HEAD(&link->free);
	INIT_LIST_HEAD(&link->control);
	INIT_LIST_HEAD(&link->early);
	INIT_LIST_HEAD(&link->sent);
	link->reg_cqe.done = ignore;
	INIT_LIST_HEAD(&link->arrived);
	sdp_task_init(&link->task, destroy);
	sdp_gate_open(&link->setup);
	sdp_gate_get(&link->setup);
	sdp_gate_open(&link->objects);
	init_completion(&link->gone);
	link->cm = cm;
	link->invalidates = rdma_protocol_iwarp(ib, 1);
	if (link->invalidates)
		link->read_access = IB_ACCESS_REMOTE_WRITE;
	link->pages_octets = sdp_pages_limit(ib);
	link->loops = sdp_address_is_loopback(&ssk->daddr);
	link->saddr = ssk->saddr;
	link->daddr = ssk->daddr;
	sock_hold(sk);
	link->device = sdp_device_get(ib);
	if (!link->device) {
		sdp_memory_remove_link(ssk);
		sock_put(sk);
		kfree(link);
		return -ENODEV;
	}
	link->recv_bufs = SDP_RECV_BUFS_MIN;
	link->recv_bufs_most = min(bufs_for(sdp_memory_most(sk, SDP_MEMORY_RECEIVE)), most);
	link->recv_most = link->recv_bufs_most * SDP_BUF_SIZE;
	send_bufs = max(min(bufs_for(sdp_memory_most(sk, SDP_MEMORY_SEND)), most),
			ssk->send_used);
	err = alloc_pd(link, gfp);
	if (!err)
		err = map_slots(link);
	if (!err)
		err = alloc_recv_bufs(link, size, gfp);
	if (!err)
		err = create_qp_by(link, send_bufs, gfp);
	if (err)
		goto failed;
	strscpy(link->device_name, ib->name, sizeof(link->device_name));
	link->qpn = link->qp->qp_num;
	err = sdp_device_add_link(link);
	if (err)
		goto failed;
	smp_store_release(&ssk->link, link);
	ssk->send_bufs = send_bufs;
	return 0;

failed:
	if (link->qp)
		ib_destroy_qp(link->qp);
	if (link->cq)
		ib_free_cq(link->cq);
	if (link->pd) {
		unmap_bufs(link);
		ib_dealloc_pd(link->pd);
	}
	free_all(link);
	sdp_memory_remove_link(ssk);
	sdp_device_put(link->device);
	free_link(link);
	return err;
}

int sdp_link_create(struct sdp_sock *ssk, struct ib_device *ib, const struct sdp_setup_ops *cm,
		    gfp_t gfp)
{
	struct mem_cgroup *before = set_active_memcg(sdp_link_payer(ssk));
	int err = create(ssk, ib, cm, gfp);

	set_active_memcg(before);
	return err;
}

static int post_all(struct sdp_link *link)
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
	return post_all(link);
}

/* The CM's numbers of RDMA Reads are those of the peer, and are limited to the device's. */
static int modify(struct sdp_link *link, enum ib_qp_state state)
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
	int err = modify(link, IB_QPS_RTR);

	return err ? err : modify(link, IB_QPS_RTS);
}

static void queue_destroy(struct sdp_link *link)
{
	if (!test_and_set_bit(0, &link->ended))
		sdp_task_queue(&link->task);
}

void sdp_link_stop(struct sdp_sock *ssk)
{
	struct sdp_link *link = ssk->link;

	if (!link || link->stopped)
		return;
	link->stopped = true;
	queue_destroy(link);
}

void sdp_link_lose(struct sdp_link *link)
{
	WRITE_ONCE(link->lost, true);
	queue_destroy(link);
}

void sdp_link_stop_when_sent(struct sdp_sock *ssk)
{
	struct sdp_link *link = ssk->link;

	if (!link)
		return;
	link->stopping = true;
	if (!link->outstanding)
		sdp_link_stop(ssk);
}
