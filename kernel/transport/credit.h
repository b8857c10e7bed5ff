/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* End-to-end credits (IBA 9.7.7.2). For all functions: BH are disabled; recv_lock is held. */
#ifndef HCA_TRANSPORT_CREDIT_H
#define HCA_TRANSPORT_CREDIT_H

#include "transport/eec.h"

/*
 * Return the syndrome of an acknowledgement with the credits of the posted receive requests (IBA
 * 9.7.7.2.3).
 */
u8 hca_credits_offered(const struct hca_eec *eec);

/*
 * The peer was advertised no credit: set need_wakeup, so that the consumer rings the doorbell when
 * it posts the next receive request.
 */
void hca_credit_stall(struct hca_eec *eec);

/*
 * Return the number of messages that a credit code allows. Codes have five bits; code 31 carries no
 * credit count.
 */
u32 hca_credits_of(u8 code);

#endif
