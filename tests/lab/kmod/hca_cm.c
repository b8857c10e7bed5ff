// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A kernel consumer of hca2 and hca3, for the lab: ib_cm makes a connection whose REQ has an
 * alternate path. The primary path uses port 1 of both adapters, the alternate path port 2. The
 * module connects when it is loaded. Then the test case cuts cables, and in between it writes the
 * step to execute to the parameter "step". Each result is a line "hca_cm: ok - NAME" of the
 * kernel's log. ib_cm has no function that sends LAP, so the module builds that datagram itself.
 */
#include <linux/completion.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_cm.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_sa.h>
#include <rdma/ib_verbs.h>
#include <rdma/ibta_vol1_c12.h>
#include "device.h"

#define SERVICE_ID cpu_to_be64(0x1000000000636d00ULL)
#define PORTS 2
#define LIFE_TIME 14 /* packet life time of 67 ms; the ACK timeout is twice that */
#define SECONDS 20

struct side {
	struct ib_device *dev;
	struct ib_pd *pd;
	struct ib_cq *cq;
	struct ib_qp *qp;
	struct ib_cm_id *id;
	struct ib_port_attr port[PORTS];
	union ib_gid gid[PORTS];
	struct completion migrated;
};

struct work {
	struct ib_cqe cqe;
	struct completion done;
	enum ib_wc_status status;
};

static struct side active, passive;
static struct ib_cm_id *listener;
static struct work sent, received;
static DECLARE_COMPLETION(established);
static DECLARE_COMPLETION(loaded);
static DECLARE_COMPLETION(lap_sent);
static DECLARE_COMPLETION(stale);
static DECLARE_COMPLETION(ended);

static void verdict(bool ok, const char *name)
{
	pr_info("hca_cm: %sok - %s\n", ok ? "" : "not ", name);
}

static bool happens(struct completion *done)
{
	return wait_for_completion_timeout(done, SECONDS * HZ);
}

static void completed(struct ib_cq *cq, struct ib_wc *wc)
{
	struct work *work = container_of(wc->wr_cqe, struct work, cqe);

	work->status = wc->status;
	complete(&work->done);
}

static struct ib_cqe *watch(struct work *work)
{
	work->cqe.done = completed;
	init_completion(&work->done);
	return &work->cqe;
}

static bool succeeds(struct work *work)
{
	return happens(&work->done) && work->status == IB_WC_SUCCESS;
}

/* Sends an empty message. Return: whether it arrives. */
static bool message_arrives(void)
{
	struct ib_recv_wr recv = { .wr_cqe = watch(&received) };
	struct ib_send_wr send = {
		.wr_cqe = watch(&sent),
		.opcode = IB_WR_SEND,
		.send_flags = IB_SEND_SIGNALED,
	};

	return !ib_post_recv(passive.qp, &recv, NULL) && !ib_post_send(active.qp, &send, NULL) &&
	       succeeds(&sent) && succeeds(&received);
}

static void qp_event(struct ib_event *event, void *context)
{
	struct side *s = context;

	if (event->event == IB_EVENT_PATH_MIG)
		complete(&s->migrated);
}

static bool has_path(struct side *s, u32 port, enum ib_mig_state state)
{
	struct ib_qp_attr attr;
	struct ib_qp_init_attr init;

	return !ib_query_qp(s->qp, &attr, IB_QP_PORT | IB_QP_PATH_MIG_STATE, &init) &&
	       attr.port_num == port && attr.path_mig_state == state;
}

static bool both_have_path(u32 port, enum ib_mig_state state)
{
	return has_path(&active, port, state) && has_path(&passive, port, state);
}

/* Uses the attributes that ib_cm returns. */
static int modify(struct side *s, enum ib_qp_state state)
{
	struct ib_qp_attr attr = { .qp_state = state };
	int mask;
	int ret = ib_cm_init_qp_attr(s->id, &attr, &mask);

	return ret ?: ib_modify_qp(s->qp, &attr, mask);
}

static int make_ready(struct side *s)
{
	return modify(s, IB_QPS_INIT) ?: modify(s, IB_QPS_RTR) ?: modify(s, IB_QPS_RTS);
}

static bool is_path(const struct sa_path_rec *path, int i)
{
	return path && !memcmp(&path->sgid, &passive.gid[i], sizeof(path->sgid)) &&
	       !memcmp(&path->dgid, &active.gid[i], sizeof(path->dgid)) &&
	       be16_to_cpu(path->ib.dlid) == active.port[i].lid;
}

static int accept_req(struct ib_cm_id *id, const struct ib_cm_req_event_param *req)
{
	struct ib_cm_rep_param rep = {
		.qp_num = passive.qp->qp_num,
		.responder_resources = req->responder_resources,
		.initiator_depth = req->initiator_depth,
		.rnr_retry_count = 7,
	};
	int ret;

	verdict(is_path(req->primary_path, 0), "the REQ has the primary path");
	verdict(is_path(req->alternate_path, 1), "the REQ has the alternate path");
	passive.id = id;
	ret = make_ready(&passive) ?: ib_send_cm_rep(id, &rep);
	if (ret)
		passive.id = NULL; /* ib_cm destroys it */
	return ret;
}

static int passive_event(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	switch (event->event) {
	case IB_CM_REQ_RECEIVED:
		return accept_req(id, &event->param.req_rcvd);
	case IB_CM_RTU_RECEIVED:
		complete(&established);
		return 0;
	case IB_CM_LAP_RECEIVED:
		verdict(is_path(event->param.lap_rcvd.alternate_path, 0),
			"ib_cm reports the LAP's path");
		if (!modify(&passive, IB_QPS_RTS))
			complete(&loaded);
		return 0;
	default:
		return 0;
	}
}

static int active_event(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	switch (event->event) {
	case IB_CM_REP_RECEIVED:
		verdict(!make_ready(&active) && !ib_send_cm_rtu(id, NULL, 0),
			"the REP is answered");
		return 0;
	case IB_CM_DREQ_RECEIVED:
		if (!ib_send_cm_drep(id, NULL, 0))
			complete(&ended);
		return 0;
	default:
		return 0;
	}
}

static int again_event(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	if (event->event == IB_CM_REJ_RECEIVED &&
	    event->param.rej_rcvd.reason == IB_CM_REJ_STALE_CONN)
		complete(&stale);
	return 0;
}

static struct sa_path_rec path_by(int i)
{
	return (struct sa_path_rec){
		.rec_type = SA_PATH_REC_TYPE_IB,
		.sgid = active.gid[i],
		.dgid = passive.gid[i],
		.ib.slid = cpu_to_be16(active.port[i].lid),
		.ib.dlid = cpu_to_be16(passive.port[i].lid),
		.service_id = SERVICE_ID,
		.pkey = cpu_to_be16(0xffff),
		.mtu = IB_MTU_2048,
		.rate = IB_RATE_10_GBPS,
		.packet_life_time = LIFE_TIME,
		.reversible = 1,
	};
}

static int send_req(struct ib_cm_id *id)
{
	struct sa_path_rec primary = path_by(0), alternate = path_by(1);
	struct ib_cm_req_param req = {
		.primary_path = &primary,
		.alternate_path = &alternate,
		.service_id = SERVICE_ID,
		.qp_num = active.qp->qp_num,
		.qp_type = IB_QPT_RC,
		.responder_resources = 1,
		.initiator_depth = 1,
		.remote_cm_response_timeout = 20,
		.local_cm_response_timeout = 20,
		.retry_count = 7,
		.rnr_retry_count = 7,
		.max_cm_retries = 7,
	};

	return ib_send_cm_req(id, &req);
}

static void migrate(u32 port, const char *name)
{
	verdict(message_arrives(), name);
	verdict(happens(&active.migrated) && happens(&passive.migrated), "both tell of it");
	verdict(both_have_path(port, IB_MIG_MIGRATED), "both have migrated");
}

static void step_migrate(void)
{
	migrate(2, "a message comes by the alternate path");
	verdict(!ib_cm_notify(active.id, IB_EVENT_PATH_MIG) &&
			!ib_cm_notify(passive.id, IB_EVENT_PATH_MIG),
		"ib_cm takes notice");
}

static void fill_lap(struct cm_lap_msg *lap)
{
	const struct sa_path_rec path = path_by(0);

	lap->hdr.base_version = IB_MGMT_BASE_VERSION;
	lap->hdr.mgmt_class = IB_MGMT_CLASS_CM;
	lap->hdr.class_version = 2;
	lap->hdr.method = IB_MGMT_METHOD_SEND;
	lap->hdr.tid = cpu_to_be64(0x6c617000);
	lap->hdr.attr_id = CM_LAP_ATTR_ID;
	IBA_SET(CM_LAP_LOCAL_COMM_ID, lap, be32_to_cpu(active.id->local_id));
	IBA_SET(CM_LAP_REMOTE_COMM_ID, lap, be32_to_cpu(passive.id->local_id));
	IBA_SET(CM_LAP_REMOTE_QPN_EECN, lap, passive.qp->qp_num);
	IBA_SET(CM_LAP_REMOTE_CM_RESPONSE_TIMEOUT, lap, 20);
	IBA_SET(CM_LAP_ALTERNATE_LOCAL_PORT_LID, lap, be16_to_cpu(path.ib.slid));
	IBA_SET(CM_LAP_ALTERNATE_REMOTE_PORT_LID, lap, be16_to_cpu(path.ib.dlid));
	*IBA_GET_MEM_PTR(CM_LAP_ALTERNATE_LOCAL_PORT_GID, lap) = path.sgid;
	*IBA_GET_MEM_PTR(CM_LAP_ALTERNATE_REMOTE_PORT_GID, lap) = path.dgid;
	IBA_SET(CM_LAP_ALTERNATE_PACKET_RATE, lap, path.rate);
	IBA_SET(CM_LAP_ALTERNATE_SUBNET_LOCAL, lap, 1);
	IBA_SET(CM_LAP_ALTERNATE_LOCAL_ACK_TIMEOUT, lap, LIFE_TIME + 1);
}

static void lap_done(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc)
{
	if (wc->status == IB_WC_SUCCESS)
		complete(&lap_sent);
}

/* The LAP is sent from QP1 of port 2, the only path that works. */
static bool lap_goes(struct ib_mad_agent *agent)
{
	struct rdma_ah_attr attr = { .type = RDMA_AH_ATTR_TYPE_IB };
	struct ib_mad_send_buf *msg;
	struct ib_ah *ah;
	bool gone;

	rdma_ah_set_dlid(&attr, passive.port[1].lid);
	rdma_ah_set_port_num(&attr, 2);
	ah = rdma_create_ah(agent->qp->pd, &attr, 0);
	if (IS_ERR(ah))
		return false;
	msg = ib_create_send_mad(agent, 1, 0, 0, IB_MGMT_MAD_HDR, IB_MGMT_MAD_DATA, GFP_KERNEL,
				 IB_MGMT_BASE_VERSION);
	if (IS_ERR(msg)) {
		rdma_destroy_ah(ah, 0);
		return false;
	}
	msg->ah = ah;
	fill_lap(msg->mad);
	gone = !ib_post_send_mad(msg, NULL) && happens(&lap_sent);
	ib_free_send_mad(msg);
	rdma_destroy_ah(ah, 0);
	return gone;
}

/* The sender of a LAP loads the alternate path when it has received the APR. */
static bool load_alternate(void)
{
	struct ib_qp_attr attr = {
		.alt_port_num = 1,
		.alt_timeout = LIFE_TIME + 1,
		.path_mig_state = IB_MIG_REARM,
		.alt_ah_attr.type = RDMA_AH_ATTR_TYPE_IB,
	};

	rdma_ah_set_dlid(&attr.alt_ah_attr, passive.port[0].lid);
	rdma_ah_set_port_num(&attr.alt_ah_attr, 1);
	return !ib_modify_qp(active.qp, &attr, IB_QP_ALT_PATH | IB_QP_PATH_MIG_STATE);
}

static void step_load(void)
{
	struct ib_mad_agent *agent = ib_register_mad_agent(active.dev, 2, IB_QPT_GSI, NULL, 0,
							   lap_done, NULL, NULL, 0);

	if (IS_ERR(agent)) {
		verdict(false, "a LAP goes");
		return;
	}
	verdict(lap_goes(agent), "a LAP goes");
	ib_unregister_mad_agent(agent);
	verdict(happens(&loaded), "its path is the passive side's alternate one");
	verdict(load_alternate(), "the active side has it, too");
	verdict(message_arrives() && message_arrives() && both_have_path(2, IB_MIG_ARMED),
		"both are armed again");
}

/* The LAP was not answered, so ib_cm still has it at the passive side. */
static void step_return(void)
{
	migrate(1, "a message comes by the LAP's path");
	verdict(ib_cm_notify(passive.id, IB_EVENT_PATH_MIG) == -EINVAL,
		"ib_cm does not take notice of what a LAP led to");
}

/* Acts as if the active side had lost its connection (req C4-355). */
static void step_again(void)
{
	struct ib_cm_id *id = ib_create_cm_id(active.dev, again_event, NULL);

	if (IS_ERR(id) || send_req(id))
		verdict(false, "another REQ goes");
	verdict(happens(&stale), "the REQ of a queue pair that is connected is rejected as stale");
	verdict(happens(&ended), "the old connection is ended");
	if (!IS_ERR(id))
		ib_destroy_cm_id(id);
}

static const struct {
	const char *name;
	void (*handler)(void);
} steps[] = {
	{ "migrate", step_migrate },
	{ "load", step_load },
	{ "return", step_return },
	{ "again", step_again },
};

static int step_set(const char *name, const struct kernel_param *param)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		if (sysfs_streq(name, steps[i].name)) {
			reinit_completion(&active.migrated);
			reinit_completion(&passive.migrated);
			steps[i].handler();
			return 0;
		}
	}
	return -EINVAL;
}

static const struct kernel_param_ops step_ops = { .set = step_set };
module_param_cb(step, &step_ops, NULL, 0200);
MODULE_PARM_DESC(step, "what to do next: migrate, load, return, again");

static int side_open(struct side *s, const char *name)
{
	struct ib_qp_init_attr init = {
		.cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IB_QPT_RC,
		.event_handler = qp_event,
		.qp_context = s,
	};
	int i, ret = 0;

	init_completion(&s->migrated);
	s->dev = device_get(name);
	if (!s->dev)
		return -ENODEV;
	s->pd = ib_alloc_pd(s->dev, 0);
	s->cq = ib_alloc_cq(s->dev, NULL, 4, 0, IB_POLL_WORKQUEUE);
	if (IS_ERR(s->pd) || IS_ERR(s->cq))
		return -ENOMEM;
	init.send_cq = s->cq;
	init.recv_cq = s->cq;
	s->qp = ib_create_qp(s->pd, &init);
	if (IS_ERR(s->qp))
		return PTR_ERR(s->qp);
	for (i = 0; i < PORTS && !ret; i++)
		ret = ib_query_port(s->dev, i + 1, &s->port[i]) ?:
		      rdma_query_gid(s->dev, i + 1, 0, &s->gid[i]);
	return ret;
}

static void side_close(struct side *s)
{
	if (!IS_ERR_OR_NULL(s->id))
		ib_destroy_cm_id(s->id);
	if (!IS_ERR_OR_NULL(s->qp))
		ib_destroy_qp(s->qp);
	if (!IS_ERR_OR_NULL(s->cq))
		ib_free_cq(s->cq);
	if (!IS_ERR_OR_NULL(s->pd))
		ib_dealloc_pd(s->pd);
	if (s->dev)
		ib_device_put(s->dev);
}

static void close_all(void)
{
	if (!IS_ERR_OR_NULL(listener))
		ib_destroy_cm_id(listener);
	side_close(&active);
	side_close(&passive);
}

static int open_all(void)
{
	int ret = side_open(&active, "hca2") ?: side_open(&passive, "hca3");

	if (ret)
		return ret;
	active.id = ib_create_cm_id(active.dev, active_event, NULL);
	listener = ib_create_cm_id(passive.dev, passive_event, NULL);
	return PTR_ERR_OR_ZERO(active.id) ?: PTR_ERR_OR_ZERO(listener);
}

static int __init cm_init(void)
{
	int ret = open_all() ?: ib_cm_listen(listener, SERVICE_ID) ?: send_req(active.id);

	if (ret) {
		close_all();
		return ret;
	}
	verdict(happens(&established), "there is a connection");
	verdict(message_arrives() && message_arrives() && both_have_path(1, IB_MIG_ARMED),
		"both ends are armed");
	return 0;
}

static void __exit cm_exit(void)
{
	close_all();
}

module_init(cm_init);
module_exit(cm_exit);
MODULE_DESCRIPTION("Path migration of a connection that ib_cm makes, for the lab");
MODULE_LICENSE("Dual BSD/GPL");
