// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Frames of links that leave the kernel: their octets. */
#include <linux/errno.h>
#include <linux/string.h>
#include "compat.h"
#include "link/port.h"
#include "phy/frame.h"

#define HCA_HELLO_WILLING 1

unsigned int hca_frame_pack(const struct hca_frame *frame, u8 *buf)
{
	put_unaligned_be32(HCA_FRAME_MAGIC, buf);
	buf[4] = frame->version;
	buf[5] = frame->type;
	put_unaligned_be16(frame->length, buf + 6);
	put_unaligned_be64(frame->from, buf + 8);
	put_unaligned_be64(frame->to, buf + 16);
	put_unaligned_be32(frame->number, buf + 24);
	put_unaligned_be32(0, buf + 28);
	return HCA_FRAME_HEADER;
}

void hca_frame_unpack(struct hca_frame *frame, const u8 *buf)
{
	frame->version = buf[4];
	frame->type = buf[5];
	frame->length = get_unaligned_be16(buf + 6);
	frame->from = get_unaligned_be64(buf + 8);
	frame->to = get_unaligned_be64(buf + 16);
	frame->number = get_unaligned_be32(buf + 24);
}

int hca_frame_parse(struct hca_frame *frame, const u8 *buf, size_t len, unsigned int tag)
{
	if (len < HCA_FRAME_HEADER || get_unaligned_be32(buf) != HCA_FRAME_MAGIC)
		return -EINVAL;
	hca_frame_unpack(frame, buf);
	if (frame->version == HCA_FRAME_VERSION && HCA_FRAME_HEADER + frame->length + tag != len)
		return -EINVAL;
	return frame->from ? 0 : -EINVAL;
}

void hca_hello_pack(const struct hca_hello *hello, u8 *buf)
{
	buf[0] = hello->willing ? HCA_HELLO_WILLING : 0;
	buf[1] = hello->mtu_cap;
	put_unaligned_be16(hello->port, buf + 2);
	put_unaligned_be64(hello->node_guid, buf + 4);
	put_unaligned_be64(hello->port_guid, buf + 12);
	put_unaligned_be32(0, buf + 20);
	memcpy(buf + 24, hello->name, HCA_HELLO_NAME);
}

int hca_hello_parse(struct hca_hello *hello, const u8 *buf, size_t len)
{
	if (len != HCA_HELLO_BYTES)
		return -EINVAL;
	hello->willing = buf[0] & HCA_HELLO_WILLING;
	hello->mtu_cap = buf[1];
	hello->port = get_unaligned_be16(buf + 2);
	hello->node_guid = get_unaligned_be64(buf + 4);
	hello->port_guid = get_unaligned_be64(buf + 12);
	memcpy(hello->name, buf + 24, HCA_HELLO_NAME);
	return hello->mtu_cap >= HCA_MTU_256 && hello->mtu_cap <= HCA_MTU_4096 && hello->port ?
		       0 :
		       -EINVAL;
}
