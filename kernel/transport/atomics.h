/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Execution of atomics and Atomic Writes, either when the request arrives or after earlier Flushes.
 */
#ifndef HCA_TRANSPORT_ATOMICS_H
#define HCA_TRANSPORT_ATOMICS_H

#include "transport/eec.h"
#include "transport/iba_qp.h"

/*
 * Return the access right (enum ib_uverbs_access_flags) that is needed to execute the request of
 * @r.
 */
u32 hca_atomic_access(const struct hca_response *r);

/**
 * hca_atomic_execute() - execute an atomic or Atomic Write
 * @eec: the EE context that has received the request
 * @qp: the destination queue pair
 * @pd: protection domain that the R_Key must belong to
 * @r: the response to the request, with kind HCA_RESP_LATER. On success, kind is set to
 *     HCA_RESP_ATOMIC, and original to the value before the operation; for an Atomic Write, kind is
 *     set to HCA_RESP_EMPTY
 *
 * Context: BH disabled.
 * Return: 0; -EACCES if the R_Key does not permit the operation; -EAGAIN if a page is absent;
 * -EFAULT if the memory is not aligned.
 */
int hca_atomic_execute(struct hca_eec *eec, const struct hca_qp *qp, const void *pd,
		       struct hca_response *r);

/*
 * Save the result of an atomic, with which a duplicate of its request is answered (req B4-362).
 * Nothing is done for an Atomic Write. recv_lock held.
 */
void hca_atomic_save(struct hca_eec *eec, const struct hca_response *r);

#endif
