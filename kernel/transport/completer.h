/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The completer, which processes responses. It completes requests or makes the requester send
 * packets again.
 */
#ifndef HCA_TRANSPORT_COMPLETER_H
#define HCA_TRANSPORT_COMPLETER_H

#include "transport/eec.h"

/**
 * hca_completer_run() - process received responses
 * @eec: the connection or RD EE context
 * @budget: number of packets that may be processed; the number processed is subtracted
 *
 * Completes the requests that the responses acknowledge, or makes the requester send packets again.
 *
 * Context: BH disabled; send_lock held.
 * Return: false if the budget is used up and responses may be left.
 */
bool hca_completer_run(struct hca_eec *eec, int *budget);

#endif
