// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_xrc_shared [DEVICE [DEVICE]]
 * Checks what processes that share an XRC domain have in common, what belongs to one of them, and
 * what remains of one that ends or is killed. Targets are at the first device. Runs in the guest
 * with Active ports.
 */
#include "verbs_xrc.h"

/* --- targets ---------------------------------------------------------------------------------- */

static void shared(void)
{
	struct process *a = new_process(), *b = new_process();
	struct setup setup = default_setup;
	struct ibv_wc wc;
	unsigned int i;

	setup.timeout = 12;
	setup.retries = 3;
	if (connect_to(&self, a, &setup) && open_it(b, 0) && expect_objects(1, 3, 1))
		for (i = 0; i < 30 && !lab_reason[0]; i++)
			message(i % 3 == 0 ? a : i % 3 == 1 ? b : &self, i);
	verdict("one connection delivers to the SRQs of three processes that have opened one file");

	leave(a);
	expect_objects(1, 2, 1);
	for (i = 0; i < 10 && !lab_reason[0]; i++)
		message(i % 2 ? b : &self, i);
	verdict("the target goes on without the process that has created it");

	ask(b, drop_tgt, &link_call);
	expect_objects(1, 2, 0);
	open_it(b, EINVAL);
	if (send_to(b->srqn, 1, 10))
		completes(from.send_cq, 1, IBV_WC_RETRY_EXC_ERR, &wc);
	drop_initiator();
	leave(b);
	expect_objects(1, 1, 0);
	verdict("a target ends with the last process that has it open, and so does its number");
}

/* --- what a process can reach ----------------------------------------------------------------- */

static const struct access {
	const char *what;
	enum ibv_wr_opcode opcode;
	bool atomic;
} accesses[] = {
	{ "RDMA Write", IBV_WR_RDMA_WRITE, false },
	{ "RDMA Read", IBV_WR_RDMA_READ, false },
	{ "Fetch and Add", IBV_WR_ATOMIC_FETCH_AND_ADD, true },
};

/* Accesses memory of one process by the SRQ of another one. */
static void reach(const struct access *access, const struct process *memory,
		  const struct process *srq, enum ibv_wc_status status)
{
	struct ibv_sge sge = sge_of(&from, 0, 8);
	struct ibv_send_wr wr = send_wr(7, &sge);
	struct ibv_wc wc;

	wr.opcode = access->opcode;
	if (access->atomic) {
		wr.wr.atomic.remote_addr = memory->addr;
		wr.wr.atomic.rkey = memory->rkey;
	} else {
		wr.wr.rdma.remote_addr = memory->addr;
		wr.wr.rdma.rkey = memory->rkey;
	}
	if (post_to(srq->srqn, &wr))
		completes(from.send_cq, 7, status, &wc);
}

static void memory(void)
{
	struct process *a = new_process(), *b = new_process();
	struct call call = { .event = IBV_EVENT_QP_ACCESS_ERR };
	unsigned int i;

	for (i = 0; i < COUNT(accesses); i++) {
		if (connect_to(&self, a, &default_setup) && open_it(b, 0)) {
			reach(&accesses[i], a, a, IBV_WC_SUCCESS);
			reach(&accesses[i], b, b, IBV_WC_SUCCESS);
			reach(&accesses[i], a, b, IBV_WC_REM_ACCESS_ERR);
			expect_state(from.qp, IBV_QPS_ERR);
			ask(a, expect_events, &call);
		}
		disconnect(a);
		ask(b, drop_tgt, &call);
		verdict("%s: memory is that of the process whose SRQ is named, whoever has the target",
			accesses[i].what);
	}
	leave(a);
	leave(b);
}

/*
 * Expects that no target of the domain accepts this number, and what its creator is told. Linux
 * tells nothing to those who have opened it: ib_uverbs_open_qp() has no file for their events.
 */
static void no_srq(uint32_t srqn, struct process *a, struct process *b, const char *what)
{
	struct call call = { .event = IBV_EVENT_QP_REQ_ERR };
	struct ibv_wc wc;

	if (connect_to(&self, a, &default_setup) && open_it(b, 0) && message(b, 1) &&
	    send_to(srqn, 2, 100) && send_to(b->srqn, 3, 100)) {
		completes(from.send_cq, 2, IBV_WC_REM_INV_REQ_ERR, &wc);
		completes(from.send_cq, 3, IBV_WC_WR_FLUSH_ERR, &wc);
		ask(a, expect_events, &call);
	}
	disconnect(a);
	ask(b, drop_tgt, &call);
	verdict("no message to %s: an error for the initiator, an event for the target's creator",
		what);
}

static void wrong_numbers(void)
{
	struct process *a = new_process(), *b = new_process();
	struct ibv_xrcd *xrcd = domain_open(-1, O_CREAT);
	struct ibv_srq *srq = srq_create(xrcd);
	uint32_t srqn = srq ? number_of(srq) : 0;

	no_srq(0, a, b, "SRQ 0");
	no_srq(0xffffff, a, b, "an SRQ that never was");
	no_srq(srqn, a, b, "an SRQ of another domain");
	if (expect_made(srq, "create_srq"))
		expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	srq = srq_create(me.xrcd);
	if (expect_made(srq, "create_srq")) {
		srqn = number_of(srq);
		expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	}
	no_srq(srqn, a, b, "an SRQ that is not any more");
	expect_ok(ibv_close_xrcd(xrcd), "close_xrcd");
	leave(a);
	leave(b);
}

/* --- kill ------------------------------------------------------------------------------------- */

#define HELD 8
#define BURST 65536u

/* Keeps requests in the SRQ until the process is killed. */
static void receive_on(struct call *call)
{
	struct ibv_wc wc;
	unsigned int i;

	(void)call;
	me.end.srq = me.srq;
	for (i = 0; i < HELD; i++)
		post_recv(&me.end, i, i * BURST, BURST);
	while (collect(me.end.recv_cq, &wc, 1, PATIENCE_MS) == 1)
		post_recv(&me.end, wc.wr_id, wc.wr_id * BURST, BURST);
	pause();
}

/* Sends to an SRQ without end. */
static void send_on(struct call *call)
{
	struct ibv_wc wc;
	unsigned int i;

	for (i = 0; i < HELD; i++)
		send_to(call->srqn, i, BURST);
	while (collect(from.send_cq, &wc, 1, PATIENCE_MS) == 1)
		send_to(call->srqn, wc.wr_id, BURST);
	pause();
}

/* Exchanges @n more messages. Return: the status of the first that fails, or success. */
static enum ibv_wc_status exchange(uint32_t srqn, unsigned int n)
{
	struct ibv_wc wc = {};

	while (n--) {
		if (!send_to(srqn, 1, BURST) ||
		    !expect(collect(from.send_cq, &wc, 1, PATIENCE_MS) == 1, "no completion"))
			break;
		if (wc.status != IBV_WC_SUCCESS)
			return wc.status;
	}
	return IBV_WC_SUCCESS;
}

static const struct setup impatient = {
	.mtu = IBV_MTU_1024,
	.rights = ALL_RIGHTS,
	.reads = 4,
	.timeout = 12,
	.retries = 3,
	.rnr_retries = 7,
	.rnr_timer = 6,
};

/* A process has the target, another one the SRQ that receives. One is killed, or both. */
static void killed(bool tgt, bool srq, enum ibv_wc_status status, const char *what)
{
	struct process *a = new_process(), *b = new_process();
	struct call call = {};

	if (connect_to(&self, a, &impatient) && (srq || open_it(b, 0)) &&
	    post_call(b, receive_on, &call)) {
		expect_value(exchange(b->srqn, 30), IBV_WC_SUCCESS, "the status");
		send_to(b->srqn, 2, BURST);
		if (tgt)
			kill_process(a);
		if (srq)
			kill_process(b);
		expect_value(exchange(b->srqn, 30), status, "the status afterwards");
	}
	drop_initiator();
	if (!tgt)
		kill_process(a);
	if (!srq)
		kill_process(b);
	expect_objects(1, 1, 0);
	verdict("killed while messages arrive: %s", what);
}

static void sender_killed(void)
{
	struct process *a = new_process(), *b = new_process();
	struct call call = {};

	if (ask(b, open_sender, &call) && connect_to(b, a, &impatient) &&
	    post_call(a, receive_on, &call)) {
		call.srqn = a->srqn;
		post_call(b, send_on, &call);
		sleep_ms(SILENCE_MS);
	}
	kill_process(b);
	expect_objects(1, 2, 1);
	kill_process(a);
	expect_objects(1, 1, 0);
	verdict("killed while it sends: the initiator's process");
}

int main(int argc, char **argv)
{
	xrc_begin(argc, argv, COUNT(others));
	xrc_open();
	shared();
	memory();
	wrong_numbers();
	killed(false, true, IBV_WC_REM_INV_REQ_ERR, "the process whose SRQ receives");
	killed(true, false, IBV_WC_SUCCESS, "the process that has created the target");
	killed(true, true, IBV_WC_RETRY_EXC_ERR, "both");
	sender_killed();
	xrc_close();
	return lab_status();
}
