/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The headers of an InfiniBand packet as structures in host byte order, and their conversion to
 * and from the wire format.
 */
#ifndef HCA_WIRE_HEADERS_H
#define HCA_WIRE_HEADERS_H

#include <linux/types.h>
#include <rdma/ib_pack.h>

#define HCA_LRH_BYTES 8
#define HCA_GRH_BYTES 40
#define HCA_BTH_BYTES 12
#define HCA_RDETH_BYTES 4
#define HCA_DETH_BYTES 8
#define HCA_XRCETH_BYTES 4
#define HCA_FETH_BYTES 4
#define HCA_RETH_BYTES 16
#define HCA_ATOMICETH_BYTES 28
#define HCA_AETH_BYTES 4
#define HCA_ATOMICACKETH_BYTES 8
#define HCA_IMMDT_BYTES 4
#define HCA_IETH_BYTES 4
#define HCA_RWH_BYTES 4
#define HCA_ICRC_BYTES 4
#define HCA_VCRC_BYTES 2
/* Room for LRH, GRH, BTH and the extended headers of any opcode. */
#define HCA_MAX_HEADER_BYTES 128

#define HCA_LID_PERMISSIVE 0xffff
#define HCA_LID_MULTICAST 0xc000
#define HCA_QPN_MULTICAST 0xffffff
#define HCA_QPN_MASK 0xffffff
#define HCA_PSN_MASK 0xffffff
#define HCA_VL_MANAGEMENT 15

/**
 * hca_lid_is_multicast() - whether a LID is a multicast LID
 * @lid: LID in host byte order
 *
 * Context: any.
 * Return: true from C000h on, except for the permissive LID.
 */
static inline bool hca_lid_is_multicast(u16 lid)
{
	return lid >= HCA_LID_MULTICAST && lid != HCA_LID_PERMISSIVE;
}

#define HCA_GRH_IPVER 6
#define HCA_GRH_NXTHDR_IBA 0x1b

struct hca_lrh {
	u8 vl;
	u8 lver;
	u8 sl;
	u8 lnh;
	u16 dlid;
	u16 slid;
	u16 pktlen; /* units of 4 octets, from the LRH to the ICRC, both included */
};

union hca_gid {
	u8 raw[16];
	struct {
		__be64 subnet_prefix;
		__be64 interface_id;
	};
};

/**
 * hca_is_multicast_gid() - whether a GID is a multicast GID
 * @gid: GID
 *
 * Context: any.
 * Return: true if the first octet is FFh.
 */
static inline bool hca_is_multicast_gid(const union hca_gid *gid)
{
	return gid->raw[0] == 0xff;
}

struct hca_grh {
	u8 ipver;
	u8 tclass;
	u8 nxthdr;
	u8 hoplmt;
	u16 paylen; /* octets after the GRH, up to and including the ICRC */
	u32 flow_label;
	union hca_gid sgid;
	union hca_gid dgid;
};

enum hca_bth_flags {
	HCA_BTH_SOLICITED = 1 << 0,
	HCA_BTH_MIGREQ = 1 << 1,
	HCA_BTH_ACKREQ = 1 << 2,
	HCA_BTH_FECN = 1 << 3,
	HCA_BTH_BECN = 1 << 4,
};

struct hca_bth {
	u8 opcode;
	u8 flags; /* enum hca_bth_flags */
	u8 padcnt; /* octets of padding after the payload, 0 to 3 */
	u8 tver;
	u16 pkey;
	u32 destqp;
	u32 psn;
};

struct hca_deth {
	u32 qkey;
	u32 srcqp;
};

struct hca_reth {
	u64 va;
	u32 rkey;
	u32 length; /* octets of the whole message */
};

struct hca_feth {
	u8 placement; /* placement types: IB_FLUSH_GLOBAL, IB_FLUSH_PERSISTENT */
	u8 selectivity; /* selectivity level: IB_FLUSH_RANGE, IB_FLUSH_MR */
};

struct hca_atomiceth {
	u64 va;
	u32 rkey;
	u64 swap_add;
	u64 compare;
};

struct hca_aeth {
	u8 syndrome;
	u32 msn;
};

/*
 * All headers that a packet can have. lrh.lnh and bth.opcode determine which of them a packet has
 * (hca_opcodes[]); members for other headers are not valid.
 */
struct hca_headers {
	struct hca_lrh lrh;
	struct hca_bth bth;
	union {
		u32 rdeth_eecn;
		u32 xrceth_srqn;
	};
	struct hca_deth deth;
	struct hca_feth feth;
	union {
		struct hca_reth reth;
		struct hca_atomiceth atomiceth;
		u64 atomicack_original;
	};
	struct hca_aeth aeth;
	__be32 immdt;
	u32 ieth_rkey;
	u16 rwh_ethertype; /* raw EtherType packets only */
	struct hca_grh grh;
};

/**
 * hca_headers_bytes() - get the length of all headers of a packet
 * @lnh: link next header, IB_LNH_*
 * @opcode: BTH opcode; ignored if @lnh is that of a raw packet
 *
 * Context: any.
 * Return: octets from the LRH to the payload; 0 if the opcode is reserved.
 */
unsigned int hca_headers_bytes(u8 lnh, u8 opcode);

/**
 * hca_headers_pack() - write the headers of a packet in wire format
 * @h: headers; reserved fields of the wire format become 0
 * @buf: room for HCA_MAX_HEADER_BYTES octets
 *
 * Context: any.
 * Return: octets written; 0 if the opcode is reserved.
 */
unsigned int hca_headers_pack(const struct hca_headers *h, u8 *buf);

/**
 * hca_headers_parse() - read the headers of a packet in wire format
 * @h: filled in; members for headers that the packet does not have are left unchanged
 * @buf: packet, LRH first
 * @len: octets of @buf
 *
 * Only the opcode and @len are checked. The packet checks of link and transport check the versions,
 * the lengths in LRH and GRH, P_Key, Q_Key, QPN and PSN.
 *
 * Context: any.
 * Return: octets of headers; -EINVAL if @len is less than that or the opcode is reserved.
 */
int hca_headers_parse(struct hca_headers *h, const u8 *buf, size_t len);

/**
 * hca_lrh_pack() - write an LRH in wire format
 * @lrh: header; its fields are truncated to their widths
 * @buf: HCA_LRH_BYTES octets
 *
 * Context: any.
 */
void hca_lrh_pack(const struct hca_lrh *lrh, u8 *buf);

/**
 * hca_lrh_parse() - read an LRH in wire format
 * @lrh: filled in
 * @buf: HCA_LRH_BYTES octets
 *
 * Context: any.
 */
void hca_lrh_parse(struct hca_lrh *lrh, const u8 *buf);

/**
 * hca_grh_pack() - write a GRH in wire format
 * @grh: header; its fields are truncated to their widths
 * @buf: HCA_GRH_BYTES octets
 *
 * Context: any.
 */
void hca_grh_pack(const struct hca_grh *grh, u8 *buf);

/**
 * hca_grh_parse() - read a GRH in wire format
 * @grh: filled in
 * @buf: HCA_GRH_BYTES octets
 *
 * Context: any.
 */
void hca_grh_parse(struct hca_grh *grh, const u8 *buf);

/**
 * hca_bth_pack() - write a BTH in wire format
 * @bth: header; its fields are truncated to their widths
 * @buf: HCA_BTH_BYTES octets
 *
 * Context: any.
 */
void hca_bth_pack(const struct hca_bth *bth, u8 *buf);

/**
 * hca_bth_parse() - read a BTH in wire format
 * @bth: filled in
 * @buf: HCA_BTH_BYTES octets
 *
 * Context: any.
 */
void hca_bth_parse(struct hca_bth *bth, const u8 *buf);

/**
 * hca_psn_diff() - compute the difference of two PSNs
 * @a: PSN, 24 bits
 * @b: PSN, 24 bits
 *
 * Context: any.
 * Return: @a - @b, from -2^23 to 2^23 - 1.
 */
static inline s32 hca_psn_diff(u32 a, u32 b)
{
	return (s32)((a - b) << 8) >> 8;
}

/**
 * hca_psn_add() - advance a PSN
 * @psn: PSN, 24 bits
 * @n: packets
 *
 * Context: any.
 * Return: @psn + @n, modulo 2^24.
 */
static inline u32 hca_psn_add(u32 psn, u32 n)
{
	return (psn + n) & HCA_PSN_MASK;
}

#endif
