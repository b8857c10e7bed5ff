/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The part of a send request that only InfiniBand's transports have: destination and PSNs. */
#ifndef HCA_TRANSPORT_ADDRESS_H
#define HCA_TRANSPORT_ADDRESS_H

#include "qp/request.h"
#include "transport/iba_qp.h"

/* struct hca_qp_ops.parse of datagrams: the address vector, and the destination's numbers. */
enum hca_vendor_err hca_request_parse_datagram(struct hca_qp *qp, struct hca_request *req,
					       const struct hca_send_wqe *wqe);

/* struct hca_qp_ops.parse of reliable datagrams: RD EE context, and the destination's numbers. */
enum hca_vendor_err hca_request_parse_rd(struct hca_qp *qp, struct hca_request *req,
					 const struct hca_send_wqe *wqe);

/* struct hca_qp_ops.parse of extended reliable connections: the number of the peer's SRQ. */
enum hca_vendor_err hca_request_parse_xrc(struct hca_qp *qp, struct hca_request *req,
					  const struct hca_send_wqe *wqe);

/**
 * hca_request_number() - assign PSNs to a request (IBA C9-83)
 * @eec: the EE context that is to send the request; send_lock held
 * @req: the request
 *
 * A Read takes the PSNs of its responses.
 *
 * Context: BH disabled.
 */
void hca_request_number(struct hca_eec *eec, struct hca_request *req);

#endif
