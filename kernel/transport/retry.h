/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ACK timeout, RNR wait and retries. For all functions: BH are disabled and send_lock is held,
 * unless stated otherwise.
 */
#ifndef HCA_TRANSPORT_RETRY_H
#define HCA_TRANSPORT_RETRY_H

#include "transport/eec.h"

/*
 * Maximum number of unacknowledged packets, far below the 2^23 of IBA C9-42. Losses make the window
 * smaller.
 */
#define HCA_WINDOW 256

/* Start the ACK timeout again, or wait after an RNR NAK. */
void hca_retry_arm(struct hca_eec *eec);
void hca_retry_wait_rnr(struct hca_eec *eec, u8 code);
/* RNR timer code of the wait for a page of the requester's own memory: 10 us. */
#define HCA_RNR_PAGE 1

u32 hca_rnr_usecs(u8 code); /* @code: five bits */
void hca_retry_later(struct hca_eec *eec, unsigned long ticks);

/* Run again at the next tick, because there is no memory for a packet. */
static inline void hca_retry_soon(struct hca_eec *eec)
{
	hca_retry_later(eec, 1);
}

enum hca_expiry {
	HCA_EXPIRY_NONE,
	HCA_EXPIRY_EARLY, /* an early retry is due */
	HCA_EXPIRY_TIMEOUT, /* the ACK timeout has passed */
};

/*
 * Handle the expiry of the timer: end the RNR wait if its deadline has passed. Return: the kind of
 * expiry while packets are unacknowledged.
 */
enum hca_expiry hca_retry_expired(struct hca_eec *eec);

/* Note that a packet has been acknowledged. */
static inline void hca_retry_acknowledged(struct hca_eec *eec)
{
	if (eec->timer_armed && !eec->rnr_wait)
		hca_early_acknowledged(&eec->early);
	eec->timer_armed = false;
}

/* The function of the kernel timer, which schedules the run. No lock is held. */
void hca_retry_timer(struct timer_list *timer);

/* Use up one retry. Return: false if none is left. */
bool hca_retry_again(struct hca_eec *eec);

/*
 * Set next_psn back to the oldest unacknowledged packet. For an RD EE context, the send_lock of the
 * queue pair being served is held too.
 */
void hca_retry_rewind(struct hca_eec *eec);

/*
 * Set the ACK timeout to 4.096 us * 2^code, or to none if @code is 0. It applies to outstanding
 * packets too.
 */
void hca_retry_set_timeout(struct hca_eec *eec, u8 code);

#endif
