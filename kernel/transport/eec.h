/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* EE contexts by themselves: the ends of reliable datagram channels (C4-003, C4-036). */
#ifndef HCA_TRANSPORT_EEC_H
#define HCA_TRANSPORT_EEC_H

#include "transport/qp.h"

struct hca_eec_init {
	const void *rdd; /* reliable datagram domain: whose queue pairs may use it */
	const void *owner; /* user context */
	void *context; /* for events */
};

/**
 * hca_eec_create() - make an EE context in state Reset
 * @ca: the channel adapter
 * @init: what it is to be
 *
 * Context: process. Return: the context (its number is ->eecn), or ERR_PTR: -ENOMEM (no memory
 * or no number).
 */
struct hca_eec *hca_eec_create(struct hca_ca *ca, const struct hca_eec_init *init);

/**
 * hca_eec_destroy() - take it out of use, wait for the last user, free
 * @eec: the context
 *
 * Requests that name it, now or later, end with HCA_WC_INV_EECN_ERR.
 * Context: process, may sleep.
 */
void hca_eec_destroy(struct hca_eec *eec);

/**
 * hca_eec_modify() - change state and attributes
 * @eec: the context
 * @attr: new values; dest_qpn is the peer's EE context number
 * @mask: enum hca_qp_attr_mask: which. Transitions are those of RC, without a Q_Key,
 *        access rights or state SQE (C4-013)
 *
 * Unlike hca_qp_modify() the mask is checked here.
 * Context: process. Return: 0; -EINVAL: a value out of range, a transition there is not, an attribute that
 * it needs or does not take.
 */
int hca_eec_modify(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask);

/* Attributes as they are now. Context: process. */
void hca_eec_query(struct hca_eec *eec, struct hca_qp_attr *attr);

#endif
