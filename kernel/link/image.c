// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packets to and from the octets of a wire. */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "link/gather.h"
#include "link/image.h"
#include "wire/crc.h"

/* Padding and CRCs, behind the payload at @p. */
static void hca_packet_seal(const struct hca_packet *pkt, u8 *buf, u8 *p)
{
	memset(p, 0, pkt->h.bth.padcnt);
	p += pkt->h.bth.padcnt;
	if (!hca_packet_is_raw(pkt)) {
		put_unaligned_le32(hca_icrc(buf, p - buf), p);
		p += HCA_ICRC_BYTES;
	}
	put_unaligned_le16(hca_vcrc(buf, p - buf), p);
}

void hca_packet_write(const struct hca_packet *pkt, u8 *buf)
{
	u8 *p = buf + hca_headers_pack(&pkt->h, buf);

	memcpy(p, hca_packet_payload(pkt), pkt->payload_length);
	hca_packet_seal(pkt, buf, p + pkt->payload_length);
}

u32 hca_packet_write_start(const struct hca_packet *pkt, u8 *buf, u32 octets)
{
	u32 headers = hca_headers_bytes(pkt->h.lrh.lnh, pkt->h.bth.opcode);
	u32 bytes = hca_packet_bytes(pkt), payload;
	u8 start[HCA_MAX_HEADER_BYTES];

	if (octets <= headers) {
		hca_headers_pack(&pkt->h, start);
		memcpy(buf, start, octets);
		return octets;
	}
	hca_headers_pack(&pkt->h, buf);
	payload = min(pkt->payload_length, octets - headers);
	if (hca_packet_read_payload(pkt, buf + headers, payload))
		return headers;
	if (octets < bytes)
		return headers + payload;
	hca_packet_seal(pkt, buf, buf + headers + payload);
	return bytes;
}

/* What the headers say of lengths is what hca_packet_finish() would have made of it. */
static bool hca_lengths_fit(struct hca_packet *pkt)
{
	const struct hca_headers said = pkt->h;

	hca_packet_finish(pkt);
	return pkt->h.lrh.pktlen == said.lrh.pktlen && pkt->h.bth.padcnt == said.bth.padcnt &&
	       (!hca_packet_has_grh(pkt) || pkt->h.grh.paylen == said.grh.paylen);
}

static int hca_packet_take_payload(struct hca_packet *pkt, const u8 *payload)
{
	u8 *to = pkt->data;

	if (pkt->payload_length > HCA_INLINE_BYTES) {
		to = kmalloc(pkt->payload_length, GFP_ATOMIC | __GFP_NOWARN);
		if (!to)
			return -ENOMEM;
		pkt->buffer = to;
		pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	}
	memcpy(to, payload, pkt->payload_length);
	return 0;
}

int hca_packet_read(struct hca_packet *pkt, const u8 *buf, size_t len)
{
	int headers, payload;

	if (len < HCA_LRH_BYTES + HCA_ICRC_BYTES + HCA_VCRC_BYTES || len > HCA_MAX_IMAGE_BYTES)
		return -EINVAL;
	len -= HCA_VCRC_BYTES;
	if (hca_vcrc(buf, len) != get_unaligned_le16(buf + len))
		return -EBADMSG;
	headers = hca_headers_parse(&pkt->h, buf, len);
	if (headers < 0)
		return headers;
	if (hca_packet_is_raw(pkt)) {
		pkt->h.bth.padcnt = 0;
	} else {
		len -= HCA_ICRC_BYTES;
		if (hca_icrc(buf, len) != get_unaligned_le32(buf + len))
			return -EBADMSG;
	}
	payload = (int)len - headers - pkt->h.bth.padcnt;
	if (payload < 0 || payload > HCA_MAX_MTU_BYTES)
		return -EINVAL;
	pkt->payload_length = payload;
	if (!hca_lengths_fit(pkt))
		return -EINVAL;
	return hca_packet_take_payload(pkt, buf + headers);
}
