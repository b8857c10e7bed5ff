/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Allocation of QPNs, and look-up of QP0 and QP1. Other queue pairs are found by qp/ci.h. */
#ifndef HCA_TRANSPORT_QP_TABLE_H
#define HCA_TRANSPORT_QP_TABLE_H

#include "qp/qp.h"
#include "transport/ca.h"

/**
 * hca_qp_publish() - assign a QPN to a queue pair, and add it to the table
 * @qp: an initialized queue pair; if its type is SMI or GSI, the QPN is 0 or 1
 * @port_num: number of the port; used only for QP0 and QP1
 *
 * Context: process.
 * Return: 0; -ENOMEM if all QPNs are in use or in time-wait; -EBUSY if the port's QP0 or QP1 exists
 * already.
 */
int hca_qp_publish(struct hca_qp *qp, u8 port_num);

/*
 * Remove a queue pair from the table. The time-wait of its QPN begins, unless it is QP0 or QP1.
 * Context: process.
 */
void hca_qp_withdraw(struct hca_qp *qp);

/* Get QP0 or QP1 of a port, with a reference, or NULL. Context: BH disabled. */
struct hca_qp *hca_qp_get_special(struct hca_ca *ca, u8 port_num, u32 qpn);

#endif
