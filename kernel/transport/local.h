/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Requests that end where they are posted: they take no PSN and make no packet. They wait until
 * all before them have ended, as if each had the local fence (R0-440), and take effect before
 * what is behind them is looked at (R0-434 to R0-436).
 */
#ifndef HCA_TRANSPORT_LOCAL_H
#define HCA_TRANSPORT_LOCAL_H

#include "transport/qp.h"

/**
 * hca_local_execute() - do what a local request says
 * @qp: the queue pair; send_lock held
 * @req: its oldest request
 *
 * Return: the request's status.
 */
enum hca_status hca_local_execute(struct hca_qp *qp, const struct hca_request *req);

#endif
