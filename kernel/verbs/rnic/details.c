// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Details that `rdma res show qp -dd` shows of an RNIC's queue pairs (req R0-125, P1-187). */
#include <linux/kernel.h>
#include <linux/socket.h>
#include <rdma/hca-abi.h>
#include <rdma/rdma_netlink.h>
#include "iwarp/view.h"
#include "iwarp/wire/error.h"
#include "verbs/rnic/connection.h"

#define DETAILS_ADDRESS 64 /* octets of an address and a port as text, and a 0 */

static int details_put_address(struct sk_buff *msg, const char *name,
			       const struct sockaddr_storage *address)
{
	char text[DETAILS_ADDRESS];

	snprintf(text, sizeof(text), "%pISpc", address);
	return rdma_nl_put_driver_string(msg, name, text);
}

static int details_put_addresses(struct sk_buff *msg, const struct hca_rnic_addresses *addresses)
{
	return details_put_address(msg, "local", &addresses->local) ?:
	       details_put_address(msg, "remote", &addresses->remote);
}

static int details_put_agreement(struct sk_buff *msg, const struct hca_iwarp_view *view)
{
	return rdma_nl_put_driver_string(msg, "role",
					 view->is_initiator ? "initiator" : "responder") ?:
	       rdma_nl_put_driver_u32(msg, "mpa", view->revision) ?:
	       rdma_nl_put_driver_u32(msg, "crc", view->crc) ?:
	       rdma_nl_put_driver_u32(msg, "markers_in", view->markers_in) ?:
	       rdma_nl_put_driver_u32(msg, "markers_out", view->markers_out) ?:
	       rdma_nl_put_driver_u32(msg, "ird", view->ird) ?:
	       rdma_nl_put_driver_u32(msg, "ord", view->ord);
}

/* rdma shows nothing behind a number of 64 bits on machines that pad it in the message. */
static int details_put_progress(struct sk_buff *msg, const struct hca_iwarp_view *view)
{
	return rdma_nl_put_driver_u32(msg, "reads_in", view->reads_in) ?:
	       rdma_nl_put_driver_u32(msg, "reads_out", view->reads_out) ?:
	       rdma_nl_put_driver_u32(msg, "send_msn_in", view->msn_in[HCA_QN_SEND]) ?:
	       rdma_nl_put_driver_u32(msg, "send_msn_out", view->msn_out[HCA_QN_SEND]) ?:
	       rdma_nl_put_driver_u32(msg, "read_msn_in", view->msn_in[HCA_QN_READ_REQUEST]) ?:
	       rdma_nl_put_driver_u32(msg, "read_msn_out", view->msn_out[HCA_QN_READ_REQUEST]) ?:
	       rdma_nl_put_driver_u64(msg, "octets_in", view->octets_in) ?:
	       rdma_nl_put_driver_u64(msg, "octets_out", view->octets_out);
}

static int details_put_connection(struct sk_buff *msg, struct hca_qp *qp)
{
	struct hca_rnic_addresses addresses;
	struct hca_iwarp_view view;

	if (!hca_iwarp_view_connection(qp, &view, hca_rnic_copy_addresses, &addresses))
		return 0;
	return details_put_addresses(msg, &addresses) ?:
	       details_put_agreement(msg, &view) ?:
	       details_put_progress(msg, &view);
}

/* The error that has ended the connection, and which end has found it. */
static int details_put_terminate(struct sk_buff *msg, struct hca_qp *qp)
{
	static const char *const origins[] = {
		[HCA_TERMINATE_UNSENT] = "unsent",
		[HCA_TERMINATE_LOCAL] = "local",
		[HCA_TERMINATE_REMOTE] = "remote",
	};
	struct hca_terminate_info info;
	const char *meaning;
	u32 error;

	hca_iwarp_view_terminate(qp, &info);
	if (info.origin == HCA_TERMINATE_NONE)
		return 0;
	error = HCA_IWARP_ERROR(info.layer, info.error_type, info.error_code);
	meaning = hca_iwarp_error_str(error);
	return rdma_nl_put_driver_string(msg, "terminate_origin", origins[info.origin]) ?:
	       rdma_nl_put_driver_u32_hex(msg, "terminate_error", error) ?:
	       (meaning ? rdma_nl_put_driver_string(msg, "terminate", meaning) : 0);
}

int hca_rnic_put_details(struct sk_buff *msg, struct hca_qp *qp)
{
	return details_put_connection(msg, qp) ?: details_put_terminate(msg, qp);
}
