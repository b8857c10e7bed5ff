/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Snapshots of the state of queue pairs and RD EE contexts, for diagnosis. */
#ifndef HCA_TRANSPORT_VIEW_H
#define HCA_TRANSPORT_VIEW_H

#include "qp/view.h"

struct hca_qp;
struct hca_rd_eec;

/**
 * hca_qp_view() - take a snapshot of a queue pair
 * @qp: the queue pair
 * @view: set to the snapshot
 *
 * Context: process.
 */
void hca_qp_view(struct hca_qp *qp, struct hca_qp_view *view);

/**
 * hca_rd_eec_view() - take a snapshot of an RD EE context
 * @rd_eec: the EE context
 * @view: set to the snapshot
 *
 * Context: process.
 */
void hca_rd_eec_view(struct hca_rd_eec *rd_eec, struct hca_qp_view *view);

#endif
