/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Requests to the lab's exporter of DMA buffers, by ioctl() of /dev/hca_dmabuf. */
#ifndef HCA_LAB_DMABUF_H
#define HCA_LAB_DMABUF_H

#include <linux/ioctl.h>
#include <linux/types.h>

enum lab_dmabuf_flags {
	LAB_DMABUF_STATIC = 1 << 0, /* the exporter cannot take the memory back */
	LAB_DMABUF_UNMAPPED = 1 << 1, /* it maps nothing for the kernel */
	LAB_DMABUF_DEVICE = 1 << 2, /* it says that the memory is a device's */
	LAB_DMABUF_READ_ONLY = 1 << 3, /* the file can be read only */
	LAB_DMABUF_REFUSES = 1 << 4, /* it lets nobody attach: EBUSY */
};

struct lab_dmabuf_make {
	__u32 flags; /* enum lab_dmabuf_flags */
	__u32 pages;
};

/* Return: the file descriptor of a new buffer. */
#define LAB_DMABUF_MAKE _IOW('h', 1, struct lab_dmabuf_make)
/* Take the memory of a buffer back, then fill it with LAB_DMABUF_POISON. Its file is passed. */
#define LAB_DMABUF_REVOKE _IO('h', 2)
/* Return: how many buffers exist. */
#define LAB_DMABUF_COUNT _IO('h', 3)

#define LAB_DMABUF_POISON 0xdd

#endif
