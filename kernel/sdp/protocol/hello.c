// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Functions that write and read Hello and HelloAck, in the layouts of both bindings. */
#include "sdp/protocol/hello.h"
#include <linux/errno.h>
#include <linux/string.h>
#include "compat.h"
#include "sdp/protocol/wire.h"

#define HELLO_VERSION 0x11 /* major 1, minor 1 */
#define IPV4 0x40
#define IPV6 0x60
#define IPV_MASK 0xf0

/* Offsets of the fields that follow the BSDH in both bindings. */
#define AT_VERSION 16
#define HELLO_DESIRED 20
#define HELLO_SIZE 24
#define HELLO_ACK_SIZE 20

/* Binding IBA: offsets of fields, and octets of each message up to the end of its last field. */
#define IBA_IPV 17
#define IBA_MAX_ADVERTS 19
#define IBA_PORT 28
#define IBA_SRC 32
#define IBA_DST 48
#define IBA_HELLO_USED 64
#define IBA_HELLO_ACK_USED 24

/* Binding IWARP: offsets of fields, and octets of each message up to the end of its last field. */
#define IWARP_MAX_ADVERTS 18
#define IWARP_HELLO_ORD 28
#define IWARP_HELLO_USED 32
#define IWARP_HELLO_ACK_ORD 24
#define IWARP_HELLO_ACK_USED 28

/*
 * Octets of a message, which are also Len in its BSDH. In binding IBA, the message fills the
 * private data of the REQ or the REP.
 */
static const u32 hello_len[] = { [SDP_BINDING_IBA] = SDP_HELLO_MAX,
				 [SDP_BINDING_IWARP] = IWARP_HELLO_USED };
static const u32 hello_ack_len[] = { [SDP_BINDING_IBA] = SDP_HELLO_ACK_MAX,
				     [SDP_BINDING_IWARP] = IWARP_HELLO_ACK_USED };

static const u8 mapped[12] = { [10] = 0xff, [11] = 0xff };

static bool hello_is_ipv4(const u8 *addr)
{
	return !memcmp(addr, mapped, sizeof(mapped));
}

/* An IPv4 address is the last four octets of its field; the other octets are zero. */
static void hello_addr_pack(const u8 *addr, u8 *buf)
{
	memcpy(buf, addr, 16);
	if (hello_is_ipv4(addr))
		memset(buf, 0, sizeof(mapped));
}

static void hello_addr_parse(u8 *addr, const u8 *buf, bool ipv4)
{
	memcpy(addr, buf, 16);
	if (ipv4)
		memcpy(addr, mapped, sizeof(mapped));
}

static void hello_begin(u8 *buf, enum sdp_mid mid, u16 bufs, u32 len)
{
	struct sdp_bsdh bsdh = { .mid = mid, .bufs = bufs, .len = len };

	memset(buf, 0, len);
	sdp_bsdh_pack(&bsdh, buf);
	buf[AT_VERSION] = HELLO_VERSION;
}

u32 sdp_hello_pack(enum sdp_binding binding, const struct sdp_hello *hello, u8 *buf)
{
	hello_begin(buf, SDP_MID_HELLO, hello->bufs, hello_len[binding]);
	put_unaligned_be32(hello->desired_size, buf + HELLO_DESIRED);
	put_unaligned_be32(hello->size, buf + HELLO_SIZE);
	if (binding == SDP_BINDING_IWARP) {
		put_unaligned_be16(hello->max_adverts, buf + IWARP_MAX_ADVERTS);
		put_unaligned_be16(hello->ord, buf + IWARP_HELLO_ORD);
		put_unaligned_be16(hello->ird, buf + IWARP_HELLO_ORD + 2);
	} else {
		buf[IBA_IPV] = hello_is_ipv4(hello->dst) ? IPV4 : IPV6;
		buf[IBA_MAX_ADVERTS] = hello->max_adverts;
		put_unaligned_be16(hello->port, buf + IBA_PORT);
		hello_addr_pack(hello->src, buf + IBA_SRC);
		hello_addr_pack(hello->dst, buf + IBA_DST);
	}
	return hello_len[binding];
}

u32 sdp_hello_ack_pack(enum sdp_binding binding, const struct sdp_hello *hello, u8 *buf)
{
	hello_begin(buf, SDP_MID_HELLO_ACK, hello->bufs, hello_ack_len[binding]);
	put_unaligned_be32(hello->size, buf + HELLO_ACK_SIZE);
	if (binding == SDP_BINDING_IWARP) {
		put_unaligned_be16(hello->max_adverts, buf + IWARP_MAX_ADVERTS);
		put_unaligned_be16(hello->ord, buf + IWARP_HELLO_ACK_ORD);
		put_unaligned_be16(hello->ird, buf + IWARP_HELLO_ACK_ORD + 2);
	} else {
		buf[IBA_MAX_ADVERTS] = hello->max_adverts;
	}
	return hello_ack_len[binding];
}

/* Read the fields that both Hello and HelloAck have. @size and @ord are offsets in @buf. */
static int hello_common_parse(enum sdp_binding binding, struct sdp_hello *hello, const u8 *buf,
			      u32 length, u8 mid, u32 used, u32 size, u32 ord)
{
	struct sdp_bsdh bsdh;
	u8 major;

	memset(hello, 0, sizeof(*hello));
	if (length < used)
		return -EINVAL;
	sdp_bsdh_parse(&bsdh, buf);
	if (bsdh.mid != mid || bsdh.len < used || bsdh.len > length)
		return -EINVAL;
	major = buf[AT_VERSION] >> 4;
	hello->bufs = bsdh.bufs;
	hello->size = get_unaligned_be32(buf + size);
	if (binding == SDP_BINDING_IWARP) {
		hello->max_adverts = get_unaligned_be16(buf + IWARP_MAX_ADVERTS);
		hello->ord = get_unaligned_be16(buf + ord);
		hello->ird = get_unaligned_be16(buf + ord + 2);
		if (major != 1 || !hello->ord || !hello->ird)
			return -EINVAL;
	} else {
		hello->max_adverts = buf[IBA_MAX_ADVERTS];
		if (major != 1 && major != 2)
			return -EINVAL;
	}
	if (!hello->max_adverts || hello->bufs < SDP_BUFS_MIN || hello->size < SDP_SIZE_MIN ||
	    hello->size > SDP_SIZE_MAX)
		return -EINVAL;
	return 0;
}

int sdp_hello_parse(enum sdp_binding binding, struct sdp_hello *hello, const u8 *buf, u32 length)
{
	u32 used = binding == SDP_BINDING_IBA ? IBA_HELLO_USED : IWARP_HELLO_USED;
	int err = hello_common_parse(binding, hello, buf, length, SDP_MID_HELLO, used, HELLO_SIZE,
				     IWARP_HELLO_ORD);
	u8 ipv;

	if (err)
		return err;
	hello->desired_size = get_unaligned_be32(buf + HELLO_DESIRED);
	if (binding == SDP_BINDING_IWARP)
		return 0;
	ipv = buf[IBA_IPV] & IPV_MASK;
	if (ipv != IPV4 && ipv != IPV6)
		return -EINVAL;
	hello->port = get_unaligned_be16(buf + IBA_PORT);
	hello_addr_parse(hello->src, buf + IBA_SRC, ipv == IPV4);
	hello_addr_parse(hello->dst, buf + IBA_DST, ipv == IPV4);
	return 0;
}

int sdp_hello_ack_parse(enum sdp_binding binding, struct sdp_hello *hello, const u8 *buf,
			u32 length)
{
	u32 used = binding == SDP_BINDING_IBA ? IBA_HELLO_ACK_USED : IWARP_HELLO_ACK_USED;

	return hello_common_parse(binding, hello, buf, length, SDP_MID_HELLO_ACK, used,
				  HELLO_ACK_SIZE, IWARP_HELLO_ACK_ORD);
}
