/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Queue pair numbers. */
#ifndef HCA_TRANSPORT_QP_TABLE_H
#define HCA_TRANSPORT_QP_TABLE_H

#include "transport/ca.h"

int hca_qp_table_init(struct hca_qp_table *table);
void hca_qp_table_destroy(struct hca_qp_table *table);

/**
 * hca_qp_publish() - give a queue pair its number and make it findable
 * @qp: complete; type and init port decide
 * @port_num: for QP0 and QP1
 *
 * Context: process. Return: 0, -ENOMEM (no number out of time-wait), -EBUSY.
 */
int hca_qp_publish(struct hca_qp *qp, u8 port_num);

/* No further look-up finds it; the number goes into time-wait. Context: process. */
void hca_qp_withdraw(struct hca_qp *qp);

/* What stands at an index, with a user counted, or NULL. Context: BH disabled. */
struct hca_qp *hca_qp_get_index(struct hca_ca *ca, u32 index);

/* QP0 or QP1 of a port, with a user counted, or NULL. Context: BH disabled. */
struct hca_qp *hca_qp_get_special(struct hca_ca *ca, u8 port_num, u32 qpn);

#endif
