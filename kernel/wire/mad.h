/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Format of the management datagram (MAD). */
#ifndef HCA_WIRE_MAD_H
#define HCA_WIRE_MAD_H

#include <linux/build_bug.h>
#include <linux/types.h>
#include <rdma/ib_mad.h>

#define HCA_MAD_BYTES 256
#define HCA_BASE_VERSION 1

/* The header of every MAD (IBA 13.4.2). */
struct hca_mad_hdr {
	u8 base_version;
	u8 mgmt_class; /* IB_MGMT_CLASS_* */
	u8 class_version;
	u8 method; /* IB_MGMT_METHOD_* */
	__be16 status; /* IB_MGMT_MAD_STATUS_* */
	__be16 class_specific; /* hop pointer and hop count of a directed-route SMP */
	__be64 tid;
	__be16 attr_id;
	__be16 reserved;
	__be32 attr_mod;
};

struct hca_mad {
	struct hca_mad_hdr hdr;
	u8 body[232];
};

static_assert(sizeof(struct hca_mad_hdr) == 24);
static_assert(sizeof(struct hca_mad) == HCA_MAD_BYTES);

/* Attribute IDs that have the same meaning in every management class. */
#define HCA_ATTRIBUTE_CLASS_PORT_INFO 0x0001
#define HCA_ATTRIBUTE_NOTICE 0x0002

#endif
