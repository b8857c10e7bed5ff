/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The states of a port's credit exchange, and the events that change the state. A port either reads
 * the credit limits of its peer in the peer's memory, or receives them in flow-control packets.
 * Credit counts have 12 bits in flow-control packets and 32 bits in ports, which lead to the same
 * decisions (req B4-447).
 */
#ifndef HCA_LINK_CREDIT_CREDIT_H
#define HCA_LINK_CREDIT_CREDIT_H

#include <linux/types.h>

#define HCA_FLOW_MODULUS 4096u
/* Maximum number of blocks by which a credit limit exceeds the blocks sent: half of the modulus. */
#define HCA_FLOW_MAX_CREDIT 2048u

/**
 * hca_flow_extend() - extend a count of 12 bits to 32 bits
 * @near: a count of 32 bits near the result
 * @count: the count modulo 4096
 *
 * Context: any.
 * Return: the count from @near - 2047 to @near + 2048 that equals @count modulo 4096.
 */
static inline u32 hca_flow_extend(u32 near, u16 count)
{
	u32 ahead = (count - near) % HCA_FLOW_MODULUS;

	return near + ahead - (ahead > HCA_FLOW_MAX_CREDIT ? HCA_FLOW_MODULUS : 0);
}

/* Return whether the credit limit @limit allows @blocks more after @sent blocks. Context: any. */
static inline bool hca_flow_allows(u32 limit, u32 sent, u32 blocks)
{
	return (s32)(limit - (sent + blocks)) >= 0;
}

enum hca_credit_state {
	HCA_CREDIT_NO_STATE, /* result of hca_credit_next() for an event without a transition */
	HCA_CREDIT_SHARED, /* each end reads the credit limits in the other end's memory */
	/* Limits come from flow-control packets only, but such packets are not sent yet. */
	HCA_CREDIT_SILENT,
	HCA_CREDIT_EXCHANGED, /* flow-control packets are sent */
	/* The port repeats its last flow-control packets, and expects the peer's last ones. */
	HCA_CREDIT_ENDING,
	/*
	 * The peer has processed the port's last flow-control packets; the port reads the peer's
	 * limits in memory again. The port still expects the peer's last flow-control packets.
	 */
	HCA_CREDIT_ENDING_TX,
	/*
	 * The port has processed the peer's last flow-control packets; the peer reads the port's
	 * limits in memory again. The port still repeats its own last flow-control packets.
	 */
	HCA_CREDIT_ENDING_RX,
	HCA_NUM_CREDIT_STATES,
};

enum hca_credit_event {
	HCA_CREDIT_BEGIN, /* from this event on, packets may be lost or captured */
	HCA_CREDIT_START, /* each packet counted as sent has been handed over to the receiver */
	HCA_CREDIT_END, /* from this event on, packets are neither lost nor captured */
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

/* Return whether the sender uses limits received in flow-control packets. Context: any. */
static inline bool hca_credit_is_received(enum hca_credit_state state)
{
	return state != HCA_CREDIT_SHARED && state != HCA_CREDIT_ENDING_TX;
}

/* Return whether the receiver's limits reach the sender by flow-control packets. Context: any. */
static inline bool hca_credit_is_advertised(enum hca_credit_state state)
{
	return state != HCA_CREDIT_SHARED && state != HCA_CREDIT_ENDING_RX;
}

/* Return whether the flow-control packets that are sent are the last ones. Context: any. */
static inline bool hca_credit_is_ending(enum hca_credit_state state)
{
	return state >= HCA_CREDIT_ENDING;
}

/*
 * Return whether flow-control packets are sent. The port sends them even after the peer has
 * processed the last ones, since the peer may still need the limits. Context: any.
 */
static inline bool hca_credit_is_sent(enum hca_credit_state state)
{
	return state >= HCA_CREDIT_EXCHANGED;
}

/*
 * Return whether the peer has still to process the port's last flow-control packets. Context: any.
 */
static inline bool hca_credit_sends_last(enum hca_credit_state state)
{
	return hca_credit_is_ending(state) && hca_credit_is_received(state);
}

/*
 * Return whether the last flow-control packets of the peer are still to be processed. Context: any.
 */
static inline bool hca_credit_awaits_last(enum hca_credit_state state)
{
	return hca_credit_is_ending(state) && hca_credit_is_advertised(state);
}

#endif
