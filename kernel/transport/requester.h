/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The requester, which makes packets of requests, in PSN order. */
#ifndef HCA_TRANSPORT_REQUESTER_H
#define HCA_TRANSPORT_REQUESTER_H

#include "transport/iba_qp.h"

/*
 * Send the requests of a connection or RD EE context. Context: BH disabled; send_lock held.
 */
enum hca_progress hca_requester_send(struct hca_eec *eec, int *budget);

/**
 * hca_requester_fail() - complete the oldest request with an error
 * @eec: the connection or RD EE context of the request
 * @error: the reason of the failure
 *
 * A queue pair of type RC goes to Error, and all others go to SQE (IBA C10-40).
 *
 * Context: BH disabled; send_lock held.
 */
void hca_requester_fail(struct hca_eec *eec, enum hca_vendor_err error);

/*
 * Send again from the oldest unacknowledged packet. If no retry is left, the path migrates; if it
 * cannot, the oldest request fails with @error. BH are disabled, and send_lock is held; so is the
 * send_lock of the queue pair that an RD EE context serves.
 */
void hca_requester_retry(struct hca_eec *eec, enum hca_vendor_err error);

/* Handle the expiry of the EE context's timer. Context: BH disabled; send_lock held. */
void hca_requester_timed_out(struct hca_eec *eec);

#endif
