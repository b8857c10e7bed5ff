/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Numbers and look-up of queue pairs. */
#ifndef HCA_TRANSPORT_QP_TABLE_H
#define HCA_TRANSPORT_QP_TABLE_H

#include "qp/qp.h"
#include "transport/ca.h"

int hca_qp_table_init(struct hca_qp_table *table);
void hca_qp_table_destroy(struct hca_qp_table *table);

/**
 * hca_qp_publish() - number a queue pair and make it findable
 * @qp: an initialized queue pair; QP0 and QP1 are numbered by their type
 * @port_num: the port of QP0 or QP1
 *
 * Context: process.
 * Return: 0; -ENOMEM if all numbers are in use or in time-wait; -EBUSY if the port's QP0 or QP1
 * exists already.
 */
int hca_qp_publish(struct hca_qp *qp, u8 port_num);

/* Make a queue pair unfindable; its number goes into time-wait. Context: process. */
void hca_qp_withdraw(struct hca_qp *qp);

/**
 * hca_qp_find() - find a queue pair by its number without taking a reference
 * @ca: the adapter
 * @qpn: 2 and above
 *
 * The queue pair may be destroyed at any time and is valid only until BH are enabled again. It may
 * be read and kicked.
 *
 * Context: BH disabled.
 * Return: the queue pair or NULL.
 */
struct hca_qp *hca_qp_find(struct hca_ca *ca, u32 qpn);

/**
 * hca_qp_get() - get a queue pair by its number, with a reference
 * @ca: the adapter
 * @qpn: 2 and above
 *
 * Context: BH disabled.
 * Return: the queue pair, to be released by hca_qp_put(), or NULL.
 */
struct hca_qp *hca_qp_get(struct hca_ca *ca, u32 qpn);

/* Get the queue pair at an index, with a reference, or NULL. Context: BH disabled. */
struct hca_qp *hca_qp_get_index(struct hca_ca *ca, u32 index);

/* Get QP0 or QP1 of a port, with a reference, or NULL. Context: BH disabled. */
struct hca_qp *hca_qp_get_special(struct hca_ca *ca, u8 port_num, u32 qpn);

#endif
