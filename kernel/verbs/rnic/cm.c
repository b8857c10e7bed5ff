// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The operations by which iw_cm makes connections of an RNIC. */
#include "verbs/rnic/cm.h"
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/net.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <net/net_namespace.h>
#include <rdma/iw_cm.h>
#include "iwarp/connect.h"
#include "iwarp/tcp/tcp_connect.h"
#include "payer.h"
#include "verbs/rnic/connection.h"

/*
 * Find a queue pair. iw_cm, which has interrupts disabled, calls iw_add_ref at once, so that this
 * function takes the reference: it can fail, and iw_add_ref cannot.
 */
static struct ib_qp *cm_get_qp(struct ib_device *ib, int qpn)
{
	struct hca_qp *qp = hca_qp_get(&to_hca_rnic_device(ib)->rnic.ci, qpn);

	if (!qp)
		return NULL;
	WRITE_ONCE(to_hca_ib_qp(qp->context)->referenced, qp);
	return qp->context;
}

static void cm_add_ref(struct ib_qp *ib) { }

static void cm_rem_ref(struct ib_qp *ib)
{
	hca_qp_put(READ_ONCE(to_hca_ib_qp(ib)->referenced));
}

/*
 * rdma_cm takes the number of a queue pair from a process. A process can connect those of its own,
 * also after it has changed its user, and those of its user. Kernel consumers connect theirs from a
 * kernel thread, or for a privileged process.
 */
static bool cm_may_connect(const struct hca_qp *qp)
{
	const struct hca_ib_qp *own = to_hca_ib_qp(qp->context);

	if (current->flags & PF_KTHREAD)
		return true;
	if (!own->context)
		return capable(CAP_SYS_ADMIN);
	return own->tracked.owner == task_tgid(current) ||
	       uid_eq(own->context->user->uid, hca_payer());
}

/* Return: the queue pair with a number, with a reference; or ERR_PTR. */
static struct hca_qp *cm_use_qp(struct ib_device *ib, u32 qpn)
{
	struct hca_qp *qp;

	local_bh_disable();
	qp = hca_qp_get(&to_hca_rnic_device(ib)->rnic.ci, qpn);
	local_bh_enable();
	if (!qp)
		return ERR_PTR(-EINVAL);
	if (cm_may_connect(qp))
		return qp;
	hca_qp_put(qp);
	return ERR_PTR(-EPERM);
}

/* Return: whether what a ULP wants can be said by MPA; @connect is filled in. */
static bool cm_wishes(const struct iw_cm_conn_param *param, struct hca_connect *connect)
{
	*connect = (struct hca_connect){
		.ird = param->ird,
		.ord = param->ord,
		.private_length = param->private_data_len,
		.private_data = param->private_data,
	};
	return param->ird <= HCA_IWARP_MAX_READS && param->ord <= HCA_IWARP_MAX_READS;
}

/* A process connects from its own network namespace only; kernel consumers have none. */
static bool cm_may_use(const struct net *net)
{
	return (current->flags & PF_KTHREAD) || net_eq(current->nsproxy->net_ns, net);
}

static struct socket *cm_open(const struct iw_cm_id *id, struct net *net)
{
	struct socket *sock;

	if (!cm_may_use(net))
		return ERR_PTR(-ENETUNREACH);
	sock = hca_tcp_open(net, id->m_local_addr.ss_family, id->afonly);
	if (!IS_ERR(sock) && id->tos_set)
		hca_tcp_set_tos(sock, id->tos);
	return sock;
}

/* Make a connection without a queue pair. */
static struct hca_rnic_connection *cm_create(struct hca_rnic_device *dev, const struct iw_cm_id *id)
{
	struct net *net = hca_rnic_get_net(dev);
	struct hca_rnic_connection *conn;
	struct socket *sock;

	if (!net)
		return ERR_PTR(-ENODEV);
	sock = cm_open(id, net);
	conn = IS_ERR(sock) ? ERR_CAST(sock) : hca_rnic_connection_create(dev, sock);
	put_net(net);
	return conn ? conn : ERR_PTR(-ENOMEM);
}

static int cm_begin(struct hca_rnic_connection *conn, struct iw_cm_id *id, struct hca_qp *qp,
		    const struct hca_connect *connect)
{
	int ret;

	ret = hca_tcp_connect(&conn->te, &id->m_local_addr, &id->m_remote_addr);
	if (ret)
		return ret;
	id->add_ref(id);
	conn->id = id;
	ret = hca_startup_connect(&conn->te.ep, hca_iwarp_qp_of(qp), connect);
	if (ret)
		hca_rnic_connection_drop_id(conn);
	return ret;
}

static int cm_connect(struct iw_cm_id *id, struct iw_cm_conn_param *param)
{
	struct hca_rnic_device *dev = to_hca_rnic_device(id->device);
	struct hca_rnic_connection *conn;
	struct hca_connect connect;
	struct hca_qp *qp;
	int ret;

	if (!cm_wishes(param, &connect))
		return -EINVAL;
	if (!hca_rnic_may_use(dev, &id->m_local_addr))
		return -EADDRNOTAVAIL;
	conn = cm_create(dev, id);
	if (IS_ERR(conn))
		return PTR_ERR(conn);
	qp = cm_use_qp(id->device, param->qpn);
	ret = IS_ERR(qp) ? PTR_ERR(qp) : cm_begin(conn, id, qp, &connect);
	if (!IS_ERR(qp))
		hca_qp_put(qp);
	if (ret)
		hca_tcp_endpoint_abandon(&conn->te);
	return ret;
}

/*
 * Answer a request by accepting it. The endpoint ends by itself if that fails; iw_cm then gets no
 * event.
 */
static int cm_answer(struct hca_rnic_connection *conn, struct iw_cm_id *id, struct hca_qp *qp,
		     const struct hca_connect *connect)
{
	int ret;

	id->add_ref(id);
	WRITE_ONCE(conn->id, id);
	ret = hca_startup_accept(&conn->te.ep, hca_iwarp_qp_of(qp), connect);
	if (ret)
		hca_rnic_connection_drop_id(conn);
	return ret;
}

static void cm_refuse(struct hca_rnic_connection *conn, const void *data, u16 length)
{
	const struct hca_connect connect = { .private_data = data, .private_length = length };

	hca_startup_reject(&conn->te.ep, &connect);
}

static int cm_accept(struct iw_cm_id *id, struct iw_cm_conn_param *param)
{
	struct hca_rnic_connection *conn = hca_rnic_request_find((unsigned long)id->provider_data);
	struct hca_connect connect;
	struct hca_qp *qp;
	int ret = -EINVAL;

	if (!conn)
		return -ECONNRESET;
	qp = cm_use_qp(id->device, param->qpn);
	if (IS_ERR(qp))
		ret = PTR_ERR(qp);
	else if (cm_wishes(param, &connect))
		ret = cm_answer(conn, id, qp, &connect);
	if (ret)
		cm_refuse(conn, NULL, 0);
	if (!IS_ERR(qp))
		hca_qp_put(qp);
	hca_tcp_endpoint_put(&conn->te);
	return ret;
}

static int cm_reject(struct iw_cm_id *id, const void *data, u8 length)
{
	struct hca_rnic_connection *conn = hca_rnic_request_find((unsigned long)id->provider_data);

	if (!conn)
		return -ECONNRESET;
	cm_refuse(conn, data, length);
	hca_tcp_endpoint_put(&conn->te);
	return 0;
}

const struct ib_device_ops hca_rnic_cm_ops = {
	.iw_get_qp = cm_get_qp,
	.iw_add_ref = cm_add_ref,
	.iw_rem_ref = cm_rem_ref,
	.iw_connect = cm_connect,
	.iw_accept = cm_accept,
	.iw_reject = cm_reject,
	.iw_create_listen = hca_rnic_listen_create,
	.iw_destroy_listen = hca_rnic_listen_destroy,
};
