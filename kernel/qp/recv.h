/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Receive requests: consumed from the ring, filled and completed. For all functions with a queue
 * pair: recv_lock is held and BH are disabled.
 */
#ifndef HCA_QP_RECV_H
#define HCA_QP_RECV_H

#include "qp/qp.h"

/**
 * hca_recv_consume() - make the next receive request the current one
 * @qp: the queue pair; recv_lock held
 * @recv: the current receive request; nothing is done if it is valid already
 *
 * The request comes from the queue pair's own queue or from its SRQ. If the index of either is
 * invalid, the queue pair goes to Error with HCA_QP_FATAL.
 *
 * Context: BH disabled.
 * Return: false if no request is posted or the queue has failed.
 */
bool hca_recv_consume(struct hca_qp *qp, struct hca_recv *recv);

/**
 * hca_recv_complete() - complete the current receive request
 * @qp: the queue pair; recv_lock held
 * @recv: the request
 * @cqe: status, opcode, flags, byte_len and the fields from the packet; the function sets all
 *       others
 *
 * Context: BH disabled.
 * Return: false if the CQ has no room: the completion is lost and the queue pair is in Error.
 */
bool hca_recv_complete(struct hca_qp *qp, struct hca_recv *recv, struct hca_cqe *cqe);

/**
 * hca_recv_fail() - complete the current receive request with an error
 * @qp: the queue pair; recv_lock held
 * @recv: the request
 * @error: the reason of the failure
 *
 * Context: BH disabled.
 */
void hca_recv_fail(struct hca_qp *qp, struct hca_recv *recv, enum hca_vendor_err error);

/**
 * hca_recvs_flush() - flush the current and all posted receive requests of a queue pair in Error
 * @qp: the queue pair; recv_lock held
 * @budget: number of requests that may be flushed; the number flushed is subtracted
 *
 * Requests posted later need a doorbell. The requests of an SRQ stay for other queue pairs (req
 * R0-235); HCA_QP_LAST_WQE_REACHED reports once that this queue pair does not consume them any
 * more.
 *
 * Context: BH disabled.
 * Return: whether all requests are flushed.
 */
bool hca_recvs_flush(struct hca_qp *qp, int *budget);

#endif
