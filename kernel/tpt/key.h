/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Operations of work requests on TPT entries: fast registration, binding of windows, invalidation.
 * An operation that fails changes nothing (req R0-369). An operation that succeeds has taken effect
 * on return: copies that use the previous contents of the entry are over (req R0-371).
 */
#ifndef HCA_TPT_KEY_H
#define HCA_TPT_KEY_H

#include "tpt/entry.h"

/* The new contents of an entry, and the queue pair whose work request sets them. */
struct hca_binding {
	const void *pd; /* protection domain of the queue pair */
	u32 qpn; /* number of the queue pair */
	struct hlist_head *windows; /* the queue pair's windows of type 2; under tpt->lock */
	u32 key; /* the new key: tag and index name the entry, the octet is free */
	u32 lkey; /* L_Key of the MR to which a window is bound */
	u32 access; /* enum ib_uverbs_access_flags */
	u64 addr; /* address of the first octet */
	u64 length; /* octets */
};

/**
 * hca_key_register() - fast registration: make an MR valid with the pages mapped for it
 * @tpt: the table
 * @b: the new contents; b->addr also gives the offset into the first page (req R0-330), even if
 * b->access has IB_UVERBS_ACCESS_ZERO_BASED and the first octet gets address 0 (req R0-331)
 *
 * Context: BH disabled.
 * Return: HCA_VENDOR_ERR_NONE; or HCA_VENDOR_ERR_REG_* if the key does not name a fast-registered
 * MR; if the MR is valid already, is in another protection domain or has too few pages; or if
 * remote write or atomic access is requested without local write access (req R0-306 to R0-308).
 */
enum hca_vendor_err hca_key_register(struct hca_tpt *tpt, const struct hca_binding *b);

/**
 * hca_key_bind() - bind a window to a part of an MR
 * @tpt: the table
 * @b: the new contents of the window
 *
 * A window of type 1 may be bound already; length 0 unbinds it (req V3-260). A window of type 2 has
 * to be invalid (req R0-363). The new key has to differ from the present one (req V3-262).
 * Context: BH disabled.
 * Return: HCA_VENDOR_ERR_NONE; or HCA_VENDOR_ERR_BIND_* if a check fails (req R0-372).
 */
enum hca_vendor_err hca_key_bind(struct hca_tpt *tpt, const struct hca_binding *b);

/**
 * hca_key_invalidate() - invalidate a fast-registered MR or a window of type 2
 * @tpt: the table
 * @key: L_Key or R_Key
 * @pd: protection domain of the queue pair
 * @qpn: number of the queue pair
 * @remote: whether the peer of the queue pair invalidates (Send with Invalidate), not its consumer
 *
 * An entry that is invalid already stays invalid, which is a success (req R0-344).
 * Context: BH disabled.
 * Return: HCA_VENDOR_ERR_NONE; or HCA_VENDOR_ERR_INVALIDATE_* if the key does not exist, or may not
 * be invalidated at all or by this queue pair (req R0-345, R0-368); or
 * HCA_VENDOR_ERR_REMOTE_INVALIDATE if the peer has no right to the memory.
 */
enum hca_vendor_err hca_key_invalidate(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
				       bool remote);

/**
 * hca_keys_unbind() - unbind all windows of a queue pair that is being destroyed
 * @tpt: the table
 * @windows: the queue pair's list of windows of type 2
 *
 * Context: process.
 */
void hca_keys_unbind(struct hca_tpt *tpt, struct hlist_head *windows);

#endif
