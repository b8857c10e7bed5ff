/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Atomic operations on registered memory. They are atomic with respect to all accesses of eight
 * octets by the processors and all channel adapters of this machine (IBA 10.6.7.2.1: "global").
 */
#ifndef HCA_TPT_ATOMIC_H
#define HCA_TPT_ATOMIC_H

#include "tpt/entry.h"

/**
 * hca_atomic_add() - fetch and add
 * @entry: TPT entry to which the caller holds a reference
 * @addr: address of the eight octets, all of which are in the entry
 * @add: value to add
 * @original: set to the value before the operation
 *
 * Context: any.
 * Return: true; or false if the kernel address is not aligned to eight octets.
 */
bool hca_atomic_add(const struct hca_tpt_entry *entry, u64 addr, u64 add, u64 *original);

/**
 * hca_atomic_swap() - compare and swap
 * @entry: TPT entry to which the caller holds a reference
 * @addr: address of the eight octets, all of which are in the entry
 * @compare: value that is replaced
 * @swap: value that replaces it
 * @original: set to the value before the operation
 *
 * Context: any.
 * Return: true; or false if the kernel address is not aligned to eight octets.
 */
bool hca_atomic_swap(const struct hca_tpt_entry *entry, u64 addr, u64 compare, u64 swap,
		     u64 *original);

/**
 * hca_atomic_write() - write eight octets at once
 * @entry: TPT entry to which the caller holds a reference
 * @addr: address of the eight octets, all of which are in the entry
 * @octets: the eight octets, in the order in which they are written to memory
 *
 * Context: any.
 * Return: true; or false if the kernel address is not aligned to eight octets.
 */
bool hca_atomic_write(const struct hca_tpt_entry *entry, u64 addr, const void *octets);

#endif
