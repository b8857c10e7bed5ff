/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Modify and query of an RNIC's queue pair. All functions but the last are called with send_lock
 * held and BH disabled; the first two with recv_lock as well.
 */
#ifndef HCA_IWARP_MODIFY_H
#define HCA_IWARP_MODIFY_H

#include "qp/qp.h"

/**
 * hca_iwarp_modify_check() - check the attributes of a modify
 * @qp: the queue pair
 * @attr: new values
 * @mask: enum ib_qp_attr_mask
 *
 * Only start-up makes the transitions to RTR and RTS: a modify from Init to RTR, or in RTS to RTS,
 * sets the other attributes.
 *
 * Context: BH disabled; send_lock and recv_lock held.
 * Return: 0; -EINVAL; -EBUSY: to Reset, while the stream has not gone.
 */
int hca_iwarp_modify_check(const struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);

/**
 * hca_iwarp_modify_apply() - set the attributes of a modify, except for the state
 * @qp: the queue pair
 * @attr: new values, which are checked
 * @mask: enum ib_qp_attr_mask
 *
 * The run function does to the stream what the new state demands.
 *
 * Context: BH disabled; send_lock and recv_lock held.
 */
void hca_iwarp_modify_apply(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);

/**
 * hca_iwarp_query() - query the attributes, except for those that describe the state
 * @qp: the queue pair
 * @attr: filled in
 *
 * Context: BH disabled; send_lock held.
 */
void hca_iwarp_query(const struct hca_qp *qp, struct hca_qp_attr *attr);

/**
 * hca_iwarp_is_ending() - return whether a queue pair in Error still has a stream
 * @qp: the queue pair
 *
 * Context: any context in which spin_lock_bh() may be called; takes send_lock.
 * Return: true until the stream is detached.
 */
bool hca_iwarp_is_ending(struct hca_qp *qp);

#endif
