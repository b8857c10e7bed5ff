/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Each operation of a connected service, with messages of many lengths. */
#ifndef HCA_TESTS_OPERATIONS_H
#define HCA_TESTS_OPERATIONS_H

#include "pair.h"

/* Copy a configuration, with another path MTU. */
struct pair_qp operations_with_mtu(const struct pair_qp *how, int mtu);

/* Assert that the next completion is of a receive with immediate data. */
void operations_expect_message(struct pair_end *end, struct hca_cqe *cqe, u64 wr_id, u8 opcode,
			       u32 imm, u32 length);

/*
 * Run Sends and RDMA WRITEs, and READs if the service has them, from the first end to the second,
 * and compare all data and completions. @received, unless it is NULL, checks the completion of each
 * Send.
 */
void operations_run(struct pair *pair, bool reads,
		    void (*received)(struct pair *pair, const struct hca_cqe *cqe));

#endif
