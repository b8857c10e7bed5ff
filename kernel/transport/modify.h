/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Changing states and attributes of queue pairs and EE contexts. */
#ifndef HCA_TRANSPORT_MODIFY_H
#define HCA_TRANSPORT_MODIFY_H

#include "transport/eec.h"

/* As which attributes go, these are one. */
enum hca_kind {
	HCA_KIND_SPECIAL, /* QP0 and QP1 */
	HCA_KIND_UD,
	HCA_KIND_UC,
	HCA_KIND_RC,
	HCA_KIND_RD,
	HCA_KIND_RAW,
	HCA_KIND_EEC,
	HCA_NUM_KINDS,
};

/**
 * hca_transition_ok() - may this be changed in this state? (B4-219 to B4-230)
 * @cur: state now
 * @next: state to be; @cur if only attributes change
 * @kind: of what
 * @mask: enum hca_qp_attr_mask
 */
bool hca_transition_ok(u8 cur, u8 next, enum hca_kind kind, int mask);

/**
 * hca_attr_check() - may all of this be set now?
 * @eec: whose
 * @kind: what it is
 * @attr: new values
 * @mask: which
 *
 * Both locks held. Return: 0 or -EINVAL.
 */
int hca_attr_check(const struct hca_eec *eec, enum hca_kind kind, const struct hca_qp_attr *attr,
		   int mask);

/* Set what was checked, but for the state. Both locks held. */
void hca_attr_apply(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask);

/* send_lock held. */
void hca_attr_query(const struct hca_eec *eec, struct hca_qp_attr *attr);

#endif
