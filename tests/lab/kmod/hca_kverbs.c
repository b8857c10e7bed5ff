// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A kernel consumer of hca0 and hca1, for the lab: it connects a queue pair of each and posts with
 * interrupts disabled and a spinlock held, as ib_mad and storage drivers do. All tests run when
 * the module is loaded; each result is a line "hca_kverbs: ok - NAME" of the kernel's log.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include "device.h"
#include "rc.h"

#define MESSAGES 64
#define BYTES 3000

struct side {
	struct ib_device *dev;
	struct ib_pd *pd;
	struct ib_cq *send_cq, *recv_cq;
	struct ib_qp *qp;
	struct ib_port_attr port;
	u8 *buffer;
};

struct receive {
	struct ib_cqe cqe;
	u32 index;
};

static struct side sides[2];
static struct receive receives[MESSAGES + 1];
static DECLARE_COMPLETION(all_received);
static DECLARE_COMPLETION(all_sent);
static DECLARE_COMPLETION(flushed);
static atomic_t received, sent;
static bool in_order = true, in_softirq_only = true;
static u32 next_index;

static void verdict(bool ok, const char *name)
{
	pr_info("hca_kverbs: %sok - %s\n", ok ? "" : "not ", name);
}

static void recv_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct receive *r = container_of(wc->wr_cqe, struct receive, cqe);

	if (wc->status == IB_WC_WR_FLUSH_ERR) {
		complete(&flushed);
		return;
	}
	if (wc->status || r->index != next_index++ || wc->byte_len != BYTES ||
	    wc->qp != sides[1].qp)
		in_order = false;
	if (!in_softirq())
		in_softirq_only = false;
	if (atomic_inc_return(&received) == MESSAGES)
		complete(&all_received);
}

static void send_done(struct ib_cq *cq, struct ib_wc *wc)
{
	if (!wc->status && atomic_inc_return(&sent) == MESSAGES)
		complete(&all_sent);
}

static struct ib_cqe send_cqe = { .done = send_done };

static int side_open(struct side *s, const char *name)
{
	struct ib_qp_init_attr init = {
		.cap = { .max_send_wr = MESSAGES, .max_recv_wr = MESSAGES + 1, .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_ALL_WR,
	};

	s->dev = device_get(name);
	if (!s->dev)
		return -ENODEV;
	s->buffer = kzalloc(MESSAGES * BYTES, GFP_KERNEL);
	s->pd = ib_alloc_pd(s->dev, 0);
	s->send_cq = ib_alloc_cq(s->dev, NULL, MESSAGES, 0, IB_POLL_WORKQUEUE);
	s->recv_cq = ib_alloc_cq(s->dev, NULL, MESSAGES + 1, 0, IB_POLL_SOFTIRQ);
	if (!s->buffer || IS_ERR(s->pd) || IS_ERR(s->send_cq) || IS_ERR(s->recv_cq))
		return -ENOMEM;
	init.send_cq = s->send_cq;
	init.recv_cq = s->recv_cq;
	s->qp = ib_create_qp(s->pd, &init);
	return IS_ERR(s->qp) ? PTR_ERR(s->qp) : ib_query_port(s->dev, 1, &s->port);
}

static void side_close(struct side *s)
{
	if (!IS_ERR_OR_NULL(s->qp))
		ib_destroy_qp(s->qp);
	if (!IS_ERR_OR_NULL(s->send_cq))
		ib_free_cq(s->send_cq);
	if (!IS_ERR_OR_NULL(s->recv_cq))
		ib_free_cq(s->recv_cq);
	if (!IS_ERR_OR_NULL(s->pd))
		ib_dealloc_pd(s->pd);
	kfree(s->buffer);
	if (s->dev)
		ib_device_put(s->dev);
}

static int connect(struct side *s, const struct side *peer)
{
	const struct ib_qp_attr attr = {
		.rq_psn = 0xffffe0,
		.sq_psn = 0xffffe0,
		.max_dest_rd_atomic = 1,
		.max_rd_atomic = 1,
	};

	return rc_connect(s->qp, peer->qp, peer->port.lid, attr);
}

static int post_receives(struct side *s)
{
	int i, ret = 0;

	for (i = 0; i <= MESSAGES && !ret; i++) {
		struct ib_sge sge = {
			.addr = (uintptr_t)s->buffer + (i % MESSAGES) * BYTES,
			.length = BYTES,
			.lkey = s->pd->local_dma_lkey,
		};
		struct ib_recv_wr wr = { .sg_list = &sge, .num_sge = 1 };

		receives[i].cqe.done = recv_done;
		receives[i].index = i;
		wr.wr_cqe = &receives[i].cqe;
		ret = ib_post_recv(s->qp, &wr, NULL);
	}
	return ret;
}

/* Documentation/infiniband/core_locking.rst: no handler may run inside a post. */
static bool post_atomic(struct side *s)
{
	static DEFINE_SPINLOCK(lock);
	unsigned long flags;
	int i, ret = 0;

	spin_lock_irqsave(&lock, flags);
	for (i = 0; i < MESSAGES && !ret; i++) {
		struct ib_sge sge = {
			.addr = (uintptr_t)s->buffer + i * BYTES,
			.length = BYTES,
			.lkey = s->pd->local_dma_lkey,
		};
		struct ib_send_wr wr = {
			.wr_cqe = &send_cqe,
			.sg_list = &sge,
			.num_sge = 1,
			.opcode = IB_WR_SEND,
		};

		ret = ib_post_send(s->qp, &wr, NULL);
	}
	/* V3-292, V3-294: another CPU may run the handler already; this one must not. */
	verdict(num_online_cpus() > 1 || !atomic_read(&received),
		"nothing is received while the poster holds its lock");
	spin_unlock_irqrestore(&lock, flags);
	return !ret;
}

static int datagram_ready(struct ib_qp *qp)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT, .port_num = 1, .qkey = 1 };
	int ret;

	ret = ib_modify_qp(qp, &attr,
			   IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_QKEY);
	attr.qp_state = IB_QPS_RTR;
	ret = ret ?: ib_modify_qp(qp, &attr, IB_QP_STATE);
	attr.qp_state = IB_QPS_RTS;
	return ret ?: ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_SQ_PSN);
}

/* Posts a datagram with an address handle of @pd. */
static int post_by(struct ib_qp *qp, struct ib_pd *pd, const struct side *peer)
{
	struct rdma_ah_attr attr = { .type = RDMA_AH_ATTR_TYPE_IB };
	struct ib_ud_wr wr = { .wr.opcode = IB_WR_SEND, .wr.wr_cqe = &send_cqe };
	int ret;

	rdma_ah_set_dlid(&attr, peer->port.lid);
	rdma_ah_set_port_num(&attr, 1);
	wr.remote_qpn = 0xfffff0;
	wr.ah = rdma_create_ah(pd, &attr, 0);
	if (IS_ERR(wr.ah))
		return PTR_ERR(wr.ah);
	ret = ib_post_send(qp, &wr.wr, NULL);
	rdma_destroy_ah(wr.ah, 0);
	return ret;
}

/* C4-049, V3-324, V3-325: a handle says what it was made of, and what it is modified to. */
static bool handle_changes(struct side *s, const struct side *peer)
{
	struct rdma_ah_attr attr = { .type = RDMA_AH_ATTR_TYPE_IB };
	struct rdma_ah_attr made = attr, modified = attr;
	struct ib_ah *ah;
	bool ok;

	rdma_ah_set_dlid(&attr, peer->port.lid);
	rdma_ah_set_port_num(&attr, 1);
	ah = rdma_create_ah(s->pd, &attr, 0);
	if (IS_ERR(ah))
		return false;
	ok = !rdma_query_ah(ah, &made) && rdma_ah_get_dlid(&made) == peer->port.lid;
	rdma_ah_set_dlid(&attr, peer->port.lid + 1);
	rdma_ah_set_sl(&attr, 3);
	ok = ok && !rdma_modify_ah(ah, &attr) && !rdma_query_ah(ah, &modified) &&
	     rdma_ah_get_dlid(&modified) == peer->port.lid + 1 && rdma_ah_get_sl(&modified) == 3;
	rdma_destroy_ah(ah, 0);
	return ok;
}

static void quiet_done(struct ib_cq *cq, struct ib_wc *wc)
{
}

static struct ib_cqe quiet = { .done = quiet_done };

/*
 * A pointer is set to the first request of a list that is refused. If no request is refused, the
 * pointer stays as it is.
 */
static void lists(struct ib_qp *sender, struct ib_qp *receiver)
{
	struct ib_recv_wr recv[2] = { { .wr_cqe = &quiet, .next = &recv[1] },
				      { .wr_cqe = &quiet } };
	struct ib_rdma_wr write[2] = {
		{ .wr = { .wr_cqe = &quiet, .opcode = IB_WR_RDMA_WRITE, .next = &write[1].wr } },
		{ .wr = { .wr_cqe = &quiet, .opcode = IB_WR_RDMA_WRITE } },
	};
	const struct ib_recv_wr *bad_recv = NULL;
	const struct ib_send_wr *bad_send = NULL;

	verdict(!ib_post_recv(receiver, recv, &bad_recv) && !bad_recv,
		"a list of receive requests");
	recv[1].num_sge = 99;
	verdict(ib_post_recv(receiver, recv, &bad_recv) == -EINVAL && bad_recv == &recv[1],
		"... of which the second is wrong");
	verdict(!ib_post_send(sender, &write[0].wr, &bad_send) && !bad_send,
		"a list of send requests");
	write[1].wr.num_sge = 99;
	verdict(ib_post_send(sender, &write[0].wr, &bad_send) == -EINVAL &&
			bad_send == &write[1].wr,
		"... of which the second is wrong");
}

/* V3-081: a handle is good for the queue pairs of its protection domain. */
static void handles(struct side *s, const struct side *peer)
{
	struct ib_qp_init_attr init = {
		.cap = { .max_send_wr = 4, .max_send_sge = 1 },
		.qp_type = IB_QPT_UD,
		.sq_sig_type = IB_SIGNAL_ALL_WR,
		.send_cq = s->send_cq,
		.recv_cq = s->recv_cq,
	};
	struct ib_pd *other = ib_alloc_pd(s->dev, 0);
	struct ib_qp *qp = ib_create_qp(s->pd, &init);

	if (!IS_ERR(other) && !IS_ERR(qp) && !datagram_ready(qp)) {
		verdict(!post_by(qp, s->pd, peer), "an address handle of the same domain");
		verdict(post_by(qp, other, peer) == -EINVAL, "none of another domain");
	} else {
		verdict(false, "a datagram queue pair");
	}
	if (!IS_ERR(qp))
		ib_destroy_qp(qp);
	if (!IS_ERR(other))
		ib_dealloc_pd(other);
}

/* rdma_rw_ctx_init() needs the memory regions that ib_create_qp() makes for as many contexts. */
static void contexts(struct side *s)
{
	struct ib_qp_init_attr init = {
		.cap = { .max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1,
			 .max_rdma_ctxs = 8 },
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.port_num = 1,
		.send_cq = s->send_cq,
		.recv_cq = s->recv_cq,
	};
	struct ib_qp *qp = ib_create_qp(s->pd, &init);

	verdict(!IS_ERR(qp) && init.cap.max_rdma_ctxs == 8,
		"a new queue pair keeps its number of contexts of rdma_rw");
	if (!IS_ERR(qp))
		ib_destroy_qp(qp);
}

struct handler {
	struct completion begun;
	bool may_sleep, ended;
	enum ib_event_type event;
};

static void slow_handler(struct ib_event *event, void *context)
{
	struct handler *handler = context;

	handler->event = event->event;
	handler->may_sleep = in_task() && !in_atomic() && !irqs_disabled();
	complete(&handler->begun);
	if (handler->may_sleep)
		msleep(100);
	WRITE_ONCE(handler->ended, true);
}

static void events(struct side *s)
{
	struct handler handler = {};
	struct ib_qp_init_attr init = {
		.event_handler = slow_handler,
		.qp_context = &handler,
		.cap = { .max_send_wr = 4, .max_send_sge = 1 },
		.qp_type = IB_QPT_UD,
		.send_cq = s->send_cq,
		.recv_cq = s->recv_cq,
	};
	struct ib_qp_attr drained = { .qp_state = IB_QPS_SQD, .en_sqd_async_notify = 1 };
	struct ib_qp *qp;
	bool ok;

	init_completion(&handler.begun);
	qp = ib_create_qp(s->pd, &init);
	if (IS_ERR(qp)) {
		verdict(false, "a queue pair with a handler of events");
		return;
	}
	ok = !datagram_ready(qp) &&
	     !ib_modify_qp(qp, &drained, IB_QP_STATE | IB_QP_EN_SQD_ASYNC_NOTIFY) &&
	     wait_for_completion_timeout(&handler.begun, 10 * HZ);
	ib_destroy_qp(qp);
	/* V3-217 */
	verdict(ok && handler.event == IB_EVENT_SQ_DRAINED, "its handler is called of an event");
	verdict(ok && handler.may_sleep, "... where it may sleep");
	/* V3-188 */
	verdict(ok && READ_ONCE(handler.ended), "... and destroying the queue pair waits for it");
}

static void run(struct side *a, struct side *b)
{
	struct ib_qp_attr error = { .qp_state = IB_QPS_ERR };
	int i;

	for (i = 0; i < MESSAGES * BYTES; i++)
		a->buffer[i] = i * 31 + (i >> 8);
	verdict(!connect(a, b) && !connect(b, a), "kernel queue pairs reach RTS");
	verdict(!post_receives(b), "post receive");
	verdict(post_atomic(a), "post send with interrupts off");
	verdict(wait_for_completion_timeout(&all_received, 10 * HZ), "all are received");
	verdict(wait_for_completion_timeout(&all_sent, 10 * HZ), "all are acknowledged");
	verdict(in_order, "in order, with length and queue pair");
	/* V3-292 */
	verdict(in_softirq_only, "handlers run with bottom halves disabled");
	verdict(!memcmp(a->buffer, b->buffer, MESSAGES * BYTES), "data are the same");
	lists(a->qp, b->qp);
	verdict(!ib_modify_qp(b->qp, &error, IB_QP_STATE) &&
			wait_for_completion_timeout(&flushed, 10 * HZ),
		"what is left is flushed in Error");
	ib_drain_qp(a->qp);
	verdict(true, "ib_drain_qp returns (R0-095, R0-128)");
	verdict(handle_changes(a, b), "an address handle is queried and modified");
	handles(a, b);
	contexts(a);
	events(a);
}

static int __init kverbs_init(void)
{
	int ret = side_open(&sides[0], "hca0") ?: side_open(&sides[1], "hca1");

	if (ret)
		pr_info("hca_kverbs: not ok - open: %d\n", ret);
	else
		run(&sides[0], &sides[1]);
	side_close(&sides[0]);
	side_close(&sides[1]);
	return ret;
}

static void __exit kverbs_exit(void)
{
}

module_init(kverbs_init);
module_exit(kverbs_exit);
MODULE_DESCRIPTION("Kernel consumer of hca0 and hca1 for the lab");
MODULE_LICENSE("Dual BSD/GPL");
