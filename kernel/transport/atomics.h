/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Execution of atomics and Atomic Writes, at once or after the Flushes that precede them. */
#ifndef HCA_TRANSPORT_ATOMICS_H
#define HCA_TRANSPORT_ATOMICS_H

#include "transport/eec.h"
#include "transport/iba_qp.h"

/* Return the right that the operation of a response needs, enum ib_uverbs_access_flags. */
u32 hca_atomic_access(const struct hca_response *r);

/**
 * hca_atomic_execute() - execute an atomic or Atomic Write
 * @eec: the EE context
 * @qp: the destination
 * @pd: its protection domain
 * @r: the response, of kind HCA_RESP_LATER; set to the kind and result of the executed operation
 *
 * Context: BH disabled.
 * Return: 0; -EACCES: the R_Key does not permit it; -EAGAIN: a page is absent; -EFAULT: the memory
 * is not aligned.
 */
int hca_atomic_execute(struct hca_eec *eec, const struct hca_qp *qp, const void *pd,
		       struct hca_response *r);

/*
 * Save the result of an atomic for duplicate requests (req B4-362). An Atomic Write has no result
 * to save. recv_lock held.
 */
void hca_atomic_save(struct hca_eec *eec, const struct hca_response *r);

#endif
