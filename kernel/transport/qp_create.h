/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Creation of queue pairs of InfiniBand's transports. */
#ifndef HCA_TRANSPORT_QP_CREATE_H
#define HCA_TRANSPORT_QP_CREATE_H

#include "qp/qp.h"

struct hca_ca;

/**
 * hca_qp_create() - create a queue pair in state Reset
 * @ca: the channel adapter
 * @init: type, sizes and objects of the queue pair; all numbers within the adapter's limits
 *
 * The rings have at least the requested number of entries; sq.entries and rq.entries are the actual
 * numbers.
 *
 * Context: process.
 * Return: the queue pair, or ERR_PTR(): -EINVAL if the type is unknown, a number is out of range,
 * or the RDD of an RD queue pair or the XRC domain of an XRC target is missing; -ENOMEM; -EBUSY if
 * the port's QP0 or QP1 exists already.
 */
struct hca_qp *hca_qp_create(struct hca_ca *ca, const struct hca_qp_init *init);

#endif
