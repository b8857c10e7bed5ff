/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Accesses of a peer to memory: the check of its right to access memory, atomics, and the write
 * back of a Flush. Atomics and the write back are executed either when the request arrives or after
 * earlier Flushes.
 *
 * A Flush covers up to 2^31 octets or a whole MR, and writing back so much takes long. Therefore
 * the responder writes back at most HCA_MAX_BATCH times HCA_FLUSH_TURN octets when the Flush
 * arrives. The EE context's run function writes back the rest in small parts, just as it sends the
 * response to a Read.
 */
#ifndef HCA_TRANSPORT_ACCESS_H
#define HCA_TRANSPORT_ACCESS_H

#include "transport/eec.h"
#include "transport/iba_qp.h"

/* Number of octets that are written back for one packet of a run function's budget. */
#define HCA_FLUSH_TURN 4096u

/**
 * hca_remote_access() - check the peer's right to access memory
 * @qp: the destination queue pair of the request
 * @access: rights that both the queue pair and the key must have, enum ib_uverbs_access_flags
 * @rkey: the key; not checked if @length is 0 (IBA C9-99)
 * @va: start address
 * @length: octets
 *
 * Context: BH disabled.
 * Return: HCA_SYNDROME_ACK if the access is permitted. Otherwise a NAK with its reason
 * (transport/nak.h): Invalid Request if the queue pair refuses the access, Remote Access Error if
 * the key does.
 */
u16 hca_remote_access(const struct hca_qp *qp, u32 access, u32 rkey, u64 va, u32 length);

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

/**
 * hca_flush_write_back() - write back a part of the memory that a Flush makes persistent
 * @eec: the EE context
 * @qp: the destination queue pair
 * @pd: protection domain that the R_Key must belong to
 * @r: the response to the Flush; r->va and r->left are updated
 * @most: maximum number of octets to write back
 *
 * Context: BH disabled.
 * Return: true if memory was written back; false if the R_Key does not permit this any more or a
 * page is absent.
 */
bool hca_flush_write_back(struct hca_eec *eec, const struct hca_qp *qp, const void *pd,
			  struct hca_response *r, u32 most);

#endif
