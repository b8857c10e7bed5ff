/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Static rate control: packets for a slower destination port are sent more slowly (req C4-113 to
 * C4-124).
 */
#ifndef HCA_TRANSPORT_PACE_H
#define HCA_TRANSPORT_PACE_H

#include "transport/eec.h"

/**
 * hca_pace_of() - convert a static rate to picoseconds per octet
 * @port: the port that sends
 * @static_rate: enum ib_rate
 *
 * Context: any.
 * Return: picoseconds per octet; 0 (not paced) if the static rate is not below the port's rate or
 * is unknown.
 */
u32 hca_pace_of(const struct hca_port *port, u8 static_rate);

/* Implement hca_pace_ok() for a @pace other than 0. */
bool hca_pace_due(struct hca_eec *eec);

/**
 * hca_pace_ok() - return whether the next packet may be sent now
 * @eec: EE context of the sender; send_lock held
 * @pace: picoseconds per octet for the destination; 0: not paced
 *
 * Context: BH disabled.
 * Return: false if the packet has to wait; the EE context's run function is scheduled for the time
 * when the packet may be sent.
 */
static inline bool hca_pace_ok(struct hca_eec *eec, u32 pace)
{
	return !pace || hca_pace_due(eec);
}

/*
 * Delay the next packet after a packet of @pktlen 4-octet words (LRH:PktLen) was sent at @pace
 * picoseconds per octet.
 */
void hca_paced(struct hca_eec *eec, u32 pace, u16 pktlen);

#endif
