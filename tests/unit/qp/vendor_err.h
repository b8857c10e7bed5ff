/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The pair of adapters at which a check of a request is made to fail, and the ways to do so. */
#ifndef HCA_TESTS_VENDOR_ERR_H
#define HCA_TESTS_VENDOR_ERR_H

#include "tests/unit/fixture/pair.h"
#include "tpt/odp.h"

/* The pair of a case, and the objects that are removed after the case. */
struct scene {
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_tpt_entry *entry[4];
	unsigned int entries;
	struct hca_odp odp;
	unsigned int seen;
};

extern struct scene scene;

/* Post the request that was written last at the first end. */
void scene_post(void);

/* A copy of the MR of an end, or a window or MR for fast registration, until the case is over. */
struct hca_tpt_entry *scene_entry(struct pair_end *end, u8 kind);
struct hca_tpt_entry *scene_add(struct pair_end *end, struct hca_tpt_entry *entry);

/* Each has request 1 of the first end fail by the check that it is named after. */
void bind_window(void);
void bind_window_pd(void);
void bind_flags(void);
void bind_length(void);
void bind_bound(void);
void bind_key(void);
void bind_mr(void);
void bind_mr_pd(void);
void bind_mr_kind(void);
void bind_mr_access(void);
void bind_rights(void);
void bind_bounds(void);
void reg_key(void);
void reg_valid(void);
void reg_pd(void);
void reg_rights(void);
void reg_bounds(void);
void invalidate_key(void);
void invalidate_kind(void);
void invalidate_qp(void);
void invalidate_pd(void);
void invalidate_bound(void);

#endif
