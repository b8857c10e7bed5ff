/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Placement of the segments that arrive, and delivery of their messages. */
#ifndef HCA_IWARP_DELIVER_H
#define HCA_IWARP_DELIVER_H

#include "iwarp/iwarp_qp.h"

/**
 * hca_deliver() - place a segment, and deliver its message if the segment is the last one
 * @it: the queue pair; send_lock held
 * @segment: the segment, not that of a Terminate message; its headers are checked
 *
 * An error is raised as terminate.h says.
 *
 * Context: BH disabled.
 */
void hca_deliver(struct hca_iwarp_qp *it, struct hca_rx_segment *segment);

#endif
