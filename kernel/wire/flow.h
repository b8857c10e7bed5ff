/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Flow-control packets (C4-147): what a link's two ends tell each other of a VL's buffers. */
#ifndef HCA_WIRE_FLOW_H
#define HCA_WIRE_FLOW_H

#include <linux/types.h>

#define HCA_FLOW_BYTES 6

enum hca_flow_op {
	HCA_FLOW_NORMAL = 0,
	HCA_FLOW_INIT = 1, /* the port is in Initialize */
};

/* Counts of blocks of 64 octets, modulo 4096. */
struct hca_flow {
	u8 op; /* enum hca_flow_op */
	u8 vl;
	u16 fctbs; /* sent since the link came up */
	u16 fccl; /* credit limit: what the other end's FCTBS may grow to */
};

/* Write a packet of HCA_FLOW_BYTES octets, LPCRC included. Context: any. */
void hca_flow_pack(const struct hca_flow *flow, u8 *buf);

/**
 * hca_flow_parse() - read a flow-control packet
 * @flow: result
 * @buf: the packet
 * @len: octets of @buf
 *
 * Whether the VL is operational is the port's business (C4-160).
 * Context: any. Return: 0; -EBADMSG: the LPCRC is wrong; -EINVAL: length or operand are.
 */
int hca_flow_parse(struct hca_flow *flow, const u8 *buf, size_t len);

#endif
