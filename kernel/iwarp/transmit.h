/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The order of what a queue pair sends: the RTR message, Read Responses and requests. */
#ifndef HCA_IWARP_TRANSMIT_H
#define HCA_IWARP_TRANSMIT_H

#include "qp/common.h"
#include "qp/qp.h"

/**
 * hca_iwarp_transmit() - send what can be sent, and complete requests
 * @qp: the queue pair, in RTS; send_lock held
 * @budget: reduced by one for each segment and for each 4 KiB that is copied
 *
 * An error that is raised meanwhile ends the work, between two segments (req R0-198).
 *
 * Context: run function of the queue pair; BH disabled.
 * Return: HCA_DONE, HCA_WAITING or HCA_BUDGET.
 */
enum hca_progress hca_iwarp_transmit(struct hca_qp *qp, int *budget);

#endif
