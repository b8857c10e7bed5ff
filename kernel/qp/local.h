/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Local requests, which bind, register or invalidate keys. A local request consumes no PSN and
 * sends no packet. It begins when all requests before it have ended, as if it had the local fence
 * (req R0-440), and takes effect before the next request begins (req R0-434 to R0-436).
 */
#ifndef HCA_QP_LOCAL_H
#define HCA_QP_LOCAL_H

#include "qp/qp.h"

/**
 * hca_local_execute() - execute a local request
 * @qp: the queue pair; send_lock held
 * @req: the oldest request of the queue pair, which is a local request
 *
 * Context: BH disabled.
 * Return: the reason of the failure, or HCA_VENDOR_ERR_NONE.
 */
enum hca_vendor_err hca_local_execute(struct hca_qp *qp, const struct hca_request *req);

#endif
