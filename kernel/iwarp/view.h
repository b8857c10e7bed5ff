/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Snapshots of an RNIC's queue pairs, for diagnosis. */
#ifndef HCA_IWARP_VIEW_H
#define HCA_IWARP_VIEW_H

struct hca_qp;
struct hca_qp_view;

/**
 * hca_iwarp_view() - take a snapshot of a queue pair
 * @qp: the queue pair
 * @view: filled in
 *
 * Context: process.
 */
void hca_iwarp_view(struct hca_qp *qp, struct hca_qp_view *view);

#endif
