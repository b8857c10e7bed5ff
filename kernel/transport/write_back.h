/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Writing back memory for a Flush, so that its data persist. A Flush covers up to 2^31 octets, or a
 * whole MR, which take long to write back. Therefore the responder writes back at most as much as a
 * segment batch brings. The EE context's run writes back the rest, a little at a time, just as it
 * sends the responses to a Read.
 */
#ifndef HCA_TRANSPORT_WRITE_BACK_H
#define HCA_TRANSPORT_WRITE_BACK_H

#include "transport/eec.h"

/* Octets that a run writes back in place of sending one packet. */
#define HCA_FLUSH_TURN 4096u

/**
 * hca_flush_write_back() - write back a part of the memory that a Flush makes persistent
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
