/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The states of a port's credit exchange, and the events that change the state. A port either reads
 * the credit limits of its peer in the peer's memory, or receives them in flow-control packets.
 */
#ifndef HCA_LINK_CREDIT_H
#define HCA_LINK_CREDIT_H

#include <linux/types.h>

enum hca_credit_state {
	HCA_CREDIT_NO_STATE, /* result of hca_credit_next() for an event without a transition */
	HCA_CREDIT_SHARED, /* each end reads the limits in the other's memory */
	HCA_CREDIT_SILENT, /* limits are received and advertised, but packets are not sent yet */
	HCA_CREDIT_EXCHANGED, /* flow-control packets are sent */
	/* The last flow-control packets are sent; this and all later states are ending. */
	HCA_CREDIT_ENDING,
	/* The peer has processed the last packets: its limits are read in memory. */
	HCA_CREDIT_ENDING_TX,
	HCA_CREDIT_ENDING_RX, /* the peer's last packets are processed: nothing is advertised */
	HCA_NUM_CREDIT_STATES,
};

enum hca_credit_event {
	HCA_CREDIT_BEGIN, /* packets may be lost or captured from now on */
	HCA_CREDIT_START, /* each packet counted as sent has been handed over */
	HCA_CREDIT_END, /* packets are not lost any more */
	HCA_CREDIT_LAST_SENT, /* the peer has processed the last flow-control packets of the port */
	HCA_CREDIT_LAST_RECEIVED, /* the port has processed the peer's last flow-control packets */
	HCA_CREDIT_STOP, /* the port has lost its link */
	HCA_NUM_CREDIT_EVENTS,
};

/**
 * hca_credit_next() - the state that follows an event
 * @state: enum hca_credit_state
 * @event: the event
 *
 * Context: any.
 * Return: the new state, or HCA_CREDIT_NO_STATE if @state ignores the event.
 */
enum hca_credit_state hca_credit_next(enum hca_credit_state state, enum hca_credit_event event);

/* Whether the sender uses limits received in flow-control packets. Context: any. */
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
 * Whether flow-control packets are sent. A port still sends them after its last ones have been
 * processed, since its peer may still need the limits. Context: any.
 */
static inline bool hca_credit_is_sent(enum hca_credit_state state)
{
	return state >= HCA_CREDIT_EXCHANGED;
}

/* Whether the peer has still to process the port's last flow-control packets. Context: any. */
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
