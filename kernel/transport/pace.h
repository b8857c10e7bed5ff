/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Static rate control: who sends to a slower port, sends slower (C4-113 to C4-124). */
#ifndef HCA_TRANSPORT_PACE_H
#define HCA_TRANSPORT_PACE_H

#include "transport/eec.h"

/**
 * hca_pace_of() - how slowly to send
 * @port: where packets leave
 * @static_rate: enum ib_rate
 *
 * Return: picoseconds to an octet; 0: as fast as the port can, for the destination is no
 * slower or nothing is known of it.
 */
u32 hca_pace_of(const struct hca_port *port, u8 static_rate);

/* The same for one that is paced. */
bool hca_pace_due(struct hca_eec *eec);

/**
 * hca_pace_ok() - is it time for the next packet?
 * @eec: the sender; send_lock held
 * @pace: hca_pace_of() its destination
 *
 * Return: false: not yet; the context is run when it is.
 */
static inline bool hca_pace_ok(struct hca_eec *eec, u32 pace)
{
	return !pace || hca_pace_due(eec);
}

/* A packet of so many words (LRH:PktLen) has been sent. */
void hca_paced(struct hca_eec *eec, u32 pace, u16 words);

#endif
