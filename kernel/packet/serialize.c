// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Conversion of packets to and from their wire format. */
#include "packet/serialize.h"
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "packet/payload.h"
#include "wire/crc.h"
#include "wire/opcode.h"

/* Append padding and CRCs at @p, after the payload. */
static void packet_append_crcs(const struct hca_packet *pkt, u8 *buf, u8 *p)
{
	memset(p, 0, pkt->h.bth.padcnt);
	p += pkt->h.bth.padcnt;
	if (!hca_packet_is_raw(pkt)) {
		put_unaligned_le32(hca_icrc(buf, p - buf), p);
		p += HCA_ICRC_BYTES;
	}
	put_unaligned_le16(hca_vcrc(buf, p - buf), p);
}

void hca_packet_serialize(const struct hca_packet *pkt, u8 *buf)
{
	u8 *p = buf + hca_headers_pack(&pkt->h, buf);

	memcpy(p, hca_packet_payload(pkt), pkt->payload_length);
	packet_append_crcs(pkt, buf, p + pkt->payload_length);
}

u32 hca_packet_serialize_start(const struct hca_packet *pkt, u8 *buf, u32 octets)
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
	packet_append_crcs(pkt, buf, buf + headers + payload);
	return bytes;
}

static int packet_copy_in(struct hca_packet *pkt, const u8 *payload)
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

static int packet_check_vcrc(const u8 *buf, size_t len)
{
	u16 right = hca_vcrc(buf, len), received = get_unaligned_le16(buf + len);

	if (received == right)
		return 0;
	return received == (u16)~right ? -EREMOTEIO : -EBADMSG;
}

/* Return: offset of the BTH; 0 for a packet without a BTH. */
static unsigned int packet_bth_at(const u8 *buf)
{
	switch (buf[1] & 3) {
	case IB_LNH_IBA_LOCAL:
		return HCA_LRH_BYTES;
	case IB_LNH_IBA_GLOBAL:
		return HCA_LRH_BYTES + HCA_GRH_BYTES;
	}
	return 0;
}

/* Check VCRC, ICRC, LVer, lengths and opcode, in this order. @len excludes the VCRC. */
static int packet_check_octets(const u8 *buf, size_t len)
{
	unsigned int bth = packet_bth_at(buf);
	struct hca_lrh lrh;
	int err;

	err = packet_check_vcrc(buf, len);
	if (err)
		return err;
	if (bth) {
		if (len < bth + HCA_BTH_BYTES + HCA_ICRC_BYTES)
			return -EINVAL;
		len -= HCA_ICRC_BYTES;
		if (hca_icrc(buf, len) != get_unaligned_le32(buf + len))
			return -EBADMSG;
		len += HCA_ICRC_BYTES;
	}
	hca_lrh_parse(&lrh, buf);
	if (lrh.lver)
		return -EPROTO;
	if (lrh.pktlen * 4 != len || (!bth && len < HCA_RAW_MIN_BYTES))
		return -EINVAL;
	return bth && !hca_opcodes[buf[bth]].name ? -EPROTONOSUPPORT : 0;
}

int hca_packet_deserialize(struct hca_packet *pkt, const u8 *buf, size_t len)
{
	int headers, payload, err;
	u16 paylen;

	if (len < HCA_LRH_BYTES + HCA_ICRC_BYTES + HCA_VCRC_BYTES || len > HCA_MAX_WIRE_BYTES)
		return -EINVAL;
	len -= HCA_VCRC_BYTES;
	err = packet_check_octets(buf, len);
	if (err)
		return err;
	headers = hca_headers_parse(&pkt->h, buf, len);
	if (headers < 0)
		return headers;
	if (hca_packet_is_raw(pkt))
		pkt->h.bth.padcnt = 0;
	payload = (int)len - headers - pkt->h.bth.padcnt - (int)hca_packet_icrc_bytes(pkt);
	if (payload < 0 || payload > hca_payload_limit(pkt->h.lrh.lnh, HCA_MAX_MTU_BYTES))
		return -EINVAL;
	pkt->payload_length = payload;
	paylen = pkt->h.grh.paylen;
	hca_packet_finish(pkt);
	if (hca_packet_has_grh(pkt) && pkt->h.grh.paylen != paylen)
		return -EMSGSIZE;
	return packet_copy_in(pkt, buf + headers);
}
