/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A range of registered memory, by its key: what requests and packets refer to. */
#ifndef HCA_TPT_FRAGMENT_H
#define HCA_TPT_FRAGMENT_H

#include <linux/types.h>

/* A range of registered memory of the sender. */
struct hca_fragment {
	u64 generation; /* of the MR when the request was fetched; another one: it has gone */
	u64 addr;
	u32 lkey;
	u32 length; /* octets */
};

#endif
