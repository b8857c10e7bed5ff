/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Operations of work requests on TPT entries: fast registration, binding of windows, invalidation.
 * An operation that fails changes nothing (req R0-369). When an operation has succeeded, copies do
 * not use the previous contents of the entry any more (req R0-371).
 */
#ifndef HCA_TPT_KEY_H
#define HCA_TPT_KEY_H

#include "tpt/entry.h"

/* The new contents of an entry, and the queue pair whose work request sets them. */
struct hca_binding {
	const void *pd; /* protection domain of the queue pair */
	u32 qpn; /* number of the queue pair */
	struct hlist_head *windows; /* the queue pair's windows of type 2; guarded by tpt->lock */
	u32 key; /* the new key, with tag and index of the entry, and any octet */
	u32 lkey; /* L_Key of the MR to which a window is bound */
	u32 access; /* enum ib_uverbs_access_flags */
	u64 addr; /* address of the first octet */
	u64 length; /* octets */
};

/**
 * hca_key_register() - fast registration: make an MR valid with the pages mapped for it
 * @tpt: the table
 * @b: the new contents; the offset in the first page is that of b->addr (req R0-330), even if
 * b->access has IB_UVERBS_ACCESS_ZERO_BASED and the first octet gets address 0 (req R0-331)
 *
 * Context: BH disabled.
 * Return: HCA_VENDOR_ERR_NONE; HCA_VENDOR_ERR_REG_* if the key is not that of a fast-registered MR,
 * if the MR is valid already, is in another protection domain or has too few pages, or if remote
 * write or atomic access is requested without local write access (req R0-306 to R0-308).
 */
enum hca_vendor_err hca_key_register(struct hca_tpt *tpt, const struct hca_binding *b);

/**
 * hca_key_bind() - bind a window to a part of an MR
 * @tpt: the table
 * @b: the new contents of the window
 *
 * A window of type 1 may be bound already; length 0 unbinds it (req V3-260). A window of type 2
 * must be invalid (req R0-363). The new key must differ from the present one (req V3-262).
 * Context: BH disabled.
 * Return: HCA_VENDOR_ERR_NONE; HCA_VENDOR_ERR_BIND_* if a check fails (req R0-372).
 */
enum hca_vendor_err hca_key_bind(struct hca_tpt *tpt, const struct hca_binding *b);

/**
 * hca_key_invalidate() - invalidate a fast-registered MR or a window of type 2
 * @tpt: the table
 * @key: L_Key or R_Key
 * @pd: protection domain of the queue pair
 * @qpn: number of the queue pair
 * @remote: true if the peer of the queue pair invalidates the key (Send with Invalidate); false if
 *          the consumer of the queue pair does
 *
 * The operation also succeeds if the entry is invalid already (req R0-344).
 * Context: BH disabled.
 * Return: HCA_VENDOR_ERR_NONE; HCA_VENDOR_ERR_INVALIDATE_* if the key does not exist, or if its
 * entry may not be invalidated at all, or not by this queue pair (req R0-345, R0-368);
 * HCA_VENDOR_ERR_REMOTE_INVALIDATE if the entry does not allow remote access.
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
