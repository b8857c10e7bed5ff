/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What work requests do to keys: fast registration, binding of windows, invalidation. What
 * fails changes nothing (R0-369). When it returns, it has taken effect: no copy is under way
 * by what a key stood for before (R0-371).
 */
#ifndef HCA_TPT_KEY_H
#define HCA_TPT_KEY_H

#include "tpt/entry.h"

/* What a key is to stand for, and the queue pair that says so. */
struct hca_binding {
	const void *pd;
	u32 qpn;
	struct hlist_head *windows; /* the queue pair's of type 2; under the table's lock */
	u32 key; /* the new one: its index says which region or window, its octet may be any */
	u32 lkey; /* a window's: of the region */
	u32 access;
	u64 addr;
	u64 length; /* octets */
};

/**
 * hca_key_register() - fast registration: make a region valid, of the pages mapped for it
 * @tpt: the table
 * @b: what it is to be; addr is where its first page is entered, too (R0-330)
 *
 * Context: BH disabled. Return: false: it is no such region, not invalid, of another protection
 * domain, of too few pages for this, or to be written from afar and not here (R0-306 to R0-308).
 */
bool hca_key_register(struct hca_tpt *tpt, const struct hca_binding *b);

/**
 * hca_key_bind() - bind a window to a part of a region
 * @tpt: the table
 * @b: the window and what it is to be
 *
 * A window of type 1 may be bound already, and is bound to nothing by no octets (V3-260); one
 * of type 2 has to be invalid (R0-363). A bound one has to change its key (V3-262).
 * Context: BH disabled. Return: false: something is not as it should be (R0-372).
 */
bool hca_key_bind(struct hca_tpt *tpt, const struct hca_binding *b);

/**
 * hca_key_invalidate() - make a key one that nothing can be done with
 * @tpt: the table
 * @key: the key
 * @pd: protection domain of the queue pair
 * @qpn: its number
 * @remote: its peer wants it, not its consumer
 *
 * What is invalid already stays so (R0-344).
 * Context: BH disabled. Return: false: there is no such key, or it is not for this (R0-345,
 * R0-368).
 */
bool hca_key_invalidate(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn, bool remote);

/**
 * hca_keys_unbind() - unbind the windows of a queue pair that goes
 * @tpt: the table
 * @windows: its list of them
 *
 * Context: process.
 */
void hca_keys_unbind(struct hca_tpt *tpt, struct hlist_head *windows);

#endif
