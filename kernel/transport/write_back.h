/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Writing back memory from CPU caches for a Flush, so that the data persist. A Flush covers up to
 * 2^31 octets or a whole MR, and writing back so much takes long. Therefore the responder writes
 * back at most HCA_MAX_BATCH times HCA_FLUSH_TURN octets when the Flush arrives. The EE context's
 * run function writes back the rest in small parts, just as it sends the response to a Read.
 */
#ifndef HCA_TRANSPORT_WRITE_BACK_H
#define HCA_TRANSPORT_WRITE_BACK_H

#include "transport/eec.h"

/* Number of octets that are written back for one packet of a run function's budget. */
#define HCA_FLUSH_TURN 4096u

/**
 * hca_flush_write_back() - write back a part of the memory that a Flush makes persistent
 * @eec: the EE context
 * @qp: the destination queue pair
 * @pd: protection domain that the R_Key must belong to
 * @r: the response to the Flush; r->va and r->left are updated
 * @most: maximum number of octets to write back
 *
 * Context: BH disabled.
 * Return: true if memory was written back; false if the R_Key does not permit this any more or a
 * page is absent.
 */
bool hca_flush_write_back(struct hca_eec *eec, const struct hca_qp *qp, const void *pd,
			  struct hca_response *r, u32 most);

#endif
