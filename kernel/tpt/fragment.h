/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Fragments: ranges of registered memory to which requests and packets refer by a key. */
#ifndef HCA_TPT_FRAGMENT_H
#define HCA_TPT_FRAGMENT_H

#include <linux/types.h>

/* A range of registered memory of the sender. */
struct hca_fragment {
	/* Generation of the MR when the request was fetched; if it has changed, the MR has gone. */
	u64 generation;
	u64 addr;
	u32 lkey;
	u32 length; /* octets */
};

#endif
