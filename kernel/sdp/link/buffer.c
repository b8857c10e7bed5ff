// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory of private buffers. */
#include "sdp/link/buffer.h"
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include "sdp/link/memory.h"

bool sdp_buf_map(struct ib_pd *pd, struct sdp_buf *buf)
{
	buf->sge.addr = ib_dma_map_page(pd->device, buf->page, 0, buf->size, DMA_BIDIRECTIONAL);
	if (ib_dma_mapping_error(pd->device, buf->sge.addr))
		return false;
	buf->sge.length = buf->size;
	buf->sge.lkey = pd->local_dma_lkey;
	return true;
}

struct sdp_buf *sdp_buf_alloc(struct sdp_ep *ep, enum sdp_memory use, struct ib_pd *pd, u32 size,
			      gfp_t gfp)
{
	struct sdp_buf *buf;

	if (!sdp_memory_charge(ep, use, size))
		return NULL;
	buf = kzalloc(sizeof(*buf), gfp);
	if (!buf)
		goto no_buf;
	buf->use = use;
	buf->size = size;
	buf->page = alloc_pages(gfp | __GFP_COMP, get_order(size));
	if (!buf->page)
		goto no_page;
	if (!sdp_buf_map(pd, buf))
		goto no_mapping;
	INIT_LIST_HEAD(&buf->list);
	return buf;

no_mapping:
	__free_pages(buf->page, get_order(size));
no_page:
	kfree(buf);
no_buf:
	sdp_memory_uncharge(ep, use, size);
	return NULL;
}

void sdp_buf_register(struct ib_qp *qp, struct sdp_buf *buf, struct ib_cqe *cqe)
{
	struct ib_reg_wr wr = {
		.wr = { .opcode = IB_WR_REG_MR, .wr_cqe = cqe },
		.access = IB_ACCESS_LOCAL_WRITE,
	};
	struct scatterlist sg;

	wr.mr = ib_alloc_mr(qp->pd, IB_MR_TYPE_MEM_REG, buf->size >> PAGE_SHIFT);
	if (IS_ERR(wr.mr))
		return;
	wr.key = wr.mr->lkey;
	sg_init_table(&sg, 1);
	sg_set_page(&sg, buf->page, buf->size, 0);
	sg_dma_address(&sg) = buf->sge.addr;
	sg_dma_len(&sg) = buf->size;
	if (ib_map_mr_sg(wr.mr, &sg, 1, NULL, PAGE_SIZE) != 1 || ib_post_send(qp, &wr.wr, NULL)) {
		ib_dereg_mr(wr.mr);
		return;
	}
	buf->mr = wr.mr;
	buf->sge.lkey = wr.mr->lkey;
}

void sdp_buf_unmap(struct ib_pd *pd, struct sdp_buf *buf)
{
	if (buf->mr)
		ib_dereg_mr(buf->mr);
	buf->mr = NULL;
	ib_dma_unmap_page(pd->device, buf->sge.addr, buf->size, DMA_BIDIRECTIONAL);
}

void sdp_buf_free(struct sdp_ep *ep, struct sdp_buf *buf)
{
	sdp_memory_uncharge(ep, buf->use, buf->size);
	__free_pages(buf->page, get_order(buf->size));
	kfree(buf);
}

void sdp_buf_discard(struct sdp_ep *ep, struct ib_pd *pd, struct sdp_buf *buf)
{
	sdp_buf_unmap(pd, buf);
	list_del(&buf->all);
	sdp_buf_free(ep, buf);
}
