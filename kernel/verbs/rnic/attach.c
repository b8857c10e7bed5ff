// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The uverbs method that makes a process's socket the stream of a queue pair (req R0-253). */
#include <linux/err.h>
#include <linux/net.h>
#include <net/net_namespace.h>
#include <rdma/hca-abi.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include "iwarp/live.h"
#include "verbs/queue/ib_qp.h"
#include "verbs/rnic/connection.h"
#include "verbs/rnic/rnic_device.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

/* A claim of a socket for an RNIC. */
struct attach_claim {
	struct hca_tcp_claim tcp; /* first member */
	const struct hca_rnic_device *dev;
};

static bool attach_serves(const struct hca_tcp_claim *tcp, const struct sockaddr_storage *local)
{
	const struct attach_claim *claim = container_of(tcp, struct attach_claim, tcp);

	return hca_rnic_may_use(claim->dev, local) && hca_rnic_has_address(claim->dev, local);
}

/* Return: the octets of an optional attribute, which the RDMA core has copied; NULL: none. */
static const void *attach_octets(const struct uverbs_attr_bundle *attrs, u16 id, u16 *length)
{
	const void *octets = uverbs_attr_get_alloced_ptr(attrs, id);

	if (IS_ERR(octets))
		return NULL;
	*length = uverbs_attr_get_len(attrs, id);
	return octets;
}

/* Read the arguments. Their lengths are bounded by the definition of the method. */
static int attach_parse(const struct uverbs_attr_bundle *attrs, struct hca_stream_start *wanted,
			struct hca_live_start *start)
{
	int ret = uverbs_copy_from(wanted, attrs, HCA_ATTR_QP_STREAM_START);

	if (ret)
		return ret;
	if (wanted->role > HCA_STREAM_RESPONDER || (wanted->flags & ~HCA_STREAM_IMMEDIATE) ||
	    wanted->reserved)
		return -EINVAL;
	start->is_initiator = wanted->role == HCA_STREAM_INITIATOR;
	start->is_immediate = wanted->flags & HCA_STREAM_IMMEDIATE;
	start->message = attach_octets(attrs, HCA_ATTR_QP_STREAM_MESSAGE, &start->message_length);
	start->private_data = attach_octets(attrs, HCA_ATTR_QP_STREAM_PRIVATE,
					    &start->private_length);
	return start->is_immediate && start->private_length ? -EINVAL : 0;
}

/* Claim a socket in the namespace of the interface, and begin. */
static int attach_claim(struct hca_ib_qp *qp, struct socket *sock, struct net *net,
			const struct hca_live_start *start)
{
	struct hca_rnic_device *dev = to_hca_rnic_device(qp->ib.device);
	struct attach_claim claim = {
		.tcp = { .net = net, .serves = attach_serves },
		.dev = dev,
	};
	struct hca_rnic_connection *conn = hca_rnic_connection_attach(dev, sock, &claim.tcp);
	int ret;

	if (IS_ERR(conn))
		return PTR_ERR(conn);
	ret = hca_live_attach(&conn->te.ep, hca_iwarp_qp_of(qp->qp), start);
	if (ret)
		hca_tcp_endpoint_abandon(&conn->te);
	return ret;
}

static int attach_socket(struct hca_ib_qp *qp, struct socket *sock,
			 const struct hca_live_start *start)
{
	struct net *net = hca_rnic_get_net(to_hca_rnic_device(qp->ib.device));
	int ret;

	if (!net)
		return -ENODEV;
	ret = attach_claim(qp, sock, net, start);
	put_net(net);
	return ret;
}

/*
 * The handle is locked for writing, so that two calls for one queue pair do not meet. A queue pair
 * that cannot get a stream is refused before the socket is touched.
 */
static int UVERBS_HANDLER(HCA_METHOD_QP_ATTACH_STREAM)(struct uverbs_attr_bundle *attrs)
{
	struct ib_qp *ib = uverbs_attr_get_obj(attrs, HCA_ATTR_QP_STREAM_HANDLE);
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);
	struct hca_live_start start = { 0 };
	struct hca_stream_start wanted;
	struct socket *sock;
	int ret = attach_parse(attrs, &wanted, &start);

	if (ret)
		return ret;
	if (!hca_live_may_attach(hca_iwarp_qp_of(qp->qp)))
		return -EINVAL;
	sock = sockfd_lookup(wanted.fd, &ret);
	if (!sock)
		return ret;
	ret = attach_socket(qp, sock, &start);
	sockfd_put(sock);
	return ret;
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_QP_ATTACH_STREAM,
			    UVERBS_ATTR_IDR(HCA_ATTR_QP_STREAM_HANDLE, UVERBS_OBJECT_QP,
					    UVERBS_ACCESS_WRITE, UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(HCA_ATTR_QP_STREAM_START,
					       UVERBS_ATTR_TYPE(struct hca_stream_start),
					       UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(HCA_ATTR_QP_STREAM_MESSAGE,
					       UVERBS_ATTR_SIZE(1, HCA_STREAM_MESSAGE_MAX),
					       UA_OPTIONAL, UA_ALLOC_AND_COPY),
			    UVERBS_ATTR_PTR_IN(HCA_ATTR_QP_STREAM_PRIVATE,
					       UVERBS_ATTR_SIZE(1, HCA_STREAM_PRIVATE_MAX),
					       UA_OPTIONAL, UA_ALLOC_AND_COPY));

ADD_UVERBS_METHODS(rnic_attach_methods, UVERBS_OBJECT_QP,
		   &UVERBS_METHOD(HCA_METHOD_QP_ATTACH_STREAM));

const struct uapi_definition hca_rnic_attach_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_QP, &rnic_attach_methods),
	{},
};

static_assert(HCA_STREAM_MESSAGE_MAX == HCA_LIVE_MESSAGE_MAX);
static_assert(HCA_STREAM_PRIVATE_MAX == HCA_LIVE_PRIVATE_MAX);
