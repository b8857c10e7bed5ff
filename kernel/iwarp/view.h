/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Snapshots of an RNIC's queue pairs, for diagnosis. */
#ifndef HCA_IWARP_VIEW_H
#define HCA_IWARP_VIEW_H

#include <rdma/hca-abi.h>

#include "iwarp/wire/rdmap.h"

struct hca_endpoint;
struct hca_qp;
struct hca_qp_view;

/* The connection of a queue pair. */
struct hca_iwarp_view {
	bool is_initiator;
	u8 revision; /* of MPA */
	bool crc; /* FPDUs have CRCs, in both directions */
	bool markers_in, markers_out;
	u16 ird, ord;
	u32 reads_in, reads_out; /* Read Requests that are not answered yet */
	u64 octets_in, octets_out; /* of Full Operation */
	u32 msn_in[HCA_QN_COUNT], msn_out[HCA_QN_COUNT]; /* of the next messages */
};

/**
 * hca_iwarp_view() - take a snapshot of a queue pair
 * @qp: the queue pair
 * @view: filled in
 *
 * Context: process.
 */
void hca_iwarp_view(struct hca_qp *qp, struct hca_qp_view *view);

/**
 * hca_iwarp_view_connection() - take a snapshot of the connection of a queue pair
 * @qp: the queue pair
 * @view: filled in
 * @locked: called with send_lock held and BH disabled, if there is a connection, for what only the
 *          owner of the endpoint knows
 * @arg: argument of @locked
 *
 * Context: process.
 * Return: whether the queue pair has a connection in Full Operation.
 */
bool hca_iwarp_view_connection(struct hca_qp *qp, struct hca_iwarp_view *view,
			       void (*locked)(struct hca_endpoint *ep, void *arg), void *arg);

/**
 * hca_iwarp_view_terminate() - describe the Terminate message that a queue pair keeps (req R0-123)
 * @qp: the queue pair
 * @info: filled in
 *
 * Context: process.
 */
void hca_iwarp_view_terminate(struct hca_qp *qp, struct hca_terminate_info *info);

#endif
