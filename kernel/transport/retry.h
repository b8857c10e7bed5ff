/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ACK timeout, RNR wait and retries. In all functions BH are disabled and send_lock is held, unless
 * stated otherwise.
 */
#ifndef HCA_TRANSPORT_RETRY_H
#define HCA_TRANSPORT_RETRY_H

#include "transport/eec.h"

/*
 * Maximum window, the number of packets that may be unacknowledged. It is far below the limit of
 * 2^23 in IBA C9-42. Losses make the window smaller.
 */
#define HCA_WINDOW 256

/* Restart the ACK timeout (IBA C9-139), unless ack_timeout is 0. */
void hca_retry_arm(struct hca_eec *eec);
/* Send no request during the wait for RNR timer code @code. */
void hca_retry_wait_rnr(struct hca_eec *eec, u8 code);
/* RNR timer code (10 us) for the wait if a page of the requester's own memory is absent. */
#define HCA_RNR_PAGE 1

/* Return the wait in microseconds for an RNR timer code, which has five bits. */
u32 hca_rnr_usecs(u8 code);
/* Schedule the run function in @ticks jiffies, without counting a retry. */
void hca_retry_later(struct hca_eec *eec, unsigned long ticks);

/* Schedule the run function for the next tick, because a packet could not be built. */
static inline void hca_retry_soon(struct hca_eec *eec)
{
	hca_retry_later(eec, 1);
}

enum hca_expiry {
	HCA_EXPIRY_NONE,
	HCA_EXPIRY_EARLY, /* packets are to be sent again before the ACK timeout (early_retry.h) */
	HCA_EXPIRY_TIMEOUT, /* the ACK timeout has passed */
};

/*
 * Handle the expiry of a timer, and end the RNR wait if its deadline has passed. Return:
 * HCA_EXPIRY_EARLY or HCA_EXPIRY_TIMEOUT if packets are to be sent again, otherwise
 * HCA_EXPIRY_NONE.
 */
enum hca_expiry hca_retry_expired(struct hca_eec *eec);

/* Note that a packet has been acknowledged. */
static inline void hca_retry_acknowledged(struct hca_eec *eec)
{
	if (eec->timer_armed && !eec->rnr_wait)
		hca_early_acknowledged(&eec->early);
	eec->timer_armed = false;
}

/* Function of the kernel timer, which schedules the run function. No lock is held. */
void hca_retry_timer(struct timer_list *timer);

/* Use up one retry. Return: false if none is left. */
bool hca_retry_again(struct hca_eec *eec);

/*
 * Set next_psn back to the oldest unacknowledged packet. If a Resync is outstanding, make the run
 * function send the Resync again instead. For an RD EE context, the send_lock of the queue pair
 * being served is also held.
 */
void hca_retry_rewind(struct hca_eec *eec);

/*
 * Set the ACK timeout to 4.096 us * 2^@code, or to none if @code is 0. The new timeout also applies
 * to outstanding packets.
 */
void hca_retry_set_timeout(struct hca_eec *eec, u8 code);

#endif
