/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The steps of a consumer of verbs, for all services: the unit tests and the simulator use them. */
#ifndef HCA_TESTS_CONSUMER_H
#define HCA_TESTS_CONSUMER_H

#include <linux/types.h>
#include "qp/cq.h"
#include "qp/qp.h"
#include "tpt/entry.h"

struct hca_ci;

/**
 * consumer_qp_mask() - the attributes that a queue pair needs on its way to RTS
 * @type: its enum ib_qp_type; QP0, QP1 and raw queue pairs included
 * @state: IB_QPS_INIT, IB_QPS_RTR or IB_QPS_RTS, which it goes to from the state before
 *
 * Return: a mask of enum ib_qp_attr_mask, with IB_QP_STATE.
 */
int consumer_qp_mask(u8 type, u8 state);

/**
 * consumer_rd_eec_mask() - the attributes that RD's EE context needs on its way to RTS
 * @state: as of consumer_qp_mask()
 *
 * Return: a mask of enum ib_qp_attr_mask, with IB_QP_STATE.
 */
int consumer_rd_eec_mask(u8 state);

/**
 * consumer_create_qp() - create a queue pair in state Reset
 * @ci: the carrier, as verbs know it
 * @init: type, sizes and objects of the queue pair
 *
 * Return: the queue pair, or ERR_PTR(), as struct hca_ci_ops has it.
 */
struct hca_qp *consumer_create_qp(struct hca_ci *ci, const struct hca_qp_init *init);

/**
 * consumer_ring() - write to the doorbell, as libhca does, if the ring asks for it
 * @qp: the queue pair
 * @ring: that of its send or receive queue, or NULL
 *
 * Return: whether it did; the engine has run then.
 */
bool consumer_ring(struct hca_qp *qp, const struct hca_ring *ring);

/**
 * consumer_poll_cq() - consume one completion, as libhca does, or as the kernel's consumers do
 * @cq: the completion queue
 * @cqe: set to the completion
 *
 * Return: false if there is none.
 */
bool consumer_poll_cq(struct hca_cq *cq, struct hca_cqe *cqe);

/**
 * consumer_reg_mr() - register a memory region
 * @ci: the carrier, as verbs know it
 * @mr: what it has in common with the entry that is made: pages, address, length, rights, PD
 *
 * Return: the entry, which hca_tpt_entry_remove() frees; NULL if the table is full.
 */
struct hca_tpt_entry *consumer_reg_mr(struct hca_ci *ci, const struct hca_tpt_entry *mr);

/**
 * consumer_access() - read or write memory whose pages are anywhere
 * @page: the pages, in the order of addresses
 * @at: where it begins, in octets from the start of the first page
 * @octets: what is written, or read
 * @length: number of octets
 * @write: to the pages; otherwise from them
 */
void consumer_access(void *const *page, u32 at, u8 *octets, u32 length, bool write);

#endif
