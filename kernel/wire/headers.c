// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Conversion of headers to and from their wire format. */
#include "wire/headers.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"
#include "wire/opcode.h"

/* Flags of the BTH in the upper octet of the 32 bits with the PSN. */
#define BTH_ACKREQ (1u << 31)
/* Flags of the BTH in the upper octet of the 32 bits with DestQP. */
#define BTH_FECN (1u << 31)
#define BTH_BECN (1u << 30)

/* Fields of the FETH, whose wire format is rsv:26 SEL:2 PLT:4 (IBA annex A19). */
#define FETH_SEL_SHIFT 4
#define FETH_SEL_MASK 0x3
#define FETH_PLT_MASK 0xf

/*
 * Wire format of the LRH: VL:4 LVer:4 SL:4 rsv:2 LNH:2 DLID:16 | rsv:5 PktLen:11 SLID:16 (req
 * B4-101).
 */
void hca_lrh_pack(const struct hca_lrh *lrh, u8 *buf)
{
	buf[0] = lrh->vl << 4 | (lrh->lver & 0xf);
	buf[1] = lrh->sl << 4 | (lrh->lnh & 3);
	put_unaligned_be16(lrh->dlid, buf + 2);
	put_unaligned_be16(lrh->pktlen & 0x7ff, buf + 4);
	put_unaligned_be16(lrh->slid, buf + 6);
}

void hca_lrh_parse(struct hca_lrh *lrh, const u8 *buf)
{
	lrh->vl = buf[0] >> 4;
	lrh->lver = buf[0] & 0xf;
	lrh->sl = buf[1] >> 4;
	lrh->lnh = buf[1] & 3;
	lrh->dlid = get_unaligned_be16(buf + 2);
	lrh->pktlen = get_unaligned_be16(buf + 4) & 0x7ff;
	lrh->slid = get_unaligned_be16(buf + 6);
}

/*
 * Wire format of the GRH: IPVer:4 TClass:8 FlowLabel:20 | PayLen:16 NxtHdr:8 HopLmt:8 | SGID:128 |
 * DGID:128 (req B4-102).
 */
void hca_grh_pack(const struct hca_grh *grh, u8 *buf)
{
	put_unaligned_be32((u32)grh->ipver << 28 | grh->tclass << 20 | (grh->flow_label & 0xfffff),
			   buf);
	put_unaligned_be16(grh->paylen, buf + 4);
	buf[6] = grh->nxthdr;
	buf[7] = grh->hoplmt;
	memcpy(buf + 8, grh->sgid.raw, 16);
	memcpy(buf + 24, grh->dgid.raw, 16);
}

void hca_grh_parse(struct hca_grh *grh, const u8 *buf)
{
	u32 first = get_unaligned_be32(buf);

	grh->ipver = first >> 28;
	grh->tclass = first >> 20;
	grh->flow_label = first & 0xfffff;
	grh->paylen = get_unaligned_be16(buf + 4);
	grh->nxthdr = buf[6];
	grh->hoplmt = buf[7];
	memcpy(grh->sgid.raw, buf + 8, 16);
	memcpy(grh->dgid.raw, buf + 24, 16);
}

/*
 * Wire format of the BTH: OpCode:8 SE:1 M:1 PadCnt:2 TVer:4 P_Key:16 | F:1 B:1 rsv:6 DestQP:24 |
 * A:1 rsv:7 PSN:24 (req B4-086, B4-096, B4-097).
 */
void hca_bth_pack(const struct hca_bth *bth, u8 *buf)
{
	u8 flags = bth->flags;

	buf[0] = bth->opcode;
	buf[1] = (flags & HCA_BTH_SOLICITED ? 0x80 : 0) | (flags & HCA_BTH_MIGREQ ? 0x40 : 0) |
		 (bth->padcnt & 3) << 4 | (bth->tver & 0xf);
	put_unaligned_be16(bth->pkey, buf + 2);
	put_unaligned_be32((flags & HCA_BTH_FECN ? BTH_FECN : 0) |
			   (flags & HCA_BTH_BECN ? BTH_BECN : 0) |
			   (bth->destqp & HCA_QPN_MASK), buf + 4);
	put_unaligned_be32((flags & HCA_BTH_ACKREQ ? BTH_ACKREQ : 0) |
			   (bth->psn & HCA_PSN_MASK), buf + 8);
}

void hca_bth_parse(struct hca_bth *bth, const u8 *buf)
{
	u32 destqp = get_unaligned_be32(buf + 4);
	u32 psn = get_unaligned_be32(buf + 8);

	bth->opcode = buf[0];
	bth->flags = (buf[1] & 0x80 ? HCA_BTH_SOLICITED : 0) |
		     (buf[1] & 0x40 ? HCA_BTH_MIGREQ : 0) |
		     (destqp & BTH_FECN ? HCA_BTH_FECN : 0) |
		     (destqp & BTH_BECN ? HCA_BTH_BECN : 0) |
		     (psn & BTH_ACKREQ ? HCA_BTH_ACKREQ : 0);
	bth->padcnt = buf[1] >> 4 & 3;
	bth->tver = buf[1] & 0xf;
	bth->pkey = get_unaligned_be16(buf + 2);
	bth->destqp = destqp & HCA_QPN_MASK;
	bth->psn = psn & HCA_PSN_MASK;
}

static bool has_bth(u8 lnh)
{
	return lnh == IB_LNH_IBA_LOCAL || lnh == IB_LNH_IBA_GLOBAL;
}

static unsigned int bth_offset(u8 lnh)
{
	return lnh == IB_LNH_IBA_GLOBAL ? HCA_LRH_BYTES + HCA_GRH_BYTES : HCA_LRH_BYTES;
}

/*
 * Return: octets of a raw packet's headers. A raw EtherType packet has an RWH with its EtherType
 * after the LRH; a raw IPv6 packet has only the LRH (req B4-414, B4-415).
 */
static unsigned int raw_bytes(u8 lnh)
{
	return lnh == IB_LNH_RAW ? HCA_LRH_BYTES + HCA_RWH_BYTES : HCA_LRH_BYTES;
}

static unsigned int raw_pack(const struct hca_headers *h, u8 *buf)
{
	hca_lrh_pack(&h->lrh, buf);
	if (h->lrh.lnh == IB_LNH_RAW)
		put_unaligned_be32(h->rwh_ethertype, buf + HCA_LRH_BYTES);
	return raw_bytes(h->lrh.lnh);
}

static int raw_parse(struct hca_headers *h, const u8 *buf, size_t len)
{
	unsigned int bytes = raw_bytes(buf[1] & 3);

	if (len < bytes)
		return -EINVAL;
	hca_lrh_parse(&h->lrh, buf);
	if (h->lrh.lnh == IB_LNH_RAW)
		h->rwh_ethertype = get_unaligned_be16(buf + HCA_LRH_BYTES + 2);
	return bytes;
}

unsigned int hca_headers_bytes(u8 lnh, u8 opcode)
{
	unsigned int bytes;

	if (!has_bth(lnh))
		return raw_bytes(lnh);
	bytes = hca_opcodes[opcode].header_bytes;
	return bytes ? bth_offset(lnh) + bytes : 0;
}

/*
 * The conversions of each extended transport header between struct hca_headers and its octets.
 */

static void rdeth_pack(const struct hca_headers *h, u8 *p)
{
	put_unaligned_be32(h->rdeth_eecn & HCA_QPN_MASK, p);
}

static void rdeth_parse(struct hca_headers *h, const u8 *p)
{
	h->rdeth_eecn = get_unaligned_be32(p) & HCA_QPN_MASK;
}

static void deth_pack(const struct hca_headers *h, u8 *p)
{
	put_unaligned_be32(h->deth.qkey, p);
	put_unaligned_be32(h->deth.srcqp & HCA_QPN_MASK, p + 4);
}

static void deth_parse(struct hca_headers *h, const u8 *p)
{
	h->deth.qkey = get_unaligned_be32(p);
	h->deth.srcqp = get_unaligned_be32(p + 4) & HCA_QPN_MASK;
}

static void xrceth_pack(const struct hca_headers *h, u8 *p)
{
	put_unaligned_be32(h->xrceth_srqn & HCA_QPN_MASK, p);
}

static void xrceth_parse(struct hca_headers *h, const u8 *p)
{
	h->xrceth_srqn = get_unaligned_be32(p) & HCA_QPN_MASK;
}

static void feth_pack(const struct hca_headers *h, u8 *p)
{
	put_unaligned_be32((h->feth.selectivity & FETH_SEL_MASK) << FETH_SEL_SHIFT |
			   (h->feth.placement & FETH_PLT_MASK), p);
}

static void feth_parse(struct hca_headers *h, const u8 *p)
{
	u32 feth = get_unaligned_be32(p);

	h->feth.selectivity = feth >> FETH_SEL_SHIFT & FETH_SEL_MASK;
	h->feth.placement = feth & FETH_PLT_MASK;
}

static void reth_pack(const struct hca_headers *h, u8 *p)
{
	put_unaligned_be64(h->reth.va, p);
	put_unaligned_be32(h->reth.rkey, p + 8);
	put_unaligned_be32(h->reth.length, p + 12);
}

static void reth_parse(struct hca_headers *h, const u8 *p)
{
	h->reth.va = get_unaligned_be64(p);
	h->reth.rkey = get_unaligned_be32(p + 8);
	h->reth.length = get_unaligned_be32(p + 12);
}

static void atomiceth_pack(const struct hca_headers *h, u8 *p)
{
	put_unaligned_be64(h->atomiceth.va, p);
	put_unaligned_be32(h->atomiceth.rkey, p + 8);
	put_unaligned_be64(h->atomiceth.swap_add, p + 12);
	put_unaligned_be64(h->atomiceth.compare, p + 20);
}

static void atomiceth_parse(struct hca_headers *h, const u8 *p)
{
	h->atomiceth.va = get_unaligned_be64(p);
	h->atomiceth.rkey = get_unaligned_be32(p + 8);
	h->atomiceth.swap_add = get_unaligned_be64(p + 12);
	h->atomiceth.compare = get_unaligned_be64(p + 20);
}

static void aeth_pack(const struct hca_headers *h, u8 *p)
{
	put_unaligned_be32((u32)h->aeth.syndrome << 24 | (h->aeth.msn & HCA_PSN_MASK), p);
}

static void aeth_parse(struct hca_headers *h, const u8 *p)
{
	u32 aeth = get_unaligned_be32(p);

	h->aeth.syndrome = aeth >> 24;
	h->aeth.msn = aeth & HCA_PSN_MASK;
}

static void atomicacketh_pack(const struct hca_headers *h, u8 *p)
{
	put_unaligned_be64(h->atomicack_original, p);
}

static void atomicacketh_parse(struct hca_headers *h, const u8 *p)
{
	h->atomicack_original = get_unaligned_be64(p);
}

static void immdt_pack(const struct hca_headers *h, u8 *p)
{
	memcpy(p, &h->immdt, HCA_IMMDT_BYTES);
}

static void immdt_parse(struct hca_headers *h, const u8 *p)
{
	memcpy(&h->immdt, p, HCA_IMMDT_BYTES);
}

static void ieth_pack(const struct hca_headers *h, u8 *p)
{
	put_unaligned_be32(h->ieth_rkey, p);
}

static void ieth_parse(struct hca_headers *h, const u8 *p)
{
	h->ieth_rkey = get_unaligned_be32(p);
}

/* The extended transport headers in the order that they have in a packet. */
static const struct {
	u32 has; /* flag of the opcodes whose packets have the header */
	unsigned int bytes;
	void (*pack)(const struct hca_headers *h, u8 *p);
	void (*parse)(struct hca_headers *h, const u8 *p);
} extensions[] = {
	{ HCA_HAS_RDETH, HCA_RDETH_BYTES, rdeth_pack, rdeth_parse },
	{ HCA_HAS_DETH, HCA_DETH_BYTES, deth_pack, deth_parse },
	{ HCA_HAS_XRCETH, HCA_XRCETH_BYTES, xrceth_pack, xrceth_parse },
	{ HCA_HAS_FETH, HCA_FETH_BYTES, feth_pack, feth_parse },
	{ HCA_HAS_RETH, HCA_RETH_BYTES, reth_pack, reth_parse },
	{ HCA_HAS_ATOMICETH, HCA_ATOMICETH_BYTES, atomiceth_pack, atomiceth_parse },
	{ HCA_HAS_AETH, HCA_AETH_BYTES, aeth_pack, aeth_parse },
	{ HCA_HAS_ATOMICACKETH, HCA_ATOMICACKETH_BYTES, atomicacketh_pack, atomicacketh_parse },
	{ HCA_HAS_IMMDT, HCA_IMMDT_BYTES, immdt_pack, immdt_parse },
	{ HCA_HAS_IETH, HCA_IETH_BYTES, ieth_pack, ieth_parse },
};

unsigned int hca_headers_pack(const struct hca_headers *h, u8 *buf)
{
	const struct hca_opcode_info *op = &hca_opcodes[h->bth.opcode];
	unsigned int i;
	u8 *p = buf;

	if (!has_bth(h->lrh.lnh))
		return raw_pack(h, buf);
	if (!op->name)
		return 0;
	hca_lrh_pack(&h->lrh, p);
	p += HCA_LRH_BYTES;
	if (h->lrh.lnh == IB_LNH_IBA_GLOBAL) {
		hca_grh_pack(&h->grh, p);
		p += HCA_GRH_BYTES;
	}
	hca_bth_pack(&h->bth, p);
	p += HCA_BTH_BYTES;
	for (i = 0; i < ARRAY_SIZE(extensions); i++) {
		if (op->flags & extensions[i].has) {
			extensions[i].pack(h, p);
			p += extensions[i].bytes;
		}
	}
	return p - buf;
}

int hca_headers_parse(struct hca_headers *h, const u8 *buf, size_t len)
{
	const struct hca_opcode_info *op;
	unsigned int offset, bytes, i;
	const u8 *p;
	u8 lnh;

	if (len < HCA_LRH_BYTES)
		return -EINVAL;
	lnh = buf[1] & 3;
	if (!has_bth(lnh))
		return raw_parse(h, buf, len);
	offset = bth_offset(lnh);
	if (len < offset + HCA_BTH_BYTES)
		return -EINVAL;
	op = &hca_opcodes[buf[offset]];
	bytes = offset + op->header_bytes;
	if (!op->name || len < bytes)
		return -EINVAL;
	hca_lrh_parse(&h->lrh, buf);
	if (lnh == IB_LNH_IBA_GLOBAL)
		hca_grh_parse(&h->grh, buf + HCA_LRH_BYTES);
	hca_bth_parse(&h->bth, buf + offset);
	p = buf + offset + HCA_BTH_BYTES;
	for (i = 0; i < ARRAY_SIZE(extensions); i++) {
		if (op->flags & extensions[i].has) {
			extensions[i].parse(h, p);
			p += extensions[i].bytes;
		}
	}
	return bytes;
}
