// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Memory windows: made before a round, written through, invalidated by a message, and then of no
 * use.
 */
#include <errno.h>
#include <unistd.h>
#include "round.h"
#include "verdict.h"

#define PATIENCE 10000000 /* us */
#define NAP 100 /* us */

static uint64_t window_name(unsigned int i)
{
	return 0x77696e646f770000 + i;
}

/* One completion of a queue that nothing else is to complete on. */
static bool next_completion(struct ibv_cq *cq, struct ibv_wc *wc, const char *what)
{
	unsigned int us = 0;
	int n;

	while (!(n = ibv_poll_cq(cq, 1, wc)) && us < PATIENCE) {
		usleep(NAP);
		us += NAP;
	}
	return n == 1 || wrong("%s: no completion", what);
}

static bool bind_window(struct ibv_cq *cq, struct lane *lane, unsigned int i)
{
	struct window *window = &lane->windows[i];
	struct end *end = lane->to;
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
			       lacking(VERDICT_NO_OPERATION, "%s: alloc_mw: EOPNOTSUPP",
				       end->name) :
			       wrong("%s: alloc_mw: %s", end->label, error_name(errno));
	wr.bind_mw.mw = window->mw;
	wr.bind_mw.rkey = ibv_inc_rkey(window->mw->rkey);
	wr.bind_mw.bind_info = (struct ibv_mw_bind_info){
		.mr = end->mr,
		.addr = (uintptr_t)end->arena.memory + window->piece.offset,
		.length = window->piece.length,
		.mw_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};
	error = ibv_post_send(lane->peer, &wr, &bad);
	if (error == EOPNOTSUPP || error == EINVAL)
		return lacking(VERDICT_NO_OPERATION, "%s: posting a bind: %s", end->name,
			       error_name(error));
	if (error)
		return wrong("%s: posting a bind: %s", end->label, error_name(error));
	window->mw->rkey = wr.bind_mw.rkey;
	return next_completion(cq, &wc, "binding a window") &&
	       ((wc.status == IBV_WC_SUCCESS && wc.wr_id == wr.wr_id &&
		 wc.opcode == IBV_WC_BIND_MW) ||
		wrong("%s: binding a window: status %s, wr_id %#llx, opcode %d", end->label,
		      ibv_wc_status_str(wc.status), (unsigned long long)wc.wr_id, wc.opcode));
}

bool windows_bind(struct round *round)
{
	struct lane *lane;
	unsigned int i;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++)
		for (i = 0; i < lane->num_windows; i++)
			if (!bind_window(round->desks[lane->to - round->task->ends].send_cq, lane,
					 i))
				return false;
	return true;
}

void windows_free(struct round *round)
{
	struct lane *lane;
	unsigned int i;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++)
		for (i = 0; i < lane->num_windows; i++)
			if (lane->windows[i].mw && ibv_dealloc_mw(lane->windows[i].mw))
				wrong("%s: dealloc_mw fails", lane->to->label);
}

static bool is_in_error(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr;
	struct ibv_qp_init_attr init;

	return !ibv_query_qp(qp, &attr, IBV_QP_STATE, &init) && attr.qp_state == IBV_QPS_ERR;
}

/* Who has refused is in Error and answers no more: a NAK that is lost is not sent again. */
static bool is_refused(const struct round *round, const struct lane *lane, enum ibv_wc_status status)
{
	return status == IBV_WC_REM_ACCESS_ERR ||
	       (round->task->options->tolerate_loss && status == IBV_WC_RETRY_EXC_ERR &&
		is_in_error(lane->peer));
}

/* Its first octet is written to once more, with what is there. */
bool windows_check(struct round *round)
{
	struct lane *lane = round->lanes;
	struct ibv_send_wr *bad, wr = {
		.opcode = IBV_WR_RDMA_WRITE,
		.send_flags = IBV_SEND_SIGNALED,
	};
	struct ibv_sge sge;
	struct ibv_wc wc;
	int error;

	while (lane < round->lanes + round->num_lanes &&
	       !(lane->num_windows && lane->windows[0].is_invalid))
		lane++;
	if (lane == round->lanes + round->num_lanes)
		return true;
	sge = (struct ibv_sge){ (uintptr_t)lane->from->arena.memory, 1, lane->from->mr->lkey };
	wr.sg_list = &sge;
	wr.num_sge = 1;
	wr.wr_id = window_name(0);
	wr.wr.rdma.remote_addr = (uintptr_t)lane->to->arena.memory + lane->windows[0].piece.offset;
	wr.wr.rdma.rkey = lane->windows[0].mw->rkey;
	error = ibv_post_send(lane->qp, &wr, &bad);
	if (error)
		return wrong("%s: posting a write: %s", lane->from->label, error_name(error));
	return next_completion(round->desks[lane->from - round->task->ends].send_cq, &wc,
			       "a write through a window that was invalidated") &&
	       (is_refused(round, lane, wc.status) ||
		wrong("%s: a write through a window that was invalidated ends with: %s",
		      lane->from->label, ibv_wc_status_str(wc.status)));
}
