/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Where a port has the credit limits of its peer from, the peer's memory or flow-control packets,
 * and when that changes.
 */
#ifndef HCA_LINK_CREDIT_H
#define HCA_LINK_CREDIT_H

#include <linux/types.h>

enum hca_credit_state {
	HCA_CREDIT_NO_STATE, /* what hca_credit_next() returns if there is no such transition */
	HCA_CREDIT_SHARED, /* either end reads the limits in the other's memory */
	HCA_CREDIT_SILENT, /* limits are received and advertised, but no packets of them are sent */
	HCA_CREDIT_EXCHANGED, /* flow-control packets are sent */
	HCA_CREDIT_ENDING, /* the last flow-control packets are sent; from here on all are ending */
	HCA_CREDIT_ENDING_TX, /* the peer has processed them: its limits are read in memory */
	HCA_CREDIT_ENDING_RX, /* those of the peer are processed: nothing is advertised */
	HCA_NUM_CREDIT_STATES,
};

enum hca_credit_event {
	HCA_CREDIT_BEGIN, /* packets may get lost, or be seen, from now on */
	HCA_CREDIT_START, /* each packet counted as sent has been handed over */
	HCA_CREDIT_END, /* no packet gets lost any more */
	HCA_CREDIT_LAST_SENT, /* the peer has processed the last flow-control packets of the port */
	HCA_CREDIT_LAST_RECEIVED, /* this port has processed the last ones of the peer */
	HCA_CREDIT_STOP, /* the link has gone */
	HCA_NUM_CREDIT_EVENTS,
};

/**
 * hca_credit_next() - the transition of a state
 * @state: enum hca_credit_state
 * @event: what happens
 *
 * Context: any.
 * Return: the new state, or HCA_CREDIT_NO_STATE if the event means nothing in @state.
 */
enum hca_credit_state hca_credit_next(enum hca_credit_state state, enum hca_credit_event event);

/* Whether the sender's limits are those of the flow-control packets received. Context: any. */
static inline bool hca_credit_is_received(enum hca_credit_state state)
{
	return state != HCA_CREDIT_SHARED && state != HCA_CREDIT_ENDING_TX;
}

/* Whether the receiver's limits reach the sender by flow-control packets. Context: any. */
static inline bool hca_credit_is_advertised(enum hca_credit_state state)
{
	return state != HCA_CREDIT_SHARED && state != HCA_CREDIT_ENDING_RX;
}

/* Whether the flow-control packets that are sent are the last ones. Context: any. */
static inline bool hca_credit_is_ending(enum hca_credit_state state)
{
	return state >= HCA_CREDIT_ENDING;
}

/*
 * Whether flow-control packets are sent. Of an end whose last ones have been processed, too, since
 * its peer may still need the limits. Context: any.
 */
static inline bool hca_credit_is_sent(enum hca_credit_state state)
{
	return state >= HCA_CREDIT_EXCHANGED;
}

/* Whether the peer has still to process the last flow-control packets. Context: any. */
static inline bool hca_credit_sends_last(enum hca_credit_state state)
{
	return hca_credit_is_ending(state) && hca_credit_is_received(state);
}

/* Whether the last flow-control packets of the peer are still to be processed. Context: any. */
static inline bool hca_credit_awaits_last(enum hca_credit_state state)
{
	return hca_credit_is_ending(state) && hca_credit_is_advertised(state);
}

#endif
