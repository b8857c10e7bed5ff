/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* An address handle, which work requests of all carriers can name. */
#ifndef HCA_VERBS_CORE_AH_H
#define HCA_VERBS_CORE_AH_H

#include <rdma/hca-abi.h>
#include <rdma/ib_verbs.h>

struct hca_ib_context;

struct hca_ib_ah {
	struct ib_ah ib;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	struct hca_av av;
};

static inline struct hca_ib_ah *to_hca_ib_ah(struct ib_ah *ib)
{
	return container_of(ib, struct hca_ib_ah, ib);
}

#endif
