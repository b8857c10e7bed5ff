/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The responder of unreliable connections, which sends no responses. */
#ifndef HCA_TRANSPORT_UNRELIABLE_H
#define HCA_TRANSPORT_UNRELIABLE_H

#include "transport/eec.h"

/*
 * Receive and free a request packet. Context: BH disabled; the function takes recv_lock.
 */
void hca_unreliable_receive(struct hca_eec *eec, struct hca_packet *pkt);

#endif
