// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packing and parsing of the frames of a link over a network. */
#include "phy/frame.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"
#include "link/port/port.h"
#include "packet/serialize.h"

#define HCA_HELLO_ENABLED 1

unsigned int hca_frame_pack(const struct hca_frame *frame, u8 *buf)
{
	put_unaligned_be32(HCA_FRAME_MAGIC, buf);
	buf[4] = frame->version;
	buf[5] = frame->type;
	put_unaligned_be16(frame->length, buf + 6);
	put_unaligned_be64(frame->from, buf + 8);
	put_unaligned_be64(frame->to, buf + 16);
	put_unaligned_be64(frame->number, buf + 24);
	memset(buf + 32, 0, 4);
	if (frame->type == HCA_FRAME_PACKET) {
		buf[32] = frame->segment;
		buf[33] = frame->segments;
		put_unaligned_be16(frame->total, buf + 34);
	}
	return HCA_FRAME_HEADER;
}

static void frame_unpack(struct hca_frame *frame, const u8 *buf)
{
	*frame = (struct hca_frame){
		.version = buf[4],
		.type = buf[5],
		.length = get_unaligned_be16(buf + 6),
		.from = get_unaligned_be64(buf + 8),
		.to = get_unaligned_be64(buf + 16),
		.number = get_unaligned_be64(buf + 24),
		.segment = buf[32],
		.segments = buf[33],
		.total = get_unaligned_be16(buf + 34),
	};
}

unsigned int hca_frame_octets(const u8 *buf, size_t room, unsigned int tag, unsigned int padded)
{
	unsigned int len = HCA_FRAME_HEADER + get_unaligned_be16(buf + 6);

	if (buf[4] != HCA_FRAME_VERSION) /* the header may have another format */
		return room - tag;
	return len + tag == room || (len + tag < room && room <= padded) ? len : 0;
}

/*
 * Return whether number and length of the segments agree with the length of the packet, and each
 * segment contains octets of the packet.
 */
static bool frame_segments_agree(const struct hca_frame *frame)
{
	return frame->segments && frame->segments <= HCA_FRAME_SEGMENTS &&
	       frame->segment < frame->segments && frame->total &&
	       frame->total <= HCA_MAX_WIRE_BYTES &&
	       frame->length == DIV_ROUND_UP(frame->total, frame->segments) &&
	       frame->length * (frame->segments - 1) < frame->total;
}

int hca_frame_parse(struct hca_frame *frame, const u8 *buf, size_t len)
{
	if (len < HCA_FRAME_HEADER || get_unaligned_be32(buf) != HCA_FRAME_MAGIC)
		return -EINVAL;
	frame_unpack(frame, buf);
	if (!frame->from)
		return -EINVAL;
	if (frame->version != HCA_FRAME_VERSION)
		return 0;
	if (HCA_FRAME_HEADER + frame->length != len ||
	    (frame->type == HCA_FRAME_PACKET && !frame_segments_agree(frame)))
		return -EINVAL;
	return 0;
}

void hca_hello_pack(const struct hca_hello *hello, u8 *buf)
{
	buf[0] = hello->enabled ? HCA_HELLO_ENABLED : 0;
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
	hello->enabled = buf[0] & HCA_HELLO_ENABLED;
	hello->mtu_cap = buf[1];
	hello->port = get_unaligned_be16(buf + 2);
	hello->node_guid = get_unaligned_be64(buf + 4);
	hello->port_guid = get_unaligned_be64(buf + 12);
	memcpy(hello->name, buf + 24, HCA_HELLO_NAME);
	return hello->mtu_cap >= IB_MTU_256 && hello->mtu_cap <= IB_MTU_4096 && hello->port ?
		       0 :
		       -EINVAL;
}
