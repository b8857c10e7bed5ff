/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The destination and the PSNs of send requests. */
#ifndef HCA_TRANSPORT_ADDRESS_H
#define HCA_TRANSPORT_ADDRESS_H

#include "qp/request.h"
#include "transport/iba_qp.h"

/*
 * struct hca_qp_ops.parse of datagram queue pairs: copy and check the address vector and the P_Key
 * index, and copy the destination's QPN and Q_Key, or the EtherType.
 */
enum hca_vendor_err hca_request_parse_datagram(struct hca_qp *qp, struct hca_request *req,
					       const struct hca_send_wqe *wqe);

/*
 * struct hca_qp_ops.parse of RD queue pairs: copy the EE context number, and the destination's QPN
 * and Q_Key.
 */
enum hca_vendor_err hca_request_parse_rd(struct hca_qp *qp, struct hca_request *req,
					 const struct hca_send_wqe *wqe);

/* struct hca_qp_ops.parse of XRC initiator queue pairs: copy the number of the peer's SRQ. */
enum hca_vendor_err hca_request_parse_xrc(struct hca_qp *qp, struct hca_request *req,
					  const struct hca_send_wqe *wqe);

/**
 * hca_request_number() - assign PSNs to a request (IBA C9-83)
 * @eec: the EE context that will send the request; send_lock held
 * @req: the request
 *
 * A Read occupies as many PSNs as it has response packets.
 *
 * Context: BH disabled.
 */
void hca_request_number(struct hca_eec *eec, struct hca_request *req);

#endif
