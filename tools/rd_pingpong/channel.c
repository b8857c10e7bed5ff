// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "channel.h"
#include "tools/lib/message.h"

#define QKEY 0x11111111
#define DEPTH 4 /* requests of a queue pair, at most */

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

static void learn_port(struct channel *channel)
{
	const struct options *options = channel->options;
	struct ibv_port_attr port;

	errno = ibv_query_port(channel->context, options->ib_port, &port);
	if (errno)
		die_errno("port %u", options->ib_port);
	if (port.state != IBV_PORT_ACTIVE)
		die_errno("port %u is not active", options->ib_port);
	if (options->gid_index >= 0 &&
	    ibv_query_gid(channel->context, options->ib_port, options->gid_index,
			  &channel->own.gid))
		die_errno("GID %d", options->gid_index);
	channel->own.lid = port.lid;
	channel->own.psn = (getpid() ^ time(NULL)) & 0xffffff;
}

static void make_memory(struct channel *channel)
{
	size_t size = 2ul * channel->num_qps * channel->options->size;

	channel->memory = calloc(1, size);
	if (channel->memory)
		channel->mr = ibv_reg_mr(channel->pd, channel->memory, size,
					 IBV_ACCESS_LOCAL_WRITE);
	if (!channel->mr)
		die_errno("%zu octets of memory", size);
}

static struct ibv_qp *make_qp(struct channel *channel)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = channel->cq,
		.recv_cq = channel->cq,
		.cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_DRIVER,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = channel->pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND,
	};
	const struct hcadv_qp_init_attr hca_attr = {
		.type = HCADV_QPT_RD,
		.rdd = channel->rdd,
	};
	struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .qkey = QKEY };
	struct ibv_qp *qp = hcadv_create_qp(channel->context, &attr, &hca_attr);

	if (!qp)
		die_errno("a reliable datagram queue pair");
	errno = ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_QKEY | IBV_QP_ACCESS_FLAGS);
	if (errno)
		die_errno("a queue pair to Init");
	return qp;
}

static void make_qps(struct channel *channel)
{
	uint32_t i;

	channel->qp = calloc(channel->num_qps, sizeof(*channel->qp));
	channel->own.qpn = calloc(channel->num_qps, sizeof(*channel->own.qpn));
	if (!channel->qp || !channel->own.qpn)
		die_errno("%u queue pairs", channel->num_qps);
	for (i = 0; i < channel->num_qps; i++) {
		channel->qp[i] = make_qp(channel);
		channel->own.qpn[i] = channel->qp[i]->qp_num;
		channel_receive(channel, i);
	}
	channel->own.num_qps = channel->num_qps;
}

static void make_eec(struct channel *channel)
{
	struct ibv_qp_attr init = {
		.qp_state = IBV_QPS_INIT,
		.port_num = channel->options->ib_port,
	};

	channel->eec = hcadv_create_eec(channel->rdd);
	if (!channel->eec)
		die_errno("an EE context");
	channel->own.eecn = channel->eec->eecn;
	errno = hcadv_modify_eec(channel->eec, &init,
				 IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT);
	if (errno)
		die_errno("the EE context to Init");
}

static void arm(struct channel *channel)
{
	errno = ibv_req_notify_cq(channel->cq, 0);
	if (errno)
		die_errno("req_notify_cq");
}

void channel_open(struct channel *channel, const struct options *options, uint32_t num_qps)
{
	*channel = (struct channel){ .options = options, .num_qps = num_qps };
	channel->context = open_device(options->device);
	learn_port(channel);
	channel->pd = ibv_alloc_pd(channel->context);
	if (options->events)
		channel->events = ibv_create_comp_channel(channel->context);
	if (!channel->pd || !channel->events != !options->events)
		die_errno("a protection domain, a completion channel");
	channel->cq = ibv_create_cq(channel->context, 2 * DEPTH * num_qps, NULL, channel->events,
				    0);
	if (!channel->cq)
		die_errno("a completion queue");
	if (channel->events)
		arm(channel);
	channel->rdd = hcadv_alloc_rdd(channel->context);
	if (!channel->rdd)
		die_errno("a reliable datagram domain");
	make_memory(channel);
	make_qps(channel);
	make_eec(channel);
}

static void eec_to_rtr(struct channel *channel, const struct side *peer)
{
	const struct options *options = channel->options;
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
	errno = hcadv_modify_eec(channel->eec, &attr,
				 IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
					 IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
					 IBV_QP_MIN_RNR_TIMER);
	if (errno)
		die_errno("the EE context to RTR");
}

static void eec_to_rts(struct channel *channel)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.sq_psn = channel->own.psn,
		.timeout = 14,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.max_rd_atomic = 1,
	};

	errno = hcadv_modify_eec(channel->eec, &attr,
				 IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT |
					 IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
					 IBV_QP_MAX_QP_RD_ATOMIC);
	if (errno)
		die_errno("the EE context to RTS");
}

void channel_connect(struct channel *channel, const struct side *peer)
{
	struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR }, rts = { .qp_state = IBV_QPS_RTS };
	uint32_t i;

	for (i = 0; i < channel->num_qps; i++) {
		errno = ibv_modify_qp(channel->qp[i], &rtr, IBV_QP_STATE);
		if (!errno)
			errno = ibv_modify_qp(channel->qp[i], &rts, IBV_QP_STATE);
		if (errno)
			die_errno("a queue pair to RTS");
	}
	eec_to_rtr(channel, peer);
	eec_to_rts(channel);
}

void channel_close(struct channel *channel)
{
	uint32_t i;

	for (i = 0; i < channel->num_qps; i++)
		ibv_destroy_qp(channel->qp[i]);
	hcadv_destroy_eec(channel->eec);
	errno = hcadv_dealloc_rdd(channel->rdd);
	if (errno)
		die_errno("the reliable datagram domain");
	ibv_dereg_mr(channel->mr);
	ibv_destroy_cq(channel->cq);
	if (channel->events)
		ibv_destroy_comp_channel(channel->events);
	ibv_dealloc_pd(channel->pd);
	ibv_close_device(channel->context);
	free(channel->memory);
	free(channel->own.qpn);
	free(channel->qp);
}

uint8_t *channel_out(const struct channel *channel, uint32_t qp)
{
	return channel->memory + 2ul * qp * channel->options->size;
}

uint8_t *channel_in(const struct channel *channel, uint32_t qp)
{
	return channel_out(channel, qp) + channel->options->size;
}

void channel_receive(struct channel *channel, uint32_t qp)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)channel_in(channel, qp),
		.length = channel->options->size,
		.lkey = channel->mr->lkey,
	};
	struct ibv_recv_wr wr = { .wr_id = qp, .sg_list = &sge, .num_sge = 1 }, *bad;

	errno = ibv_post_recv(channel->qp[qp], &wr, &bad);
	if (errno)
		die_errno("post_recv");
}

void channel_send(struct channel *channel, uint32_t qp, uint32_t remote_qpn)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(channel->qp[qp]);

	ibv_wr_start(ex);
	ex->wr_id = qp;
	ex->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_send(ex);
	hcadv_wr_set_rd(hcadv_qp_ex_from_ibv_qp_ex(ex), channel->eec->eecn, remote_qpn, QKEY);
	ibv_wr_set_sge(ex, channel->mr->lkey, (uintptr_t)channel_out(channel, qp),
		       channel->options->size);
	errno = ibv_wr_complete(ex);
	if (errno)
		die_errno("a send");
}

/* Sleeps until there may be a completion. */
static void sleep_for_event(struct channel *channel)
{
	struct ibv_cq *cq;
	void *cq_context;

	if (ibv_get_cq_event(channel->events, &cq, &cq_context))
		die_errno("get_cq_event");
	ibv_ack_cq_events(cq, 1);
	arm(channel);
}

uint32_t channel_wait(struct channel *channel, struct hcadv_wc *wc)
{
	int n;

	while (!(n = hcadv_poll_cq(channel->cq, 1, wc)))
		if (channel->events)
			sleep_for_event(channel);
	errno = 0;
	if (n < 0)
		die_errno("poll_cq");
	if (wc->wc.status != IBV_WC_SUCCESS)
		die_errno("%s of queue pair %#x", ibv_wc_status_str(wc->wc.status), wc->wc.qp_num);
	return wc->wc.wr_id;
}
