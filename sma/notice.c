// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Notice, for a manager that polls: a Get returns the oldest notice, a Set with the contents of
 * that notice clears it (req C4-226, C4-228).
 */
#include "sma/attribute.h"
#include "sma/notices.h"

u16 hca_notice_get(struct hca_mad_request *rq)
{
	hca_notices_first(rq->home, (struct hca_notice *)rq->out);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_notice_set(struct hca_mad_request *rq)
{
	hca_notices_clear(rq->home, (const struct hca_notice *)rq->in);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
