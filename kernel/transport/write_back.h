/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Making data persist, for a Flush. One names up to 2^31 octets, or a whole MR, which takes long to
 * write back. So the receiving half writes back no more than what a segment batch brings, and the
 * EE context's run the rest, a little at a time, as it sends the responses to a Read.
 */
#ifndef HCA_TRANSPORT_WRITE_BACK_H
#define HCA_TRANSPORT_WRITE_BACK_H

#include "transport/eec.h"

/* Octets that a run writes back in place of sending one packet. */
#define HCA_FLUSH_TURN 4096u

/**
 * hca_flush_write_back() - write back a part of what a Flush makes persist
 * @eec: the EE context
 * @qp: the destination
 * @pd: its protection domain
 * @r: the response; va and left are advanced
 * @most: octets that may be written back
 *
 * Context: BH disabled.
 * Return: false if the R_Key does not permit it any more.
 */
bool hca_flush_write_back(struct hca_eec *eec, const struct hca_qp *qp, const void *pd,
			  struct hca_response *r, u32 most);

#endif
