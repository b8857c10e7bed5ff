/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The responder of reliable connections and RD EE contexts. */
#ifndef HCA_TRANSPORT_RESPONDER_H
#define HCA_TRANSPORT_RESPONDER_H

#include "transport/eec.h"

/*
 * Receive and free a request packet. Context: BH disabled; the function takes recv_lock.
 */
void hca_responder_receive(struct hca_eec *eec, struct hca_packet *pkt);

#endif
