// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The destination and the PSNs of send requests. */
#include "transport/address.h"
#include <linux/kernel.h>
#include <linux/string.h>
#include "transport/iba_qp.h"
#include "transport/path.h"

enum hca_vendor_err hca_request_parse_rd(struct hca_qp *qp, struct hca_request *req,
					 const struct hca_send_wqe *wqe)
{
	req->eecn = READ_ONCE(wqe->rdma.eecn);
	req->iba.remote_qpn = READ_ONCE(wqe->rdma.remote_qpn) & HCA_QPN_MASK;
	req->iba.remote_qkey = READ_ONCE(wqe->rdma.remote_qkey);
	return HCA_VENDOR_ERR_NONE;
}

enum hca_vendor_err hca_request_parse_xrc(struct hca_qp *qp, struct hca_request *req,
					  const struct hca_send_wqe *wqe)
{
	req->iba.remote_srqn = READ_ONCE(wqe->rdma.remote_srqn) & HCA_QPN_MASK;
	return HCA_VENDOR_ERR_NONE;
}

enum hca_vendor_err hca_request_parse_datagram(struct hca_qp *qp, struct hca_request *req,
					       const struct hca_send_wqe *wqe)
{
	memcpy(&req->av, &wqe->ud.av, sizeof(req->av));
	req->pkey_index = 0;
	if (qp->type == IB_QPT_RAW_ETHERTYPE) {
		req->ethertype = READ_ONCE(wqe->raw.ethertype);
	} else if (qp->type != IB_QPT_RAW_IPV6) {
		req->iba.remote_qpn = READ_ONCE(wqe->ud.remote_qpn) & HCA_QPN_MASK;
		req->iba.remote_qkey = READ_ONCE(wqe->ud.remote_qkey);
		req->pkey_index = READ_ONCE(wqe->ud.pkey_index);
	}
	if (!hca_av_valid(&req->av))
		return HCA_VENDOR_ERR_AV;
	if (req->av.port_num != hca_qp_eec(qp)->port->num)
		return HCA_VENDOR_ERR_AV_PORT;
	return req->pkey_index < HCA_PKEYS ? HCA_VENDOR_ERR_NONE : HCA_VENDOR_ERR_PKEY_INDEX;
}

void hca_request_number(struct hca_eec *eec, struct hca_request *req)
{
	u32 packets = !(req->kind & HCA_WR_LOCAL);

	if (!(req->kind & (HCA_WR_ATOMIC | HCA_WR_LOCAL)))
		packets = max(1u, DIV_ROUND_UP(req->length, eec->mtu));
	req->iba.psn = eec->assigned_psn;
	req->iba.last_psn = hca_psn_add(req->iba.psn, packets - 1);
	eec->assigned_psn = hca_psn_add(req->iba.psn, packets);
}
