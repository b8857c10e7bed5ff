// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MRs of DMA buffers: memory that another driver exports as a file. There is no DMA device that
 * could access the memory, so the exporter maps it for the kernel while the MR exists. The MR is
 * attached to the buffer, so that the exporter can revoke the memory. A revocation makes the MR
 * invalid for good before the exporter continues.
 */
#include "verbs/mr/dmabuf.h"
#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include <linux/fs.h>
#include <linux/iosys-map.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include "compat.h"
#include "qp/ci.h"
#include "verbs/core/hca_device.h"
#include "verbs/mr/mr_alloc.h"

HCA_IMPORT_DMA_BUF;

struct hca_ib_dmabuf {
	struct dma_buf *buf;
	struct dma_buf_attachment *attachment; /* NULL: the exporter never revokes the memory */
	struct iosys_map map;
	struct hca_tpt *tpt;
	/* The buffer's reservation lock guards entry and revoked. */
	struct hca_tpt_entry *entry; /* entry of the MR; NULL: not valid yet, or detached */
	bool revoked;
};

/* Makes the MR invalid. The exporter calls this function, and holds the reservation lock. */
static void dmabuf_revoke(struct dma_buf_attachment *attachment)
{
	struct hca_ib_dmabuf *dmabuf = attachment->importer_priv;

	dmabuf->revoked = true;
	if (dmabuf->entry)
		hca_tpt_entry_withdraw(dmabuf->tpt, dmabuf->entry);
}

static const struct dma_buf_attach_ops attach_ops = { .HCA_DMABUF_REVOKE = dmabuf_revoke };

/* Checks the range and the rights. A file opened for reading only does not permit writing. */
static int dmabuf_check(const struct dma_buf *buf, u64 offset, u64 length, int access)
{
	if (!length || length > HCA_MAX_MR_BYTES || offset > buf->size ||
	    length > buf->size - offset)
		return -EINVAL;
	if (ib_access_writable(access) && !(buf->file->f_mode & FMODE_WRITE))
		return -EACCES;
	return buf->ops->vmap ? 0 : -EOPNOTSUPP;
}

/*
 * Attaches to the buffer, unless the exporter would then map the memory for DMA at once. Such an
 * exporter never revokes the memory.
 */
static int dmabuf_attach(struct hca_ib_dmabuf *dmabuf, struct device *dev)
{
	struct dma_buf_attachment *attachment;

	if (!hca_dmabuf_attaches_unmapped(dmabuf->buf))
		return 0;
	attachment = dma_buf_dynamic_attach(dmabuf->buf, dev, &attach_ops, dmabuf);
	if (IS_ERR(attachment))
		return PTR_ERR(attachment);
	dmabuf->attachment = attachment;
	return 0;
}

/* Maps the buffer. I/O memory is refused, because accesses to it need other instructions. */
static int dmabuf_map(struct hca_ib_dmabuf *dmabuf)
{
	int ret = dma_buf_begin_cpu_access(dmabuf->buf, DMA_BIDIRECTIONAL);

	if (ret)
		return ret;
	ret = dma_buf_vmap_unlocked(dmabuf->buf, &dmabuf->map);
	if (!ret && !dmabuf->map.is_iomem)
		return 0;
	if (!ret)
		dma_buf_vunmap_unlocked(dmabuf->buf, &dmabuf->map);
	iosys_map_clear(&dmabuf->map);
	dma_buf_end_cpu_access(dmabuf->buf, DMA_BIDIRECTIONAL);
	return ret ? ret : -EOPNOTSUPP;
}

static void dmabuf_detach(struct hca_ib_dmabuf *dmabuf)
{
	if (dmabuf->entry)
		hca_tpt_entry_withdraw(dmabuf->tpt, dmabuf->entry);
	if (dmabuf->attachment)
		dma_buf_detach(dmabuf->buf, dmabuf->attachment);
	dmabuf->attachment = NULL;
	dmabuf->entry = NULL;
}

static void dmabuf_detach_mr(struct hca_ib_mr *mr)
{
	dmabuf_detach(mr->dmabuf);
}

static void dmabuf_free_mr(struct hca_ib_mr *mr)
{
	struct hca_ib_dmabuf *dmabuf = mr->dmabuf;

	dmabuf_detach(dmabuf);
	if (!iosys_map_is_null(&dmabuf->map)) {
		dma_buf_vunmap_unlocked(dmabuf->buf, &dmabuf->map);
		dma_buf_end_cpu_access(dmabuf->buf, DMA_BIDIRECTIONAL);
	}
	dma_buf_put(dmabuf->buf);
	kfree(dmabuf);
}

static const struct hca_mr_ops dmabuf_ops = {
	.detach = dmabuf_detach_mr,
	.free = dmabuf_free_mr,
};

/* Returns the DMA buffer of a file descriptor, if the buffer contains the range; or ERR_PTR. */
static struct hca_ib_dmabuf *dmabuf_find(int fd, u64 offset, u64 length, int access)
{
	struct dma_buf *buf = dma_buf_get(fd);
	struct hca_ib_dmabuf *dmabuf;
	int ret;

	if (IS_ERR(buf))
		return ERR_CAST(buf);
	ret = dmabuf_check(buf, offset, length, access);
	dmabuf = ret ? NULL : kzalloc(sizeof(*dmabuf), GFP_KERNEL_ACCOUNT);
	if (!dmabuf) {
		dma_buf_put(buf);
		return ERR_PTR(ret ? ret : -ENOMEM);
	}
	dmabuf->buf = buf;
	return dmabuf;
}

/* Makes the MR's entry in the table valid, unless the memory has been revoked already. */
static void dmabuf_enable(struct hca_ib_mr *mr, u64 length)
{
	struct hca_ib_dmabuf *dmabuf = mr->dmabuf;
	struct hca_tpt_entry to = *mr->entry;

	to.length = length;
	dma_resv_lock(dmabuf->buf->resv, NULL);
	if (!dmabuf->revoked)
		hca_tpt_entry_change(dmabuf->tpt, mr->entry, &to, false);
	dmabuf->entry = mr->entry;
	dma_resv_unlock(dmabuf->buf->resv);
}

/* Prepares all parts of an MR except its key. */
static int dmabuf_prepare(struct hca_device *dev, struct hca_ib_mr *mr, u64 offset, u64 length)
{
	int ret;

	mr->dmabuf->tpt = &dev->ci->tpt;
	ret = dmabuf_attach(mr->dmabuf, &dev->pdev->dev);
	if (!ret)
		ret = dmabuf_map(mr->dmabuf);
	return ret ? ret : hca_mr_set_pages(mr, mr->dmabuf->map.vaddr, offset, length);
}

static struct hca_ib_mr *dmabuf_make(struct ib_pd *pd, u64 offset, u64 length, int fd, int access)
{
	struct hca_ib_mr *mr = hca_mr_alloc(pd, access);
	struct hca_ib_dmabuf *dmabuf;
	int ret;

	if (IS_ERR(mr))
		return mr;
	dmabuf = dmabuf_find(fd, offset, length, access);
	ret = PTR_ERR_OR_ZERO(dmabuf);
	if (!ret) {
		mr->dmabuf = dmabuf;
		mr->ops = &dmabuf_ops;
		ret = dmabuf_prepare(to_hca_device(pd->device), mr, offset, length);
	}
	if (!ret)
		return mr;
	kfree(mr->entry);
	hca_mr_release(pd->device, mr);
	return ERR_PTR(ret);
}

/*
 * The entry has length 0 at first, so that no memory is accessed between the allocation of the key
 * and dmabuf_enable(). Windows are refused, because they would not become invalid together with the
 * MR.
 */
struct ib_mr *hca_ib_reg_user_mr_dmabuf(struct ib_pd *pd, u64 offset, u64 length, u64 iova, int fd,
					int access, HCA_DMAH_ARG HCA_REG_DMABUF_ARG *arg)
{
	struct hca_ib_mr *mr;
	struct ib_mr *ib;
	u64 last;

	if (access & IB_ACCESS_MW_BIND)
		return ERR_PTR(-EOPNOTSUPP);
	if (!length || check_add_overflow(iova, length - 1, &last))
		return ERR_PTR(-EINVAL);
	mr = dmabuf_make(pd, offset, length, fd, access);
	if (IS_ERR(mr))
		return ERR_CAST(mr);
	hca_mr_set_base(mr, iova);
	ib = hca_mr_publish(pd->device, mr);
	if (IS_ERR(ib))
		return ib;
	dmabuf_enable(mr, length);
	ib->length = length;
	return ib;
}
