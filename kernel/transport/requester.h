/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The requester, which sends the packets of requests in PSN order. */
#ifndef HCA_TRANSPORT_REQUESTER_H
#define HCA_TRANSPORT_REQUESTER_H

#include "transport/iba_qp.h"

/*
 * Send the requests of a connection or RD EE context. Context: BH disabled; send_lock held.
 */
enum hca_progress hca_requester_send(struct hca_eec *eec, int *budget);

/**
 * hca_requester_fail() - complete the oldest request with an error
 * @eec: the connection or RD EE context that sends the request
 * @error: the reason of the failure
 *
 * An RC or XRC initiator queue pair goes to Error, and any other queue pair goes to SQE (IBA
 * C10-40).
 *
 * Context: BH disabled; send_lock held.
 */
void hca_requester_fail(struct hca_eec *eec, enum hca_vendor_err error);

/*
 * Send the unacknowledged packets again. If no retry is left, the path migrates. If the path cannot
 * migrate, the oldest request fails with @error. BH are disabled, and send_lock is held. For an RD
 * EE context, the send_lock of the queue pair that it serves is also held.
 */
void hca_requester_retry(struct hca_eec *eec, enum hca_vendor_err error);

/* Handle the expiry of a timer of the EE context. Context: BH disabled; send_lock held. */
void hca_requester_timed_out(struct hca_eec *eec);

#endif
