// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Names of completion statuses. */
#include "status.h"
#include "matrix.h"

/* Statuses with which an iWARP device may report any failure that its peer has found. */
#define IWARP_ANY \
	(IWARP_STATUS(IBV_WC_WR_FLUSH_ERR) | IWARP_STATUS(IBV_WC_FATAL_ERR) | \
	 IWARP_STATUS(IBV_WC_GENERAL_ERR) | IWARP_STATUS(IBV_WC_REM_OP_ERR) | \
	 IWARP_STATUS(IBV_WC_RETRY_EXC_ERR))

const struct status statuses[] = {
	{ "retry-exceeded", IBV_WC_RETRY_EXC_ERR, PROVOKE_NOTHING, 0, true, IWARP_ANY },
	/*
	 * A Write with immediate data leaves data in memory, because only its last packet needs a
	 * receive.
	 */
	{ "rnr-retry-exceeded", IBV_WC_RNR_RETRY_EXC_ERR, PROVOKE_NO_RECEIVE, VERB_RECEIVES, true,
	  0 },
	{ "remote-access", IBV_WC_REM_ACCESS_ERR, PROVOKE_WRONG_RKEY, VERB_WRITES | VERB_READS,
	  false, IWARP_ANY },
	{ "remote-invalid-request", IBV_WC_REM_INV_REQ_ERR, PROVOKE_SHORT_RECEIVE, VERB_MESSAGE,
	  true, IWARP_ANY },
	{ "local-protection", IBV_WC_LOC_PROT_ERR, PROVOKE_WRONG_LKEY, 0, false, 0 },
};

const unsigned int num_statuses = sizeof(statuses) / sizeof(statuses[0]);

const char *status_name(enum ibv_wc_status status)
{
	unsigned int i;

	for (i = 0; i < num_statuses; i++)
		if (statuses[i].status == status)
			return statuses[i].name;
	return ibv_wc_status_str(status);
}
