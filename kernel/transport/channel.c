// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reliable datagram channels come and go. */
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "transport/channel.h"
#include "transport/modify.h"

static enum hca_progress hca_channel_turn(struct hca_channel *channel, int *budget)
{
	struct hca_eec *eec = &channel->eec;
	enum hca_progress progress;

	if (READ_ONCE(eec->timed_out)) {
		WRITE_ONCE(eec->timed_out, false);
		hca_retry_timed_out(eec);
	}
	if (hca_eec_has_responses(eec) && !hca_completer_run(eec, budget))
		return HCA_BUDGET;
	progress = hca_responses_owed(eec) ? hca_responses_send(eec, budget) : HCA_DONE;
	switch (eec->state) {
	case HCA_QPS_RTS:
	case HCA_QPS_SQD:
		if (progress == HCA_DONE)
			progress = hca_channel_send(channel, budget);
		break;
	case HCA_QPS_ERR:
		hca_channel_fail(channel);
		break;
	}
	if (eec->state == HCA_QPS_SQD && eec->attr.sq_draining && !eec->qp && !eec->resync) {
		eec->attr.sq_draining = false;
		if (eec->attr.en_sqd_async_notify)
			hca_eec_raise(eec, HCA_QP_SQ_DRAINED);
	}
	return progress;
}

static void hca_channel_tell(struct hca_channel *channel)
{
	const struct hca_ca *ca = channel->eec.ca;
	int events = atomic_xchg(&channel->eec.events, 0);
	int event;

	for (event = 0; ca->channel_event && events >> event; event++)
		if (events & 1 << event)
			ca->channel_event(channel, event);
}

static bool hca_channel_run(struct hca_runnable *r, int *budget)
{
	struct hca_channel *channel = container_of(r, struct hca_channel, eec.run);
	enum hca_progress progress;

	spin_lock(&channel->eec.send_lock);
	progress = hca_channel_turn(channel, budget);
	spin_unlock(&channel->eec.send_lock);
	if (atomic_read(&channel->eec.events))
		hca_channel_tell(channel);
	return progress == HCA_BUDGET;
}

struct hca_channel *hca_channel_create(struct hca_ca *ca, const struct hca_channel_init *init)
{
	struct hca_channel *channel = kzalloc(sizeof(*channel), GFP_KERNEL);
	int ret;

	if (!channel)
		return ERR_PTR(-ENOMEM);
	hca_eec_init(&channel->eec, ca, HCA_TRANSPORT_RD, hca_channel_run);
	channel->eec.channel = true;
	channel->rdd = init->rdd;
	channel->owner = init->owner;
	channel->context = init->context;
	refcount_set(&channel->users, 1);
	init_completion(&channel->unused);
	spin_lock_init(&channel->lock);
	INIT_LIST_HEAD(&channel->waiting);
	ret = hca_number_take(&ca->channels, channel, &channel->eecn);
	if (ret) {
		kfree(channel);
		return ERR_PTR(ret);
	}
	return channel;
}

struct hca_channel *hca_channel_get(struct hca_ca *ca, u32 eecn)
{
	struct hca_channel *channel = hca_number_find(&ca->channels, eecn);

	return channel && channel->eecn == eecn && refcount_inc_not_zero(&channel->users) ?
		       channel :
		       NULL;
}

void hca_channel_put(struct hca_channel *channel)
{
	if (refcount_dec_and_test(&channel->users))
		complete(&channel->unused);
}

void hca_channel_destroy(struct hca_channel *channel)
{
	struct hca_eec *eec = &channel->eec;

	hca_number_release(&eec->ca->channels, channel->eecn);
	spin_lock_bh(&eec->send_lock);
	WRITE_ONCE(eec->state, HCA_QPS_ERR);
	hca_channel_fail(channel);
	hca_eec_kick(eec); /* who has just joined the line lets go of it */
	spin_unlock(&eec->send_lock);
	hca_engine_drain();
	local_bh_enable();
	hca_channel_put(channel);
	wait_for_completion(&channel->unused);
	hca_eec_stop(eec);
	kfree_rcu(channel, rcu);
}

/* Who waits or is being worked for goes; then all is forgotten. send_lock held. */
static void hca_channel_reset(struct hca_channel *channel)
{
	hca_channel_fail(channel);
	spin_lock(&channel->eec.recv_lock);
	hca_eec_reset(&channel->eec);
	spin_unlock(&channel->eec.recv_lock);
}

int hca_channel_modify(struct hca_channel *channel, const struct hca_qp_attr *attr, int mask)
{
	struct hca_eec *eec = &channel->eec;
	int ret;

	spin_lock_bh(&eec->send_lock);
	spin_lock(&eec->recv_lock);
	ret = hca_attr_check(eec, HCA_KIND_EEC, attr, mask);
	if (!ret) {
		hca_attr_take(eec, attr, mask);
		if (mask & HCA_QP_STATE)
			WRITE_ONCE(eec->state, attr->state);
	}
	spin_unlock(&eec->recv_lock);
	if (!ret && (mask & HCA_QP_STATE) && attr->state == HCA_QPS_RESET)
		hca_channel_reset(channel);
	hca_eec_kick(eec);
	spin_unlock(&eec->send_lock);
	hca_engine_drain();
	local_bh_enable();
	return ret;
}

void hca_channel_query(struct hca_channel *channel, struct hca_qp_attr *attr)
{
	spin_lock_bh(&channel->eec.send_lock);
	hca_attr_query(&channel->eec, attr);
	spin_unlock_bh(&channel->eec.send_lock);
}
