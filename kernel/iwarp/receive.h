/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reception: each FPDU that arrives is checked, delivered, and consumed. */
#ifndef HCA_IWARP_RECEIVE_H
#define HCA_IWARP_RECEIVE_H

#include "iwarp/iwarp_qp.h"

/**
 * hca_receive() - process what has arrived
 * @it: the queue pair, whose stream is in Full Operation; send_lock held
 * @budget: reduced by one for each FPDU, and for each 4 KiB of it
 *
 * In a state that receives no segments, what has arrived is consumed without being looked at.
 *
 * Context: run function of the queue pair; BH disabled.
 * Return: HCA_DONE, or HCA_BUDGET.
 */
enum hca_progress hca_receive(struct hca_iwarp_qp *it, int *budget);

#endif
