// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The common part of all EE contexts: initialization, reset, stop and events. */
#include "transport/eec.h"
#include <linux/bits.h>
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"
#include "transport/time_wait.h"

/*
 * Reset the end-to-end credits. On a reliable connection, a request that consumes a receive request
 * of the peer has to wait for the peer's first credits (req B4-355).
 */
static void eec_reset_credits(struct hca_eec *eec)
{
	eec->credited = eec->transport == HCA_TRANSPORT_RC;
	eec->recvs_begun = 0;
	eec->recvs_ended = 0;
	eec->recvs_allowed = 0;
}

/*
 * Return whether the deadline is valid and the run function must check it. Usually it is not valid,
 * because no packet is outstanding. send_lock is taken, because timer_armed is written under it.
 */
static bool eec_is_armed(struct hca_eec *eec)
{
	bool armed;

	spin_lock(&eec->common->send_lock);
	armed = eec->timer_armed;
	spin_unlock(&eec->common->send_lock);
	return armed;
}

static enum hrtimer_restart early_expired(struct hrtimer *timer)
{
	struct hca_eec *eec = container_of(timer, struct hca_eec, early.timer);

	if (!eec_is_armed(eec))
		return HRTIMER_NORESTART;
	WRITE_ONCE(eec->timed_out, true);
	hca_eec_kick(eec);
	hca_engine_run();
	return HRTIMER_NORESTART;
}

void hca_eec_init(struct hca_eec *eec, struct hca_ca *ca, u8 transport,
		  const struct hca_eec_ops *ops)
{
	eec->ca = ca;
	eec->ops = ops;
	eec->transport = transport;
	eec->accepts = HCA_IS_REQUEST | HCA_IS_RESPONSE;
	eec->mtu = HCA_MAX_MTU_BYTES;
	eec_reset_credits(eec);
	spin_lock_init(&eec->response_lock);
	init_llist_head(&eec->responses);
	INIT_LIST_HEAD(&eec->blocked.node);
	eec->blocked.runnable = &eec->common->run;
	timer_setup(&eec->timer, ops->timer, 0);
	hca_early_init(&eec->early, early_expired);
}

/* Free the received responses. There are HCA_MAX_PACKETS at most. */
static void eec_drop_responses(struct hca_eec *eec)
{
	while (hca_eec_has_responses(eec))
		hca_packet_free(hca_eec_next_response(eec));
}

void hca_eec_release(struct hca_eec *eec)
{
	if (eec->port)
		hca_port_cancel_wait(eec->port, &eec->blocked);
}

void hca_eec_stop(struct hca_eec *eec)
{
	timer_delete_sync(&eec->timer);
	hca_watch_remove(eec);
	hca_early_stop(&eec->early);
	local_bh_disable();
	hca_eec_release(eec);
	eec_drop_responses(eec);
	local_bh_enable();
}

/* Reset an EE context to its state after creation (req V3-190). */
void hca_eec_reset(struct hca_eec *eec)
{
	hca_eec_release(eec);
	eec_drop_responses(eec);
	hca_time_wait_begin(eec);
	eec->established = false;
	eec->timed_out = false;
	eec->timer_armed = false;
	hca_early_reset(&eec->early);
	eec->rnr_wait = false;
	eec->unasked = 0;
	eec->rewound = false;
	eec->resync = HCA_RESYNC_NONE;
	eec->reads_outstanding = 0;
	eec_reset_credits(eec);
	eec->alternate_loaded = false;
	eec->pace = 0;
	eec->paced_until = 0;
	eec->nak_sent = false;
	eec->nak_reason = HCA_NAK_REASON_NONE;
	eec->credit_stalled = false;
	eec->message = 0;
	eec->msn = 0;
	eec->num_saved = 0;
	eec->pending = 0;
	eec->deferred = 0;
	eec->response_head = 0;
	eec->response_tail = 0;
	memset(&eec->attr, 0, sizeof(eec->attr));
}

bool hca_eec_may_receive(struct hca_eec *eec)
{
	u8 state = READ_ONCE(eec->common->state);

	if (state == IB_QPS_RTR && !eec->established) {
		eec->established = true;
		hca_eec_raise(eec, HCA_QP_COMM_ESTABLISHED);
	}
	return hca_state_receives(state);
}
