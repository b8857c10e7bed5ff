// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Loopback: packets from a port to itself, their credits, and senders that wait for credit. */
#include "link/tx/loopback.h"
#include "link/port/port.h"
#include "packet/batch.h"
#include "trace/hca.h"

void hca_loopback_init(struct hca_loopback *loopback)
{
	INIT_LIST_HEAD(&loopback->blocked);
	loopback->limit = HCA_VL_BUFFER_BLOCKS;
}

static bool loopback_has_credit(const struct hca_loopback *loopback, u32 blocks)
{
	return (s32)(READ_ONCE(loopback->limit) - (loopback->sent + blocks)) >= 0;
}

/* Consume loopback credit for @blocks. If there is not enough credit, queue @blocked. */
static bool loopback_consume_credit(struct hca_port *port, u32 blocks,
				    struct hca_blocked_sender *blocked)
{
	struct hca_loopback *loopback = &port->loopback;
	bool ok;

	spin_lock(&port->tx.lock);
	ok = loopback_has_credit(loopback, blocks);
	if (!ok && blocked) {
		if (list_empty(&blocked->node))
			list_add_tail(&blocked->node, &loopback->blocked);
		WRITE_ONCE(loopback->has_blocked, true);
		/*
		 * Either hca_loopback_return() sees has_blocked, or loopback_has_credit() sees its
		 * limit.
		 */
		smp_mb();
		ok = loopback_has_credit(loopback, blocks);
		if (ok)
			list_del_init(&blocked->node);
	}
	if (ok)
		loopback->sent += blocks;
	spin_unlock(&port->tx.lock);
	return ok;
}

bool hca_loopback_send(struct hca_port *port, struct hca_packet *pkt,
		       struct hca_blocked_sender *blocked)
{
	if (pkt->h.lrh.vl == HCA_VL_MANAGEMENT) {
		if (atomic_inc_return(&port->rx_buffer.vl15_queued) > HCA_VL15_BUFFER) {
			atomic_dec(&port->rx_buffer.vl15_queued);
			trace_hca_drop(port, pkt, HCA_DROP_VL15_FULL);
			hca_packet_free(pkt);
			return true;
		}
	} else if (!loopback_consume_credit(port, hca_batch_blocks(pkt), blocked)) {
		return false;
	}
	pkt->flags |= HCA_PACKET_LOOPBACK;
	hca_port_enqueue(port, pkt);
	return true;
}

void hca_loopback_return(struct hca_port *port, u32 blocks)
{
	struct hca_loopback *loopback = &port->loopback;
	struct hca_blocked_sender *blocked, *next;

	WRITE_ONCE(loopback->limit, loopback->limit + blocks);
	/*
	 * Publish the new limit before reading has_blocked; pairs with loopback_consume_credit().
	 */
	smp_mb();
	if (!READ_ONCE(loopback->has_blocked))
		return;
	spin_lock(&port->tx.lock);
	/* Each queue pair is in the list at most once: HCA_MAX_QP bounds the loop. */
	list_for_each_entry_safe(blocked, next, &loopback->blocked, node) {
		list_del_init(&blocked->node);
		hca_run_schedule(blocked->runnable);
	}
	WRITE_ONCE(loopback->has_blocked, false);
	spin_unlock(&port->tx.lock);
}
