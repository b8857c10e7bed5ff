/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The first step of the run functions of queue pairs and RD EE contexts. */
#ifndef HCA_TRANSPORT_EEC_RUN_H
#define HCA_TRANSPORT_EEC_RUN_H

#include "transport/completer.h"
#include "transport/requester.h"
#include "transport/responses.h"

/**
 * hca_eec_respond() - process an expired timer, received responses and pending responses
 * @eec: the EE context; send_lock held
 * @budget: number of packets that may be processed; the number processed is subtracted
 * @progress: set to the result of sending the pending responses; requests may be sent only if
 *            *progress is HCA_DONE
 *
 * The function is inline because each call of a run function begins with it.
 *
 * Context: BH disabled.
 * Return: false if the budget is used up and received responses may be left.
 */
static inline bool hca_eec_respond(struct hca_eec *eec, int *budget, enum hca_progress *progress)
{
	if (READ_ONCE(eec->timed_out)) {
		WRITE_ONCE(eec->timed_out, false);
		hca_requester_timed_out(eec);
	}
	if (hca_eec_has_responses(eec) && !hca_completer_run(eec, budget))
		return false;
	if (READ_ONCE(eec->credit_stalled)) /* this is never set in an RD EE context */
		hca_update_credits(eec);
	*progress = hca_resp_queue_pending(eec) ? hca_responses_send(eec, budget) : HCA_DONE;
	return true;
}

#endif
