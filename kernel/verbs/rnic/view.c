// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The connection of an RNIC's queue pair, and the error that ends it, as netlink shows them. */
#include <linux/hca_netlink.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <net/ipv6.h>
#include <rdma/hca-abi.h>
#include "compat.h"
#include "iwarp/view.h"
#include "iwarp/wire/error.h"
#include "verbs/core/view.h"
#include "verbs/rnic/connection.h"

/* Set the two halves of an address, and its port. @attr is that of the first half. */
static void view_address(struct hca_resource_view *view, unsigned int attr,
			 const struct sockaddr_storage *address)
{
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
	const struct sockaddr_in *four = (const struct sockaddr_in *)address;
	struct in6_addr ip = six->sin6_addr;

	if (address->ss_family == AF_INET)
		ipv6_addr_set_v4mapped(four->sin_addr.s_addr, &ip);
	hca_resource_set(view, attr, get_unaligned_be64(ip.s6_addr));
	hca_resource_set(view, attr + 1, get_unaligned_be64(ip.s6_addr + sizeof(u64)));
	/* The port is at the same place in both families. */
	hca_resource_set(view, attr + 2, ntohs(four->sin_port));
}

static void view_agreement(struct hca_resource_view *view, const struct hca_iwarp_view *stream)
{
	hca_resource_set(view, HCA_NL_QP_INITIATOR, stream->is_initiator);
	hca_resource_set(view, HCA_NL_QP_MPA, stream->revision);
	hca_resource_set(view, HCA_NL_QP_CRC, stream->crc);
	hca_resource_set(view, HCA_NL_QP_MARKERS_IN, stream->markers_in);
	hca_resource_set(view, HCA_NL_QP_MARKERS_OUT, stream->markers_out);
	hca_resource_set(view, HCA_NL_QP_IRD, stream->ird);
	hca_resource_set(view, HCA_NL_QP_ORD, stream->ord);
}

static void view_progress(struct hca_resource_view *view, const struct hca_iwarp_view *stream)
{
	hca_resource_set(view, HCA_NL_QP_READS_IN, stream->reads_in);
	hca_resource_set(view, HCA_NL_QP_READS_OUT, stream->reads_out);
	hca_resource_set(view, HCA_NL_QP_SEND_MSN_IN, stream->msn_in[HCA_QN_SEND]);
	hca_resource_set(view, HCA_NL_QP_SEND_MSN_OUT, stream->msn_out[HCA_QN_SEND]);
	hca_resource_set(view, HCA_NL_QP_READ_MSN_IN, stream->msn_in[HCA_QN_READ_REQUEST]);
	hca_resource_set(view, HCA_NL_QP_READ_MSN_OUT, stream->msn_out[HCA_QN_READ_REQUEST]);
	hca_resource_set(view, HCA_NL_QP_OCTETS_IN, stream->octets_in);
	hca_resource_set(view, HCA_NL_QP_OCTETS_OUT, stream->octets_out);
}

/* The error that has ended the connection, and which end has found it. */
static void view_terminate(struct hca_resource_view *view, struct hca_qp *qp)
{
	struct hca_terminate_info info;
	u32 error;

	hca_iwarp_view_terminate(qp, &info);
	if (info.origin == HCA_TERMINATE_NONE)
		return;
	error = HCA_IWARP_ERROR(info.layer, info.error_type, info.error_code);
	hca_resource_set(view, HCA_NL_QP_TERMINATE_ORIGIN, info.origin);
	hca_resource_set(view, HCA_NL_QP_TERMINATE_ERROR, error);
	view->terminate = hca_iwarp_error_str(error);
}

void hca_rnic_view(struct hca_qp *qp, struct hca_resource_view *view)
{
	struct hca_rnic_addresses addresses;
	struct hca_iwarp_view stream;

	if (hca_iwarp_view_connection(qp, &stream, hca_rnic_copy_addresses, &addresses)) {
		view_address(view, HCA_NL_QP_LOCAL_PREFIX, &addresses.local);
		view_address(view, HCA_NL_QP_REMOTE_PREFIX, &addresses.remote);
		view_agreement(view, &stream);
		view_progress(view, &stream);
	}
	view_terminate(view, qp);
}
