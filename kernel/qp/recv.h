/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Receive requests: their consumption from the ring, and their completion. In all functions BH are
 * disabled and the queue pair's recv_lock is held.
 */
#ifndef HCA_QP_RECV_H
#define HCA_QP_RECV_H

#include "qp/qp.h"

/**
 * hca_recv_consume() - consume the next receive request, unless @recv is valid already
 * @qp: the queue pair; recv_lock held
 * @recv: the receive request being filled; set to the consumed request
 *
 * The request comes from the SRQ of the queue pair if it has one, otherwise from its receive queue.
 * If the producer index in the ring is invalid, the queue pair goes to Error with HCA_QP_FATAL.
 *
 * Context: BH disabled.
 * Return: true if @recv is valid; false if no request is posted or the queue has failed.
 */
bool hca_recv_consume(struct hca_qp *qp, struct hca_recv *recv);

/**
 * hca_recv_complete() - complete the receive request being filled
 * @qp: the queue pair; recv_lock held
 * @recv: the request
 * @cqe: the completion; status, opcode, flags, byte_len and the values from the packet are set, and
 *       the function sets all other fields
 *
 * Context: BH disabled.
 * Return: false if the CQ is full; the completion is then lost, and the queue pair is in Error.
 */
bool hca_recv_complete(struct hca_qp *qp, struct hca_recv *recv, struct hca_cqe *cqe);

/**
 * hca_recv_fail() - complete the receive request being filled with an error
 * @qp: the queue pair; recv_lock held
 * @recv: the request
 * @error: the reason of the failure
 *
 * Context: BH disabled.
 */
void hca_recv_fail(struct hca_qp *qp, struct hca_recv *recv, enum hca_vendor_err error);

/**
 * hca_recvs_flush() - flush all receive requests of a queue pair in Error
 * @qp: the queue pair; recv_lock held
 * @budget: number of requests that may be flushed; the number flushed is subtracted
 *
 * need_wakeup is set; a consumer that posts a request later rings the doorbell, and the request is
 * flushed, too. The requests of an SRQ are not flushed, because other queue pairs consume them (req
 * R0-235). Instead, HCA_QP_LAST_WQE_REACHED is raised once.
 *
 * Context: BH disabled.
 * Return: whether all requests are flushed.
 */
bool hca_recvs_flush(struct hca_qp *qp, int *budget);

#endif
