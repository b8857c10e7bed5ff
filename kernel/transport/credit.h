/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * End-to-end credits (IBA 9.7.7.2). In functions that take an EE context, BH are disabled and
 * recv_lock is held.
 */
#ifndef HCA_TRANSPORT_CREDIT_H
#define HCA_TRANSPORT_CREDIT_H

#include "transport/eec.h"

/*
 * Return the AETH syndrome of an ACK that advertises the number of posted receive requests (IBA
 * 9.7.7.2.3), or HCA_ACK_NO_CREDITS.
 */
u8 hca_credits_offered(const struct hca_eec *eec);

/*
 * Record in @eec that an ACK advertises 0 credits to the peer, and set need_wakeup of the receive
 * queue. The consumer then rings the doorbell when it posts the next receive request.
 */
void hca_credit_stall(struct hca_eec *eec);

/*
 * Return the number of messages that a credit code (five bits) allows. The number is 0 for code 31,
 * which means that the peer does not use end-to-end flow control.
 */
u32 hca_credits_of(u8 code);

#endif
