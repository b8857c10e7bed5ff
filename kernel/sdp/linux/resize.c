// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Private buffers of another size, as the peer wants them. */
#include "sdp/linux/resize.h"
#include <linux/log2.h>
#include <linux/sched/mm.h>

static void discard(struct sdp_link *link, struct sdp_buf *buf)
{
	sdp_buf_unmap(link->pd, buf);
	list_del(&buf->all);
	sdp_buf_free(sdp_sk(link->sk), buf);
}

static void discard_all(struct sdp_link *link, struct list_head *spares)
{
	struct sdp_buf *buf, *next;

	list_for_each_entry_safe(buf, next, spares, list) {
		list_del(&buf->list);
		discard(link, buf);
	}
}

/*
 * Count the buffers of another size that are posted, or have what was not read. Bound: all buffers
 * of the link.
 */
static u32 count_others(const struct sdp_link *link, u32 size)
{
	const struct sdp_buf *buf;
	u32 count = 0;

	list_for_each_entry(buf, &link->bufs, all) {
		count += buf->receives && buf->size != size;
	}
	return count;
}

static bool alloc_spares(struct sdp_link *link, u32 count, u32 size, struct list_head *spares)
{
	struct sdp_sock *ssk = sdp_sk(link->sk);
	struct sdp_buf *buf;

	while (count--) {
		buf = sdp_buf_alloc(ssk, SDP_MEMORY_RECEIVE, link->pd, size, SDP_GFP_NOWAIT);
		if (!buf)
			return false;
		list_add(&buf->all, &link->bufs);
		list_add(&buf->list, spares);
	}
	return true;
}

/* If there is no memory those of the size before stay, for the buffers that are not of that yet. */
static bool alloc_anew(struct sdp_sock *ssk, u32 size)
{
	struct sdp_link *link = ssk->link;
	struct mem_cgroup *before = set_active_memcg(sdp_link_payer(ssk));
	LIST_HEAD(spares);
	bool done = alloc_spares(link, count_others(link, size), size, &spares);

	set_active_memcg(before);
	discard_all(link, done ? &link->spares : &spares);
	if (!done)
		return false;
	list_splice_init(&spares, &link->spares);
	link->recv_size = size;
	return true;
}

static bool alloc_all(struct sdp_sock *ssk, u32 size)
{
	struct sdp_gate *gate = &ssk->link->objects;
	bool done;

	if (!sdp_gate_get(gate))
		return false;
	done = alloc_anew(ssk, size);
	sdp_gate_put(gate);
	return done;
}

void sdp_resize(struct sdp_sock *ssk, const struct sdp_delivery *delivery)
{
	u32 size = max_t(u32, delivery->resize, PAGE_SIZE);

	if (delivery->resize && alloc_all(ssk, roundup_pow_of_two(size)))
		sdp_conn_resized(&ssk->conn, delivery->resize);
	if (delivery->peer_resized)
		sdp_resize_limit(ssk);
}

struct sdp_buf *sdp_resize_exchange(struct sdp_link *link, struct sdp_buf *buf)
{
	struct sdp_buf *spare;

	if (buf->size == link->recv_size)
		return buf;
	spare = list_first_entry(&link->spares, struct sdp_buf, list);
	list_del_init(&spare->list);
	discard(link, buf);
	return spare;
}
