/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writing processor caches back to persistent memory. */
#ifndef HCA_TPT_WRITE_BACK_H
#define HCA_TPT_WRITE_BACK_H

#include "tpt/entry.h"

/**
 * hca_tpt_entry_write_back() - write processor caches back to persistent memory
 * @entry: an entry to which the caller holds a reference, and whose memory is persistent
 * @addr: address of the first octet
 * @length: octets, all of which are in the entry
 *
 * On return, earlier writes to the range are in the persistence domain, so that they survive a loss
 * of power.
 *
 * Context: any; does not sleep.
 */
void hca_tpt_entry_write_back(const struct hca_tpt_entry *entry, u64 addr, u64 length);

#endif
