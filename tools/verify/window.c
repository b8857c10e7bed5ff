// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Memory windows. An iteration binds them, writes through them, invalidates them by messages, and
 * then checks that they refuse access.
 */
#include <errno.h>
#include "iteration.h"
#include "outcome.h"

static uint64_t window_name(unsigned int i)
{
	return 0x77696e646f770000 + i;
}

static bool bind_window(struct ibv_cq *cq, struct flow *flow, unsigned int i)
{
	struct window *window = &flow->windows[i];
	struct end *end = flow->to;
	struct ibv_send_wr *bad, wr = {
		.wr_id = window_name(i),
		.opcode = IBV_WR_BIND_MW,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct ibv_wc wc;
	int error;

	window->mw = ibv_alloc_mw(end->pd, IBV_MW_TYPE_2);
	if (!window->mw)
		return errno == EOPNOTSUPP ?
			       lacking(OUTCOME_NO_OPERATION, "%s: alloc_mw: EOPNOTSUPP",
				       end->name) :
			       wrong("%s: alloc_mw: %s", end->label, error_name(errno));
	wr.bind_mw.mw = window->mw;
	wr.bind_mw.rkey = ibv_inc_rkey(window->mw->rkey);
	wr.bind_mw.bind_info = (struct ibv_mw_bind_info){
		.mr = end->mr,
		.addr = (uintptr_t)end->arena.memory + window->segment.offset,
		.length = window->segment.length,
		.mw_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};
	error = ibv_post_send(flow->peer, &wr, &bad);
	if (error == EOPNOTSUPP || error == EINVAL)
		return lacking(OUTCOME_NO_OPERATION, "%s: posting a bind: %s", end->name,
			       error_name(error));
	if (error)
		return wrong("%s: posting a bind: %s", end->label, error_name(error));
	window->mw->rkey = wr.bind_mw.rkey;
	return await_completion(cq, &wc, "binding a window") &&
	       ((wc.status == IBV_WC_SUCCESS && wc.wr_id == wr.wr_id &&
		 wc.opcode == IBV_WC_BIND_MW) ||
		wrong("%s: binding a window: status %s, wr_id %#llx, opcode %d", end->label,
		      ibv_wc_status_str(wc.status), (unsigned long long)wc.wr_id, wc.opcode));
}

bool windows_bind(struct iteration *iteration)
{
	struct flow *flow;
	unsigned int i;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++)
		for (i = 0; i < flow->num_windows; i++)
			if (!bind_window(
				    iteration->cq_sets[flow->to - iteration->task->ends].send_cq,
				    flow, i))
				return false;
	return true;
}

void windows_free(struct iteration *iteration)
{
	struct flow *flow;
	unsigned int i;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++)
		for (i = 0; i < flow->num_windows; i++)
			if (flow->windows[i].mw && ibv_dealloc_mw(flow->windows[i].mw))
				wrong("%s: dealloc_mw fails", flow->to->label);
}

/*
 * Returns whether the responder has refused access. A timeout also counts if messages may be lost,
 * because a responder in the Error state does not send a lost NAK again. Over iWARP, the write may
 * be complete before it is refused, which ends the connection.
 */
static bool is_refused(struct iteration *iteration, const struct flow *flow,
		       enum ibv_wc_status status)
{
	if (is_iwarp(iteration))
		return cm_await_end(iteration, flow) && arena_check_all(&flow->to->arena, false);
	return status == IBV_WC_REM_ACCESS_ERR ||
	       (iteration->task->options->tolerate_loss && status == IBV_WC_RETRY_EXC_ERR &&
		is_in_error(flow->peer));
}

/* Writes an octet through an invalidated window, which must fail. */
bool windows_check(struct iteration *iteration)
{
	struct flow *flow = iteration->flows;
	struct ibv_send_wr *bad, wr = {
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct ibv_sge sge;
	struct ibv_wc wc;
	int error;

	while (flow < iteration->flows + iteration->num_flows &&
	       !(flow->num_windows && flow->windows[0].is_invalid))
		flow++;
	if (flow == iteration->flows + iteration->num_flows)
		return true;
	sge = (struct ibv_sge){ (uintptr_t)flow->from->arena.memory, 1, flow->from->mr->lkey };
	wr.sg_list = &sge;
	wr.num_sge = 1;
	wr.wr_id = window_name(0);
	wr.wr.rdma.remote_addr =
		(uintptr_t)flow->to->arena.memory + flow->windows[0].segment.offset;
	wr.wr.rdma.rkey = flow->windows[0].mw->rkey;
	error = ibv_post_send(flow->qp, &wr, &bad);
	if (error)
		return wrong("%s: posting a write: %s", flow->from->label, error_name(error));
	return await_completion(iteration->cq_sets[flow->from - iteration->task->ends].send_cq,
				&wc, "a write through a window that was invalidated") &&
	       (is_refused(iteration, flow, wc.status) ||
		wrong("%s: a write through a window that was invalidated ends with: %s",
		      flow->from->label, ibv_wc_status_str(wc.status)));
}
