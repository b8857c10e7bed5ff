// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A kernel consumer of hca0 and hca1, for the lab: it registers memory by work requests, lets its
 * peer access the memory, and invalidates the key, as storage drivers do. All tests run when the
 * module is loaded; each result is a line "hca_fastreg: ok - NAME" of the kernel's log.
 */
#include <linux/completion.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include "device.h"
#include "rc.h"

#define PAGES 5
#define FIRST 1234 /* offset of the MR in its first page, octets */
#define BYTES (PAGES * PAGE_SIZE - FIRST - 567)

struct side {
	struct ib_device *dev;
	struct ib_pd *pd;
	struct ib_cq *cq;
	struct ib_qp *qp;
	struct ib_mr *mr;
	struct ib_port_attr port;
	struct page *page[PAGES];
	struct scatterlist sg[PAGES];
	u8 *buffer; /* BYTES octets of contiguous memory */
};

struct done {
	struct ib_cqe cqe;
	struct completion done;
	struct ib_wc wc;
};

static struct side sides[2];

static void verdict(bool ok, const char *name)
{
	pr_info("hca_fastreg: %sok - %s\n", ok ? "" : "not ", name);
}

static void completed(struct ib_cq *cq, struct ib_wc *wc)
{
	struct done *done = container_of(wc->wr_cqe, struct done, cqe);

	done->wc = *wc;
	complete(&done->done);
}

static struct ib_cqe *watch(struct done *done)
{
	done->cqe.done = completed;
	init_completion(&done->done);
	return &done->cqe;
}

/* Return: the status of the completion; -1: none was added in time. */
static int status(struct done *done)
{
	return wait_for_completion_timeout(&done->done, 10 * HZ) ? (int)done->wc.status : -1;
}

static int memory_alloc(struct side *s)
{
	int i;

	s->buffer = kmalloc(BYTES, GFP_KERNEL);
	if (!s->buffer)
		return -ENOMEM;
	sg_init_table(s->sg, PAGES);
	for (i = 0; i < PAGES; i++) {
		unsigned int begin = i ? 0 : FIRST;
		unsigned int end = i == PAGES - 1 ? PAGE_SIZE - 567 : PAGE_SIZE;

		s->page[i] = alloc_page(GFP_KERNEL | __GFP_ZERO);
		if (!s->page[i])
			return -ENOMEM;
		sg_set_page(&s->sg[i], s->page[i], end - begin, begin);
	}
	return ib_dma_map_sg(s->dev, s->sg, PAGES, DMA_BIDIRECTIONAL) == PAGES ? 0 : -ENOMEM;
}

static int side_open(struct side *s, const char *name)
{
	struct ib_qp_init_attr init = {
		.cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
	};

	s->dev = device_get(name);
	if (!s->dev)
		return -ENODEV;
	s->pd = ib_alloc_pd(s->dev, 0);
	s->cq = ib_alloc_cq(s->dev, NULL, 64, 0, IB_POLL_WORKQUEUE);
	if (IS_ERR(s->pd) || IS_ERR(s->cq))
		return -ENOMEM;
	s->mr = ib_alloc_mr(s->pd, IB_MR_TYPE_MEM_REG, PAGES);
	if (IS_ERR(s->mr) || memory_alloc(s))
		return -ENOMEM;
	init.send_cq = s->cq;
	init.recv_cq = s->cq;
	s->qp = ib_create_qp(s->pd, &init);
	return IS_ERR(s->qp) ? PTR_ERR(s->qp) : ib_query_port(s->dev, 1, &s->port);
}

static void side_close(struct side *s)
{
	int i;

	if (!IS_ERR_OR_NULL(s->qp))
		ib_destroy_qp(s->qp);
	if (!IS_ERR_OR_NULL(s->mr))
		ib_dereg_mr(s->mr);
	if (!IS_ERR_OR_NULL(s->cq))
		ib_free_cq(s->cq);
	if (!IS_ERR_OR_NULL(s->pd))
		ib_dealloc_pd(s->pd);
	for (i = 0; i < PAGES; i++)
		if (s->page[i])
			__free_page(s->page[i]);
	kfree(s->buffer);
	if (s->dev)
		ib_device_put(s->dev);
}

static int connect(struct side *s, const struct side *peer)
{
	const struct ib_qp_attr attr = {
		.qp_access_flags = IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ,
		.max_dest_rd_atomic = 4,
		.max_rd_atomic = 4,
	};

	return rc_connect(s->qp, peer->qp, peer->port.lid, attr);
}

static int reconnect(struct side *a, struct side *b)
{
	struct ib_qp_attr reset = { .qp_state = IB_QPS_RESET };

	return ib_modify_qp(a->qp, &reset, IB_QP_STATE) ?:
	       ib_modify_qp(b->qp, &reset, IB_QP_STATE) ?:
	       connect(a, b) ?: connect(b, a);
}

/* Registers the memory with a new key and sends the key to the peer by one list of requests. */
static int offer(struct side *s, struct done *reg, struct done *sent)
{
	struct ib_sge sge = { .addr = (uintptr_t)s->buffer, .length = 16,
			      .lkey = s->pd->local_dma_lkey };
	struct ib_send_wr send = {
		.wr_cqe = watch(sent),
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IB_WR_SEND,
		.send_flags = IB_SEND_SIGNALED,
	};
	struct ib_reg_wr wr = {
		.wr = { .wr_cqe = watch(reg), .opcode = IB_WR_REG_MR, .next = &send,
			.send_flags = IB_SEND_SIGNALED },
		.mr = s->mr,
		.access = IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ,
	};

	if (ib_map_mr_sg(s->mr, s->sg, PAGES, NULL, PAGE_SIZE) != PAGES)
		return -EINVAL;
	ib_update_fast_reg_key(s->mr, s->mr->rkey + 1);
	wr.key = s->mr->rkey;
	return ib_post_send(s->qp, &wr.wr, NULL);
}

static int receive(struct side *s, struct done *done)
{
	struct ib_sge sge = { .addr = (uintptr_t)s->buffer, .length = 16,
			      .lkey = s->pd->local_dma_lkey };
	struct ib_recv_wr wr = { .wr_cqe = watch(done), .sg_list = &sge, .num_sge = 1 };

	return ib_post_recv(s->qp, &wr, NULL);
}

static int rdma(struct side *s, struct done *done, enum ib_wr_opcode opcode, u64 addr, u32 rkey)
{
	struct ib_sge sge = { .addr = (uintptr_t)s->buffer, .length = BYTES,
			      .lkey = s->pd->local_dma_lkey };
	struct ib_rdma_wr wr = {
		.wr = { .wr_cqe = watch(done), .sg_list = &sge, .num_sge = 1, .opcode = opcode,
			.send_flags = IB_SEND_SIGNALED },
		.remote_addr = addr,
		.rkey = rkey,
	};

	return ib_post_send(s->qp, &wr.wr, NULL) ?: status(done);
}

static int invalidate(struct side *s, struct done *done, enum ib_wr_opcode opcode, u32 rkey)
{
	struct ib_send_wr wr = {
		.wr_cqe = watch(done),
		.opcode = opcode,
		.ex.invalidate_rkey = rkey,
		.send_flags = IB_SEND_SIGNALED | (opcode == IB_WR_LOCAL_INV ? IB_SEND_FENCE : 0),
	};

	return ib_post_send(s->qp, &wr, NULL) ?: status(done);
}

static void fill(struct side *s, u8 seed)
{
	int i;

	for (i = 0; i < BYTES; i++)
		s->buffer[i] = i * 7 + (i >> 8) + seed;
}

static bool pages_contain(struct side *s, const u8 *buffer)
{
	static u8 copy[PAGES * PAGE_SIZE];

	return sg_copy_to_buffer(s->sg, PAGES, copy, sizeof(copy)) == BYTES &&
	       !memcmp(copy, buffer, BYTES);
}

/* R0-305, R0-308, R0-434, R0-431: a registers; b reads, writes, and invalidates the key. */
static void by_the_peer(struct side *a, struct side *b)
{
	struct done reg, sent, received, reply, done;
	u32 old = a->mr->rkey;

	verdict(!receive(b, &received) && !offer(a, &reg, &sent) && !status(&reg) &&
			reg.wc.opcode == IB_WC_REG_MR && !status(&sent) && !status(&received),
		"registered and told in one list");
	verdict(a->mr->rkey != old, "the key is another one");
	fill(b, 1);
	verdict(!rdma(b, &done, IB_WR_RDMA_WRITE, a->mr->iova, a->mr->rkey) &&
			pages_contain(a, b->buffer),
		"the peer writes, from the middle of a page to that of another");
	memset(b->buffer, 0, BYTES);
	verdict(!rdma(b, &done, IB_WR_RDMA_READ, a->mr->iova, a->mr->rkey) &&
			pages_contain(a, b->buffer),
		"and reads");
	verdict(!receive(a, &reply) &&
			!invalidate(b, &done, IB_WR_SEND_WITH_INV, a->mr->rkey) &&
			!status(&reply) && (reply.wc.wc_flags & IB_WC_WITH_INVALIDATE) &&
			reply.wc.ex.invalidate_rkey == a->mr->rkey,
		"the peer's message takes the key back");
	verdict(rdma(b, &done, IB_WR_RDMA_WRITE, a->mr->iova, a->mr->rkey) ==
			IB_WC_REM_ACCESS_ERR,
		"then it is refused");
}

/* R0-341, R0-344, R0-436: the consumer invalidates the key by itself. */
static void by_oneself(struct side *a, struct side *b)
{
	struct done reg, sent, received, done;

	verdict(!reconnect(a, b) && !receive(b, &received) && !offer(a, &reg, &sent) &&
			!status(&reg) && !status(&received),
		"registered again");
	fill(b, 2);
	verdict(!rdma(b, &done, IB_WR_RDMA_WRITE, a->mr->iova, a->mr->rkey) &&
			pages_contain(a, b->buffer),
		"the peer writes again");
	verdict(!invalidate(a, &done, IB_WR_LOCAL_INV, a->mr->rkey) &&
			done.wc.opcode == IB_WC_LOCAL_INV,
		"local invalidate");
	verdict(!invalidate(a, &done, IB_WR_LOCAL_INV, a->mr->rkey), "twice is once");
	verdict(rdma(b, &done, IB_WR_RDMA_READ, a->mr->iova, a->mr->rkey) ==
			IB_WC_REM_ACCESS_ERR,
		"then the peer is refused");
}

/* R0-038, R0-289, R0-495: an MR has as many pages as the device says, at most. */
static void most_pages(struct side *s)
{
	u32 most = s->dev->attrs.max_fast_reg_page_list_len;
	struct ib_mr *mr = ib_alloc_mr(s->pd, IB_MR_TYPE_MEM_REG, most);

	verdict(most && !IS_ERR(mr), "as many pages as there may be");
	if (!IS_ERR(mr))
		ib_dereg_mr(mr);
	verdict(IS_ERR(ib_alloc_mr(s->pd, IB_MR_TYPE_MEM_REG, most + 1)), "too many pages");
}

/* R0-307, R0-280: wrong requests are refused. */
static void refused(struct side *a, struct side *b)
{
	struct done reg, sent, received, done;

	verdict(!reconnect(a, b) && !receive(b, &received) && !offer(a, &reg, &sent) &&
			!status(&reg) && !offer(a, &reg, &sent) &&
			status(&reg) == IB_WC_MW_BIND_ERR && status(&sent) == IB_WC_WR_FLUSH_ERR,
		"what is valid is not registered");
	verdict(!reconnect(a, b) &&
			invalidate(a, &done, IB_WR_LOCAL_INV, 0) == IB_WC_MW_BIND_ERR,
		"the key of all memory is not invalidated");
	most_pages(a);
	verdict(IS_ERR(ib_alloc_mr(a->pd, IB_MR_TYPE_SG_GAPS, 1)), "MRs with gaps");
	verdict(ib_map_mr_sg(a->mr, a->sg, PAGES, NULL, 2 * PAGE_SIZE) < 0, "larger pages"); /* R0-333 */
}

static int __init fastreg_init(void)
{
	struct side *a = &sides[0], *b = &sides[1];
	int ret = side_open(a, "hca0") ?: side_open(b, "hca1");

	if (ret) {
		pr_info("hca_fastreg: not ok - open: %d\n", ret);
	} else {
		verdict(!connect(a, b) && !connect(b, a), "kernel queue pairs reach RTS");
		by_the_peer(a, b);
		by_oneself(a, b);
		refused(a, b);
		ib_drain_qp(a->qp);
		ib_drain_qp(b->qp);
		verdict(true, "the end");
	}
	side_close(a);
	side_close(b);
	return ret;
}

static void __exit fastreg_exit(void)
{
}

module_init(fastreg_init);
module_exit(fastreg_exit);
MODULE_DESCRIPTION("Fast registration by a kernel consumer of hca0 and hca1 for the lab");
MODULE_LICENSE("Dual BSD/GPL");
