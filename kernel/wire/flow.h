/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Flow-control packets, by which the ends of a link exchange the credits of a VL (req C4-147). */
#ifndef HCA_WIRE_FLOW_H
#define HCA_WIRE_FLOW_H

#include <linux/types.h>

#define HCA_FLOW_BYTES 6

enum hca_flow_op {
	HCA_FLOW_NORMAL = 0,
	HCA_FLOW_INIT = 1, /* the sending port is in Initialize */
};

/* A flow-control packet. FCTBS and FCCL count blocks of 64 octets, modulo 4096. */
struct hca_flow {
	u8 op; /* enum hca_flow_op */
	u8 vl;
	u16 fctbs; /* blocks sent since the link came up */
	u16 fccl; /* credit limit: the FCTBS up to which the other end may send */
};

/**
 * hca_flow_pack() - write a flow-control packet, LPCRC included
 * @flow: contents; FCTBS and FCCL are reduced modulo 4096
 * @buf: HCA_FLOW_BYTES octets to write
 *
 * Context: any.
 */
void hca_flow_pack(const struct hca_flow *flow, u8 *buf);

/**
 * hca_flow_parse() - read a flow-control packet
 * @flow: filled in if the packet is valid
 * @buf: received packet
 * @len: octets of @buf
 *
 * The caller checks whether the VL is operational (req C4-160).
 *
 * Context: any.
 * Return: 0; -EBADMSG if the LPCRC is wrong; -EINVAL if the length or the operand is wrong.
 */
int hca_flow_parse(struct hca_flow *flow, const u8 *buf, size_t len);

#endif
