/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* State transitions and attributes of queue pairs and EE contexts. */
#ifndef HCA_TRANSPORT_MODIFY_H
#define HCA_TRANSPORT_MODIFY_H

#include "transport/eec.h"

/* Kinds of queue pairs and EE contexts, each of which has its own set of attributes. */
enum hca_kind {
	HCA_KIND_SPECIAL, /* QP0 and QP1 */
	HCA_KIND_UD,
	HCA_KIND_UC,
	HCA_KIND_RC,
	HCA_KIND_RD,
	HCA_KIND_RAW,
	HCA_KIND_XRC_INI,
	HCA_KIND_XRC_TGT,
	HCA_KIND_EEC,
	HCA_NUM_KINDS,
};

/*
 * The meaning of each state of a queue pair or EE context. Requests may be posted in the states of
 * IBA C10-96 and 10.8.2. In SQE send requests are flushed (IBA C10-42), in Error all requests.
 */
extern const struct hca_state_kind hca_iba_states[HCA_NUM_QPS];

/**
 * hca_transition_ok() - check a state transition and its attributes (req B4-219 to B4-230)
 * @cur: current state
 * @next: next state; @cur if only attributes change
 * @kind: kind of object
 * @mask: enum ib_qp_attr_mask: the attributes to set
 *
 * Context: any.
 * Return: true if the transition exists for @kind, permits all attributes in @mask, and requires no
 * other attribute.
 */
bool hca_transition_ok(u8 cur, u8 next, enum hca_kind kind, int mask);

/**
 * hca_attr_check() - check new attributes against the state and the limits
 * @eec: the EE context; send_lock and recv_lock held
 * @kind: kind of object
 * @attr: new values
 * @mask: enum ib_qp_attr_mask: the attributes to set
 *
 * Context: BH disabled.
 * Return: 0, or -EINVAL if the transition does not exist or does not accept the attributes in
 * @mask, or a value is out of range.
 */
int hca_attr_check(const struct hca_eec *eec, enum hca_kind kind, const struct hca_qp_attr *attr,
		   int mask);

/* Set checked attributes, except for the state. send_lock and recv_lock held. */
void hca_attr_apply(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask);

/* Copy the current attributes to @attr. send_lock held. */
void hca_attr_query(const struct hca_eec *eec, struct hca_qp_attr *attr);

#endif
