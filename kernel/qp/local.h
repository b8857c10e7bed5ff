/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Local requests consume no PSN and make no packet. They begin when all requests before them have
 * ended, as if each had the local fence (req R0-440), and take effect before the next request
 * begins (req R0-434 to R0-436).
 */
#ifndef HCA_QP_LOCAL_H
#define HCA_QP_LOCAL_H

#include "qp/qp.h"

/**
 * hca_local_execute() - execute a local request
 * @qp: the queue pair; send_lock held
 * @req: its oldest request
 *
 * Context: BH disabled.
 * Return: the reason of the failure, or HCA_VENDOR_ERR_NONE.
 */
enum hca_vendor_err hca_local_execute(struct hca_qp *qp, const struct hca_request *req);

#endif
