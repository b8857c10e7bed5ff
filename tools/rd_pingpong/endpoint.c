// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Creates, connects and uses the verbs objects of one end of a connection. */
#include "endpoint.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "tools/lib/message.h"

#define QKEY 0x11111111
#define DEPTH 4 /* number of entries of each work queue */

static bool has_rd(struct ibv_device *device)
{
	struct hcadv_device_attr attr = {};
	struct ibv_context *context;
	bool has;

	if (!hcadv_is_supported(device))
		return false;
	context = ibv_open_device(device);
	if (!context)
		return false;
	has = !hcadv_query_device(context, &attr) && attr.caps & HCADV_CAP_RD;
	ibv_close_device(context);
	return has;
}

static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	bool found = false;
	int i;

	for (i = 0; list && list[i] && !found; i++) {
		if (name && strcmp(ibv_get_device_name(list[i]), name))
			continue;
		found = has_rd(list[i]);
		if (found)
			context = ibv_open_device(list[i]);
	}
	if (!found) {
		die("%s: no such device with reliable datagrams", name ? name : "any");
	}
	if (!context)
		die_errno("the device cannot be opened");
	ibv_free_device_list(list);
	return context;
}

static void query_port(struct endpoint *endpoint)
{
	const struct options *options = endpoint->options;
	struct ibv_port_attr port;

	errno = ibv_query_port(endpoint->context, options->ib_port, &port);
	if (errno)
		die_errno("port %u", options->ib_port);
	if (port.state != IBV_PORT_ACTIVE)
		die_errno("port %u is not active", options->ib_port);
	if (options->gid_index >= 0 &&
	    ibv_query_gid(endpoint->context, options->ib_port, options->gid_index,
			  &endpoint->own.gid))
		die_errno("GID %d", options->gid_index);
	endpoint->own.lid = port.lid;
	endpoint->own.psn = (getpid() ^ time(NULL)) & 0xffffff;
}

static void register_memory(struct endpoint *endpoint)
{
	size_t size = 2ul * endpoint->num_qps * endpoint->options->size;

	endpoint->memory = calloc(1, size);
	if (endpoint->memory)
		endpoint->mr = ibv_reg_mr(endpoint->pd, endpoint->memory, size,
					 IBV_ACCESS_LOCAL_WRITE);
	if (!endpoint->mr)
		die_errno("%zu octets of memory", size);
}

static struct ibv_qp *create_qp(struct endpoint *endpoint)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = endpoint->cq,
		.recv_cq = endpoint->cq,
		.cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_DRIVER,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = endpoint->pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND,
	};
	const struct hcadv_qp_init_attr hca_attr = {
		.type = HCADV_QPT_RD,
		.rdd = endpoint->rdd,
	};
	struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .qkey = QKEY };
	struct ibv_qp *qp = hcadv_create_qp(endpoint->context, &attr, &hca_attr);

	if (!qp)
		die_errno("a reliable datagram queue pair");
	errno = ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_QKEY | IBV_QP_ACCESS_FLAGS);
	if (errno)
		die_errno("a queue pair to Init");
	return qp;
}

static void create_qps(struct endpoint *endpoint)
{
	uint32_t i;

	endpoint->qp = calloc(endpoint->num_qps, sizeof(*endpoint->qp));
	endpoint->own.qpn = calloc(endpoint->num_qps, sizeof(*endpoint->own.qpn));
	if (!endpoint->qp || !endpoint->own.qpn)
		die_errno("%u queue pairs", endpoint->num_qps);
	for (i = 0; i < endpoint->num_qps; i++) {
		endpoint->qp[i] = create_qp(endpoint);
		endpoint->own.qpn[i] = endpoint->qp[i]->qp_num;
		endpoint_post_recv(endpoint, i);
	}
	endpoint->own.num_qps = endpoint->num_qps;
}

static void create_eec(struct endpoint *endpoint)
{
	struct ibv_qp_attr init = {
		.qp_state = IBV_QPS_INIT,
		.port_num = endpoint->options->ib_port,
	};

	endpoint->eec = hcadv_create_eec(endpoint->rdd);
	if (!endpoint->eec)
		die_errno("an EE context");
	endpoint->own.eecn = endpoint->eec->eecn;
	errno = hcadv_modify_eec(endpoint->eec, &init,
				 IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT);
	if (errno)
		die_errno("the EE context to Init");
}

static void endpoint_arm(struct endpoint *endpoint)
{
	errno = ibv_req_notify_cq(endpoint->cq, 0);
	if (errno)
		die_errno("req_notify_cq");
}

void endpoint_open(struct endpoint *endpoint, const struct options *options, uint32_t num_qps)
{
	*endpoint = (struct endpoint){ .options = options, .num_qps = num_qps };
	endpoint->context = open_device(options->device);
	query_port(endpoint);
	endpoint->pd = ibv_alloc_pd(endpoint->context);
	if (options->events)
		endpoint->events = ibv_create_comp_channel(endpoint->context);
	if (!endpoint->pd || !endpoint->events != !options->events)
		die_errno("a protection domain, a completion channel");
	endpoint->cq = ibv_create_cq(endpoint->context, 2 * DEPTH * num_qps, NULL, endpoint->events,
				    0);
	if (!endpoint->cq)
		die_errno("a completion queue");
	if (endpoint->events)
		endpoint_arm(endpoint);
	endpoint->rdd = hcadv_alloc_rdd(endpoint->context);
	if (!endpoint->rdd)
		die_errno("a reliable datagram domain");
	register_memory(endpoint);
	create_qps(endpoint);
	create_eec(endpoint);
}

static void eec_to_rtr(struct endpoint *endpoint, const struct side *peer)
{
	const struct options *options = endpoint->options;
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = options->mtu,
		.dest_qp_num = peer->eecn,
		.rq_psn = peer->psn,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
		.ah_attr = { .dlid = peer->lid, .sl = options->sl, .port_num = options->ib_port },
	};

	if (options->gid_index >= 0) {
		attr.ah_attr.is_global = 1;
		attr.ah_attr.grh.dgid = peer->gid;
		attr.ah_attr.grh.sgid_index = options->gid_index;
		attr.ah_attr.grh.hop_limit = 1;
	}
	errno = hcadv_modify_eec(endpoint->eec, &attr,
				 IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
					 IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
					 IBV_QP_MIN_RNR_TIMER);
	if (errno)
		die_errno("the EE context to RTR");
}

static void eec_to_rts(struct endpoint *endpoint)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.sq_psn = endpoint->own.psn,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.max_rd_atomic = 1,
	};

	errno = hcadv_modify_eec(endpoint->eec, &attr,
				 IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT |
					 IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
					 IBV_QP_MAX_QP_RD_ATOMIC);
	if (errno)
		die_errno("the EE context to RTS");
}

void endpoint_connect(struct endpoint *endpoint, const struct side *peer)
{
	struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR }, rts = { .qp_state = IBV_QPS_RTS };
	uint32_t i;

	for (i = 0; i < endpoint->num_qps; i++) {
		errno = ibv_modify_qp(endpoint->qp[i], &rtr, IBV_QP_STATE);
		if (!errno)
			errno = ibv_modify_qp(endpoint->qp[i], &rts, IBV_QP_STATE);
		if (errno)
			die_errno("a queue pair to RTS");
	}
	eec_to_rtr(endpoint, peer);
	eec_to_rts(endpoint);
}

void endpoint_close(struct endpoint *endpoint)
{
	uint32_t i;

	for (i = 0; i < endpoint->num_qps; i++)
		ibv_destroy_qp(endpoint->qp[i]);
	hcadv_destroy_eec(endpoint->eec);
	errno = hcadv_dealloc_rdd(endpoint->rdd);
	if (errno)
		die_errno("the reliable datagram domain");
	ibv_dereg_mr(endpoint->mr);
	ibv_destroy_cq(endpoint->cq);
	if (endpoint->events)
		ibv_destroy_comp_channel(endpoint->events);
	ibv_dealloc_pd(endpoint->pd);
	ibv_close_device(endpoint->context);
	free(endpoint->memory);
	free(endpoint->own.qpn);
	free(endpoint->qp);
}

uint8_t *endpoint_send_buffer(const struct endpoint *endpoint, uint32_t qp)
{
	return endpoint->memory + 2ul * qp * endpoint->options->size;
}

uint8_t *endpoint_recv_buffer(const struct endpoint *endpoint, uint32_t qp)
{
	return endpoint_send_buffer(endpoint, qp) + endpoint->options->size;
}

void endpoint_post_recv(struct endpoint *endpoint, uint32_t qp)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)endpoint_recv_buffer(endpoint, qp),
		.length = endpoint->options->size,
		.lkey = endpoint->mr->lkey,
	};
	struct ibv_recv_wr wr = { .wr_id = qp, .sg_list = &sge, .num_sge = 1 }, *bad;

	errno = ibv_post_recv(endpoint->qp[qp], &wr, &bad);
	if (errno)
		die_errno("post_recv");
}

void endpoint_post_send(struct endpoint *endpoint, uint32_t qp, uint32_t remote_qpn)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(endpoint->qp[qp]);

	ibv_wr_start(ex);
	ex->wr_id = qp;
	ex->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_send(ex);
	hcadv_wr_set_rd(hcadv_qp_ex_from_ibv_qp_ex(ex), endpoint->eec->eecn, remote_qpn, QKEY);
	ibv_wr_set_sge(ex, endpoint->mr->lkey, (uintptr_t)endpoint_send_buffer(endpoint, qp),
		       endpoint->options->size);
	errno = ibv_wr_complete(ex);
	if (errno)
		die_errno("a send");
}

/* Sleeps until the CQ raises an event, and arms the CQ again. */
static void sleep_for_event(struct endpoint *endpoint)
{
	struct ibv_cq *cq;
	void *cq_context;

	if (ibv_get_cq_event(endpoint->events, &cq, &cq_context))
		die_errno("get_cq_event");
	ibv_ack_cq_events(cq, 1);
	endpoint_arm(endpoint);
}

uint32_t endpoint_poll(struct endpoint *endpoint, struct hcadv_wc *wc)
{
	int n;

	while (!(n = hcadv_poll_cq(endpoint->cq, 1, wc)))
		if (endpoint->events)
			sleep_for_event(endpoint);
	errno = 0;
	if (n < 0)
		die_errno("poll_cq");
	if (wc->wc.status != IBV_WC_SUCCESS)
		die_errno("%s of queue pair %#x: %s", ibv_wc_status_str(wc->wc.status),
			  wc->wc.qp_num, hcadv_vendor_err_str(wc->wc.vendor_err));
	return wc->wc.wr_id;
}
