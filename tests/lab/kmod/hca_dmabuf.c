// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An exporter of DMA buffers, for the lab: it exports memory of its own in several ways, and takes
 * it back when it is told to. Programs ask by ioctl() of /dev/hca_dmabuf, see hca_dmabuf.h.
 */
#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include <linux/fs.h>
#include <linux/iosys-map.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <linux/vmalloc.h>
#include "hca_dmabuf.h"

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
MODULE_IMPORT_NS("DMA_BUF");
#else
MODULE_IMPORT_NS(DMA_BUF);
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 1, 0)
#define dma_buf_move_notify(buf) dma_buf_invalidate_mappings(buf)
#endif

#define MAX_PAGES 65536

struct buffer {
	u8 *memory;
	size_t size;
	u32 flags;
};

static atomic_t buffers;

static int buffer_attach(struct dma_buf *buf, struct dma_buf_attachment *attachment)
{
	struct buffer *buffer = buf->priv;

	return buffer->flags & LAB_DMABUF_REFUSES ? -EBUSY : 0;
}

/* Nothing here has a DMA device that could access the memory. */
static struct sg_table *buffer_map(struct dma_buf_attachment *attachment,
				   enum dma_data_direction direction)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static void buffer_unmap(struct dma_buf_attachment *attachment, struct sg_table *table,
			 enum dma_data_direction direction)
{
}

static int buffer_pin(struct dma_buf_attachment *attachment)
{
	return -EOPNOTSUPP;
}

static void buffer_unpin(struct dma_buf_attachment *attachment)
{
}

static int buffer_vmap(struct dma_buf *buf, struct iosys_map *map)
{
	struct buffer *buffer = buf->priv;

	if (buffer->flags & LAB_DMABUF_DEVICE)
		iosys_map_set_vaddr_iomem(map, (void __iomem __force *)buffer->memory);
	else
		iosys_map_set_vaddr(map, buffer->memory);
	return 0;
}

static int buffer_mmap(struct dma_buf *buf, struct vm_area_struct *vma)
{
	struct buffer *buffer = buf->priv;

	return remap_vmalloc_range(vma, buffer->memory, vma->vm_pgoff);
}

static void buffer_free(struct buffer *buffer)
{
	vfree(buffer->memory);
	kfree(buffer);
	atomic_dec(&buffers);
}

static void buffer_release(struct dma_buf *buf)
{
	buffer_free(buf->priv);
}

#define OPS \
	.attach = buffer_attach, .map_dma_buf = buffer_map, .unmap_dma_buf = buffer_unmap, \
	.mmap = buffer_mmap, .release = buffer_release

static const struct dma_buf_ops revocable_ops = {
	OPS, .pin = buffer_pin, .unpin = buffer_unpin, .vmap = buffer_vmap,
};
static const struct dma_buf_ops static_ops = { OPS, .vmap = buffer_vmap };
static const struct dma_buf_ops unmapped_ops = { OPS };

static const struct dma_buf_ops *ops_of(u32 flags)
{
	if (flags & LAB_DMABUF_UNMAPPED)
		return &unmapped_ops;
	return flags & LAB_DMABUF_STATIC ? &static_ops : &revocable_ops;
}

static struct buffer *buffer_alloc(const struct lab_dmabuf_make *make)
{
	struct buffer *buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);

	if (!buffer)
		return NULL;
	atomic_inc(&buffers);
	buffer->flags = make->flags;
	buffer->size = make->pages * PAGE_SIZE;
	buffer->memory = vmalloc_user(buffer->size);
	if (buffer->memory)
		return buffer;
	buffer_free(buffer);
	return NULL;
}

static int make(const struct lab_dmabuf_make *make)
{
	DEFINE_DMA_BUF_EXPORT_INFO(info);
	struct dma_buf *buf;
	int fd;

	if (!make->pages || make->pages > MAX_PAGES)
		return -EINVAL;
	info.ops = ops_of(make->flags);
	info.flags = make->flags & LAB_DMABUF_READ_ONLY ? O_RDONLY : O_RDWR;
	info.size = make->pages * PAGE_SIZE;
	info.priv = buffer_alloc(make);
	if (!info.priv)
		return -ENOMEM;
	buf = dma_buf_export(&info);
	if (IS_ERR(buf)) {
		buffer_free(info.priv);
		return PTR_ERR(buf);
	}
	fd = dma_buf_fd(buf, O_CLOEXEC);
	if (fd < 0)
		dma_buf_put(buf);
	return fd;
}

/*
 * The importers are notified, and then the memory is filled with poison, so that a program sees
 * whether an importer has read from the memory, or written to it, afterwards.
 */
static int revoke(int fd)
{
	struct dma_buf *buf = dma_buf_get(fd);
	struct buffer *buffer;

	if (IS_ERR(buf))
		return PTR_ERR(buf);
	if (buf->ops != &revocable_ops) {
		dma_buf_put(buf);
		return -EINVAL;
	}
	buffer = buf->priv;
	dma_resv_lock(buf->resv, NULL);
	dma_buf_move_notify(buf);
	memset(buffer->memory, LAB_DMABUF_POISON, buffer->size);
	dma_resv_unlock(buf->resv);
	dma_buf_put(buf);
	return 0;
}

static long device_ioctl(struct file *file, unsigned int command, unsigned long arg)
{
	struct lab_dmabuf_make wanted;

	switch (command) {
	case LAB_DMABUF_MAKE:
		if (copy_from_user(&wanted, (void __user *)arg, sizeof(wanted)))
			return -EFAULT;
		return make(&wanted);
	case LAB_DMABUF_REVOKE:
		return revoke(arg);
	case LAB_DMABUF_COUNT:
		return atomic_read(&buffers);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = device_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "hca_dmabuf",
	.fops = &device_fops,
	.mode = 0666,
};

module_misc_device(device);

MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("hca: an exporter of DMA buffers for the lab");
