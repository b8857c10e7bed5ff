/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The faults of an RNIC's queue pairs: those of the whole RNIC, and those of single queue pairs.
 * Each queue pair has faults of its own memory, which count and select its own FPDUs alone.
 */
#ifndef HCA_IWARP_FAULT_INSTALL_H
#define HCA_IWARP_FAULT_INSTALL_H

#include "iwarp/fault.h"

#define HCA_RNIC_QP_FAULTS 16 /* queue pairs of an RNIC that can have faults of their own */

struct hca_iwarp_qp;
struct hca_qp;
struct hca_rnic;

/* A description of faults, with what they have done so far. */
struct hca_rnic_fault_view {
	struct hca_iwarp_fault_spec spec; /* kind HCA_IWARP_FAULT_NONE: no faults */
	u32 qpn; /* of a queue pair with faults of its own; 0: the faults of the RNIC */
	u64 selected, happened; /* FPDUs, those of queue pairs that were destroyed included */
};

/**
 * hca_iwarp_set_fault() - have the FPDUs of a queue pair sent with faults
 * @qp: a queue pair of an RNIC
 * @fault: the faults, allocated by kmalloc(), which the queue pair owns from then on; they replace
 *         earlier ones. NULL removes those.
 *
 * Context: process; takes send_lock.
 */
void hca_iwarp_set_fault(struct hca_qp *qp, struct hca_iwarp_fault *fault);

/**
 * hca_iwarp_inherit_fault() - give a new queue pair the faults of its RNIC
 * @it: the queue pair, which look-ups find already
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_iwarp_inherit_fault(struct hca_iwarp_qp *it);

/**
 * hca_rnic_set_faults() - have the FPDUs of all queue pairs sent with faults
 * @rnic: the RNIC
 * @spec: the faults, which replace all earlier ones, those of single queue pairs included; queue
 *        pairs that are created later have them as well. Kind HCA_IWARP_FAULT_NONE removes all.
 *
 * Context: process, may sleep; the caller serializes calls for an RNIC.
 * Return: 0; -ENOMEM: there are no faults any more.
 */
int hca_rnic_set_faults(struct hca_rnic *rnic, const struct hca_iwarp_fault_spec *spec);

/**
 * hca_rnic_set_qp_faults() - have the FPDUs of one queue pair sent with faults
 * @rnic: the RNIC
 * @qpn: number of the queue pair
 * @spec: the faults, which replace earlier ones of the queue pair; kind HCA_IWARP_FAULT_NONE
 *        removes those.
 *
 * Context: process, may sleep; the caller serializes calls for an RNIC.
 * Return: 0; -ENOENT: there is no such queue pair; -ENOSPC: HCA_RNIC_QP_FAULTS queue pairs have
 * faults of their own already; -ENOMEM.
 */
int hca_rnic_set_qp_faults(struct hca_rnic *rnic, u32 qpn, const struct hca_iwarp_fault_spec *spec);

/**
 * hca_rnic_view_faults() - describe the faults of an RNIC and what they have done
 * @rnic: the RNIC
 * @view: filled in
 *
 * Context: process.
 */
void hca_rnic_view_faults(struct hca_rnic *rnic, struct hca_rnic_fault_view *view);

/**
 * hca_rnic_next_fault() - find a queue pair that has faults of its own
 * @rnic: the RNIC
 * @index: 0 in the first call; then as the last call has left it
 * @view: filled in
 *
 * Context: process.
 * Return: false if there are no more.
 */
bool hca_rnic_next_fault(struct hca_rnic *rnic, u32 *index, struct hca_rnic_fault_view *view);

#endif
