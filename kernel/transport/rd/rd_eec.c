// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Look-up of RD EE contexts, and their references. */
#include "transport/rd/rd_eec.h"

struct hca_rd_eec *hca_rd_eec_get(struct hca_ca *ca, u32 eecn)
{
	struct hca_rd_eec *rd_eec = hca_id_find(&ca->rd_eecs, eecn);

	return rd_eec && rd_eec->eecn == eecn && refcount_inc_not_zero(&rd_eec->users) ?
		       rd_eec :
		       NULL;
}

void hca_rd_eec_put(struct hca_rd_eec *rd_eec)
{
	if (refcount_dec_and_test(&rd_eec->users))
		complete(&rd_eec->unused);
}
