/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Snapshots of an RNIC's queue pairs, for diagnosis. */
#ifndef HCA_IWARP_VIEW_H
#define HCA_IWARP_VIEW_H

#include <rdma/hca-abi.h>

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

/**
 * hca_iwarp_view_terminate() - describe the Terminate message that a queue pair keeps (req R0-123)
 * @qp: the queue pair
 * @info: filled in
 *
 * Context: process.
 */
void hca_iwarp_view_terminate(struct hca_qp *qp, struct hca_terminate_info *info);

#endif
