// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Accesses of a peer to memory: their check, atomics, and the write back of a Flush. */
#include "transport/access.h"
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "compat.h"
#include "tpt/atomic.h"
#include "tpt/entry.h"
#include "tpt/write_back.h"
#include "transport/aeth.h"
#include "transport/nak.h"

u16 hca_remote_access(const struct hca_qp *qp, u32 access, u32 rkey, u64 va, u32 length)
{
	if (access & ~hca_qp_eec(qp)->attr.access)
		return hca_nak(HCA_NAK_REASON_QP_ACCESS);
	if (length && !hca_tpt_entry_find(&qp->ci->tpt, rkey, qp->pd, qp->qpn, access, va,
					  length))
		return hca_nak_key(&qp->ci->tpt, rkey, qp->pd, qp->qpn, access, va, length);
	return HCA_SYNDROME_ACK;
}

u32 hca_atomic_access(const struct hca_response *r)
{
	return r->operation == IB_OPCODE_ATOMIC_WRITE ? IB_UVERBS_ACCESS_REMOTE_WRITE :
							IB_UVERBS_ACCESS_REMOTE_ATOMIC;
}

/*
 * Execute the operation of @r. Except for an Atomic Write, set *original to the value before the
 * operation. Return: false if the memory is not aligned.
 */
static bool atomics_operate(const struct hca_tpt_entry *entry, const struct hca_response *r,
			    u64 *original)
{
	switch (r->operation) {
	case IB_OPCODE_ATOMIC_WRITE:
		return hca_atomic_write(entry, r->va, &r->swap_add);
	case IB_OPCODE_FETCH_ADD:
		return hca_atomic_add(entry, r->va, r->swap_add, original);
	default:
		return hca_atomic_swap(entry, r->va, r->compare, r->swap_add, original);
	}
}

int hca_atomic_execute(struct hca_eec *eec, const struct hca_qp *qp, const void *pd,
		       struct hca_response *r)
{
	struct hca_tpt_entry *entry;
	u64 original = 0;
	bool done;

	entry = hca_tpt_entry_get(&eec->ca->ci.tpt, r->rkey, pd, qp->qpn, hca_atomic_access(r),
				  r->va, sizeof(u64));
	if (IS_ERR_OR_NULL(entry))
		return entry ? PTR_ERR(entry) : -EACCES;
	done = atomics_operate(entry, r, &original);
	hca_tpt_entry_put(entry);
	if (!done)
		return -EFAULT;
	r->kind = r->operation == IB_OPCODE_ATOMIC_WRITE ? HCA_RESP_EMPTY : HCA_RESP_ATOMIC;
	r->original = original;
	return 0;
}

void hca_atomic_save(struct hca_eec *eec, const struct hca_response *r)
{
	if (r->kind != HCA_RESP_ATOMIC)
		return;
	eec->saved[eec->num_saved++ % HCA_MAX_RD_ATOMIC] = (struct hca_saved_atomic){
		.psn = r->psn,
		.original = r->original,
	};
}

bool hca_flush_write_back(struct hca_eec *eec, const struct hca_qp *qp, const void *pd,
			  struct hca_response *r, u32 most)
{
	u32 octets = min_t(u64, r->left, most);
	struct hca_tpt_entry *entry;

	entry = hca_tpt_entry_get(&eec->ca->ci.tpt, r->rkey, pd, qp->qpn,
				  IB_UVERBS_ACCESS_FLUSH_PERSISTENT, r->va, octets);
	if (IS_ERR_OR_NULL(entry))
		return false;
	hca_tpt_entry_write_back(entry, r->va, octets);
	hca_tpt_entry_put(entry);
	r->va += octets;
	r->left -= octets;
	return true;
}
