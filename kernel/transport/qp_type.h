/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The queue pair types of InfiniBand's transports. */
#ifndef HCA_TRANSPORT_QP_TYPE_H
#define HCA_TRANSPORT_QP_TYPE_H

#include "qp/type.h"

struct hca_eec_ops;

struct hca_iba_type {
	struct hca_qp_type type; /* first member */
	const struct hca_eec_ops *eec_ops;
	u8 transport; /* enum hca_transport */
	u8 kind; /* enum hca_kind */
	/* kinds of packets that are accepted: HCA_IS_REQUEST, HCA_IS_RESPONSE or both */
	u32 accepts;
};

/**
 * hca_iba_type() - find a queue pair type
 * @type: any value of enum ib_qp_type, or HCA_QPT_RD
 *
 * Context: any.
 * Return: the row of the type; NULL if InfiniBand's transports have no such type.
 */
const struct hca_iba_type *hca_iba_type(unsigned int type);

#endif
