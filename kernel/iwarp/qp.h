/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The Channel Interface of an RNIC: the creation of queue pairs, and their run function. */
#ifndef HCA_IWARP_QP_H
#define HCA_IWARP_QP_H

#include "qp/ci.h"

struct hca_iwarp_fault;

/* Operations of an RNIC's Channel Interface. */
extern const struct hca_ci_ops hca_iwarp_ci_ops;

/**
 * hca_iwarp_set_fault() - have the FPDUs of a queue pair sent with faults
 * @qp: a queue pair of an RNIC
 * @fault: the faults, allocated by kmalloc(), which the queue pair owns from then on; they replace
 *         earlier ones. NULL removes those.
 *
 * Context: process.
 */
void hca_iwarp_set_fault(struct hca_qp *qp, struct hca_iwarp_fault *fault);

#endif
