// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queue pairs: created, modified and destroyed, in the core and in the model. */
#include <stdlib.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include "sim.h"
#include "tests/consumer/consumer.h"
#include "transport/iba_qp.h"

void sim_qp_event(struct hca_qp *core, enum hca_qp_event event)
{
	static const char *const names[] = { "fatal error", "request error", "access error",
					     "communication established", "send queue drained",
					     "path migrated", "wrong request to migrate" };
	struct sim_qp *qp = core->context;

	sim_trace(qp->node->index, "qp %06x event: %s", core->qpn,
		  event < ARRAY_SIZE(names) ? names[event] : "?");
	if (event == HCA_QP_FATAL)
		sim_fail("node%d qp %06x: a fatal error, for no reason", qp->node->index,
			 core->qpn);
	if (event == HCA_QP_PATH_MIG || event == HCA_QP_PATH_MIG_ERROR)
		sim_migration_event(&qp->migration, event);
	if (event == HCA_QP_SQ_DRAINED)
		sim_qp_drained(qp);
	if (event == HCA_QP_LAST_WQE_REACHED) {
		if (!sim_uses_srqs(qp) || qp->last_wqe || core->common.state != IB_QPS_ERR)
			sim_fail("node%d qp %06x leaves its SRQ, for no reason", qp->node->index,
				 core->qpn);
		if (core->recv.valid)
			sim_fail("node%d qp %06x leaves its SRQ with a request in hand",
				 qp->node->index,
				 core->qpn);
		qp->last_wqe = true;
	}
	if ((event == HCA_QP_REQUEST_ERROR || event == HCA_QP_ACCESS_ERROR) && !qp->may_error)
		sim_fail("node%d qp %06x: %s, but nothing wrong was asked of it", qp->node->index,
			 core->qpn, names[event]);
}

struct sim_qp *sim_qp_find(const struct sim_node *node, u32 qpn)
{
	struct sim_qp *qp;

	list_for_each_entry(qp, &sim.qps, in_world)
		if (qp->node == node && qp->qp && qp->qp->qpn == qpn)
			return qp;
	return NULL;
}

/* The attributes of a queue pair that is not connected. */
bool sim_is_datagram(const struct sim_qp *qp)
{
	return qp->type == IB_QPT_UD || qp->type == HCA_QPT_RD;
}

/* Responses tell the requester what became of its requests. */
bool sim_is_reliable(const struct sim_qp *qp)
{
	return qp->type == IB_QPT_RC || qp->type == IB_QPT_XRC_INI || qp->type == IB_QPT_XRC_TGT;
}

/* The state in the core. */
u8 sim_core_state(const struct sim_qp *qp)
{
	struct hca_qp_attr attr;

	hca_qp_query(qp->qp, &attr);
	return attr.state;
}

u32 sim_mtu(const struct sim_qp *qp)
{
	return qp->type == IB_QPT_UD ? HCA_MAX_MTU_BYTES : hca_mtu_bytes(qp->attr.iba.path_mtu);
}

static struct hca_qp *core_tgt_new(struct sim_qp *qp)
{
	struct hca_qp_init init = {
		.type = qp->type,
		.xrcd = qp->xrcd,
		.owner = qp->node,
		.context = qp,
	};

	return consumer_create_qp(qp->node->ci, &init);
}

static struct hca_qp *core_qp_new(struct sim_qp *qp)
{
	struct sim_node *node = qp->node;
	struct hca_qp_init init = {
		.type = qp->type,
		.cookie = (uintptr_t)qp,
		.signal_all = qp->signal_all,
		.max_send_wr = 1 << sim_below(7),
		.max_recv_wr = 1 << sim_below(7),
		.max_send_sge = SIM_MAX_SGE,
		.max_recv_sge = SIM_MAX_SGE,
		.max_inline = SIM_MAX_INLINE,
		.pd = qp->process,
		.rdd = qp->other_rdd ? (void *)node->cq : node,
		.send_cq = &node->cq[sim_below(2)],
		.recv_cq = &node->cq[sim_below(2)],
		.srq = qp->srq ? &qp->srq->core : NULL,
		.block_loopback = qp->blocks,
		.owner = node,
		.context = qp,
	};

	if (qp->type == IB_QPT_XRC_INI) {
		init.max_recv_wr = 0;
		init.recv_cq = NULL;
	}
	return consumer_create_qp(node->ci, &init);
}

bool sim_type_exists(u8 type)
{
	struct sim_qp probe = { .node = &sim.node[0], .type = type };
	struct hca_qp *core = core_qp_new(&probe);

	if (IS_ERR(core))
		return false;
	hca_qp_destroy(core);
	return true;
}

/* Neither role has receive requests of its own. */
static void fill_xrc(struct sim_qp *qp)
{
	struct sim_node *node = qp->node;

	qp->srq = NULL;
	qp->process = &node->process[sim_below(node->num_processes)];
	if (qp->type == IB_QPT_XRC_TGT)
		qp->xrcd = &node->xrcd[sim_below(2)];
}

void sim_qp_fill(struct sim_qp *qp)
{
	qp->process = &qp->node->process[0];
	qp->signal_all = sim_chance(1, 8);
	qp->srq = qp->node->srq[0].exists && sim_chance(1, 2) ? &qp->node->srq[0] : NULL;
	qp->blocks = sim_chance(1, 3);
	qp->other_rdd = qp->type == HCA_QPT_RD && sim_chance(1, 20);
	if (qp->type == IB_QPT_XRC_INI || qp->type == IB_QPT_XRC_TGT)
		fill_xrc(qp);
	qp->qp = qp->xrcd ? core_tgt_new(qp) : core_qp_new(qp);
	if (IS_ERR(qp->qp))
		sim_fail("no queue pair: %ld", PTR_ERR(qp->qp));
	qp->send_cq = qp->qp->send_cq;
	qp->recv_cq = qp->qp->recv_cq;
	qp->qpn = qp->qp->qpn;
	qp->state = IB_QPS_RESET;
	sim_trace(qp->node->index, "create qp %06x%s", qp->qp->qpn,
		  qp->signal_all ? ", all signaled" : "");
}

struct sim_qp *sim_qp_new(struct sim_node *node, u8 type)
{
	struct sim_qp *qp = calloc(1, sizeof(*qp));

	qp->index = sim.num_qps++;
	qp->node = node;
	qp->type = type;
	INIT_LIST_HEAD(&qp->sends);
	INIT_LIST_HEAD(&qp->recvs);
	list_add_tail(&qp->in_world, &sim.qps);
	sim_qp_fill(qp);
	return qp;
}

void sim_qp_modify(struct sim_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	int ret;

	sim_trace(qp->node->index, "modify qp %06x from %s to %s", qp->qp->qpn,
		  sim_state_name(sim_core_state(qp)), sim_state_name(attr->state));
	ret = hca_qp_modify(qp->qp, attr, mask);
	if (ret)
		sim_fail("node%d qp %06x: modify fails with %d", qp->node->index, qp->qp->qpn, ret);
	shim_run_until_idle();
}

/* No completion may come for requests that were discarded. */
void sim_qp_to_reset(struct sim_qp *qp)
{
	const struct hca_qp_attr attr = { .state = IB_QPS_RESET };

	sim_poll();
	sim_qp_unwell(qp);
	sim_srqs_lose(qp);
	qp->migration.eec = NULL;
	sim_qp_modify(qp, &attr, IB_QP_STATE);
	sim_qp_discard(qp);
	qp->state = IB_QPS_RESET;
}

void sim_qp_to_error(struct sim_qp *qp)
{
	const struct hca_qp_attr attr = { .state = IB_QPS_ERR };

	sim_poll();
	sim_qp_unwell(qp);
	qp->state = IB_QPS_ERR;
	sim_qp_modify(qp, &attr, IB_QP_STATE);
}

void sim_qp_again(struct sim_qp *qp)
{
	const struct hca_qp_attr attr = { .cur_state = sim_core_state(qp), .state = IB_QPS_RTS };

	sim_poll();
	qp->state = IB_QPS_RTS;
	qp->sends_ended = false;
	sim_qp_modify(qp, &attr, IB_QP_STATE | IB_QP_CUR_STATE);
}

/* The latest request may have to be sent again until it is acknowledged. */
void sim_qp_drain(struct sim_qp *qp)
{
	const struct hca_qp_attr attr = { .state = IB_QPS_SQD,
		.en_sqd_async_notify = sim_chance(2, 3) };

	sim_poll();
	qp->state = IB_QPS_SQD;
	qp->drained = false;
	qp->sqd_psn = hca_qp_eec(qp->qp)->sent_psn;
	qp->notify = attr.en_sqd_async_notify;
	qp->out->repeats = true;
	sim_qp_modify(qp, &attr, IB_QP_STATE | IB_QP_EN_SQD_ASYNC_NOTIFY);
}

void sim_qp_destroy(struct sim_qp *qp)
{
	sim_poll();
	sim_qp_unwell(qp);
	sim_trace(qp->node->index, "destroy qp %06x", qp->qp->qpn);
	sim_srqs_lose(qp);
	qp->migration.eec = NULL;
	hca_qp_destroy(qp->qp);
	sim_qp_discard(qp);
	sim_groups_detach(qp);
	qp->qp = NULL;
	qp->state = IB_QPS_RESET;
}
