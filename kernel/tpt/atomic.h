/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Atomics on registered memory: whole towards every other access of eight octets, by
 * whichever adapter or processor (IBA 10.6.7.2.1: "global").
 */
#ifndef HCA_TPT_ATOMIC_H
#define HCA_TPT_ATOMIC_H

#include "tpt/entry.h"

/**
 * hca_atomic_add() - fetch and add
 * hca_atomic_swap() - compare and swap
 * @region: in use
 * @addr: in the region, with seven octets behind it
 * @add: added
 * @compare: what must be there to be replaced
 * @swap: by what
 * @original: result: what was there before
 *
 * Context: any. Return: false: the memory there is not aligned to eight octets.
 */
bool hca_atomic_add(const struct hca_tpt_entry *region, u64 addr, u64 add, u64 *original);
bool hca_atomic_swap(const struct hca_tpt_entry *region, u64 addr, u64 compare, u64 swap,
		     u64 *original);

#endif
