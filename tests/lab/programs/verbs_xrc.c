// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_xrc [DEVICE [DEVICE]]
 * Checks extended reliable connections: XRC domains, their SRQs and their queue pairs, and what
 * becomes of an incomplete message. Targets are at the first device. Runs in the guest with Active
 * ports.
 */
#include "verbs_xrc.h"

/* --- XRC domains ------------------------------------------------------------------------------ */

static void domain_refused(int fd, int flags, int error, const char *what)
{
	struct ibv_xrcd *xrcd = domain_open(fd, flags);

	expect_refused(xrcd, error, what);
	if (xrcd)
		ibv_close_xrcd(xrcd);
}

static void domains_refused(int file)
{
	struct ibv_xrcd_init_attr attr = { .comp_mask = IBV_XRCD_INIT_ATTR_FD, .fd = file };
	int none = dup(file);

	close(none);
	domain_refused(file, 0, EAGAIN, "the domain of a file that has none");
	domain_refused(none, O_CREAT, EBADF, "a file that is not open");
	expect_refused(ibv_open_xrcd(me.end.context, &attr), EINVAL, "no flags");
	attr.comp_mask = IBV_XRCD_INIT_ATTR_RESERVED;
	expect_refused(ibv_open_xrcd(me.end.context, &attr), EOPNOTSUPP, "an unknown attribute");
	expect_objects(0, 0, 0);
	verdict("open_xrcd refuses what there is not");
}

static void domains(void)
{
	char name[] = "/tmp/verbs_xrc-XXXXXX";
	struct ibv_xrcd *xrcd[4];
	int file = mkstemp(name), again = open(name, O_RDONLY);
	unsigned int i;

	domains_refused(file);
	xrcd[0] = domain_open(file, O_CREAT | O_EXCL);
	xrcd[1] = domain_open(again, 0);
	xrcd[2] = domain_open(-1, O_CREAT);
	xrcd[3] = domain_open(-1, O_CREAT);
	for (i = 0; i < COUNT(xrcd); i++)
		expect_made(xrcd[i], "open_xrcd");
	domain_refused(again, O_CREAT | O_EXCL, EINVAL, "a new domain of a file that has one");
	expect_objects(3, 0, 0);
	verdict("a file has one domain, however often it is opened; without a file each is another");
	if (xrcd[0])
		expect_ok(ibv_close_xrcd(xrcd[0]), "close_xrcd");
	expect_objects(3, 0, 0);
	for (i = 1; i < COUNT(xrcd); i++)
		if (xrcd[i])
			expect_ok(ibv_close_xrcd(xrcd[i]), "close_xrcd");
	expect_objects(0, 0, 0);
	domain_refused(file, 0, EAGAIN, "the domain after its last user");
	verdict("a domain ends with its last user");
	close(again);
	close(file);
	unlink(name);
}

/* Neither SRQ nor queue pair loses its domain. */
static void busy(void)
{
	struct ibv_xrcd *xrcd = domain_open(-1, O_CREAT);
	struct ibv_srq *srq = srq_create(xrcd);
	struct ibv_qp *qp, *opened;

	if (expect_made(srq, "create_srq")) {
		expect_error(ibv_close_xrcd(xrcd), EBUSY, "close_xrcd with an SRQ");
		expect_error(ibv_destroy_cq(me.end.recv_cq), EBUSY, "destroy_cq of an SRQ");
		expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	}
	qp = tgt_create(xrcd);
	opened = qp ? tgt_open(xrcd, qp->qp_num) : NULL;
	if (expect_made(qp, "create_qp") && expect_made(opened, "open_qp")) {
		expect_value(opened->qp_num, qp->qp_num, "the number");
		expect_error(ibv_close_xrcd(xrcd), EBUSY, "close_xrcd with a queue pair");
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
		expect_error(ibv_close_xrcd(xrcd), EBUSY, "close_xrcd with one that is open");
		expect_ok(ibv_destroy_qp(opened), "destroy_qp");
	}
	expect_ok(ibv_close_xrcd(xrcd), "close_xrcd");
	verdict("a domain stays while it is used, and so does the CQ of an SRQ");
}

/* --- SRQs ------------------------------------------------------------------------------------- */

static void srq_refused(struct ibv_srq_init_attr_ex attr, int error, const char *what)
{
	struct ibv_srq *srq = ibv_create_srq_ex(me.end.context, &attr);

	expect_refused(srq, error, what);
	if (srq)
		ibv_destroy_srq(srq);
}

static void srqs_refused(void)
{
	const struct ibv_srq_init_attr_ex good = srq_attr(me.xrcd, 0);
	struct ibv_srq_init_attr_ex attr = good;

	attr.comp_mask &= ~IBV_SRQ_INIT_ATTR_XRCD;
	srq_refused(attr, EINVAL, "no domain");
	attr = good;
	attr.comp_mask &= ~IBV_SRQ_INIT_ATTR_CQ;
	srq_refused(attr, EINVAL, "no CQ");
	attr = good;
	attr.comp_mask &= ~IBV_SRQ_INIT_ATTR_PD;
	srq_refused(attr, EINVAL, "no protection domain");
	attr = good;
	attr.attr.srq_limit = ENTRIES + 1;
	srq_refused(attr, EINVAL, "a limit above the size");
	attr = good;
	attr.attr.max_wr = 0;
	srq_refused(attr, EINVAL, "no entries");
	attr = good;
	attr.srq_type = IBV_SRQT_TM;
	srq_refused(attr, EOPNOTSUPP, "tag matching");
	verdict("create_srq_ex refuses what there is not");
}

static void numbers(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = ENTRIES, .max_sge = 1 } };
	struct ibv_srq *basic = ibv_create_srq(me.end.pd, &init), *srq;
	uint32_t number[100], i, j;

	for (i = 0; i < COUNT(number); i++) {
		srq = srq_create(me.xrcd);
		if (!expect_made(srq, "create_srq_ex"))
			break;
		number[i] = number_of(srq);
		expect(number[i] && number[i] < 1 << 24, "number %#x", number[i]);
		for (j = 0; j < i; j++)
			expect(number[i] != number[j], "number %#x twice", number[i]);
		expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	}
	verdict("100 SRQs one after the other have as many numbers");
	if (expect_made(basic, "create_srq")) {
		expect_error(ibv_get_srq_num(basic, number), EOPNOTSUPP, "get_srq_num");
		expect_ok(ibv_destroy_srq(basic), "destroy_srq");
	}
	verdict("a basic SRQ has no number");
}

/* --- queue pairs ------------------------------------------------------------------------------ */

static void nothing_posted(struct ibv_qp *qp, bool sends, const char *what)
{
	struct ibv_recv_wr recv = {}, *bad_recv = NULL;
	struct ibv_send_wr send = { .opcode = IBV_WR_SEND }, *bad_send = NULL;

	expect_error(ibv_post_recv(qp, &recv, &bad_recv), EINVAL, what);
	expect(bad_recv == &recv, "another request is bad");
	if (sends)
		return;
	expect_error(ibv_post_send(qp, &send, &bad_send), EINVAL, what);
	expect(bad_send == &send, "another request is bad");
}

static void roles(void)
{
	struct ibv_qp *opened = NULL;

	if (connect_to(&self, &self, &default_setup))
		opened = tgt_open(me.xrcd, me.tgt->qp_num);
	if (expect_made(opened, "open_qp")) {
		nothing_posted(from.qp, true, "post to an initiator's receive queue");
		nothing_posted(me.tgt, false, "post to a target");
		nothing_posted(opened, false, "post to a target that has been opened");
		expect_state(opened, IBV_QPS_RTS);
		expect_ok(ibv_destroy_qp(opened), "destroy_qp");
		message(&self, 1);
	}
	disconnect(&self);
	verdict("an initiator has no receive queue, a target has no queue at all");
}

static void qp_refused(struct ibv_xrcd *xrcd, uint32_t qpn, const char *what)
{
	struct ibv_qp *qp = tgt_open(xrcd, qpn);

	expect_refused(qp, EINVAL, what);
	if (qp)
		ibv_destroy_qp(qp);
}

static void qps_refused(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_XRC_RECV,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = me.end.pd,
	};
	struct ibv_xrcd *xrcd = domain_open(-1, O_CREAT);
	struct ibv_qp *initiator;

	expect_refused(ibv_create_qp_ex(me.end.context, &attr), EINVAL, "a target with no domain");
	attr.qp_type = IBV_QPT_XRC_SEND;
	attr.comp_mask = IBV_QP_INIT_ATTR_XRCD;
	attr.xrcd = xrcd;
	expect_refused(ibv_create_qp_ex(me.end.context, &attr), EINVAL, "an initiator with no PD");
	if (connect_to(&self, &self, &default_setup)) {
		qp_refused(xrcd, me.tgt->qp_num, "open a target of another domain");
		qp_refused(me.xrcd, me.tgt->qp_num + 1, "open what there is not");
	}
	disconnect(&self);
	attr.comp_mask = IBV_QP_INIT_ATTR_PD;
	attr.send_cq = me.end.send_cq;
	attr.cap = (struct ibv_qp_cap){ .max_send_wr = 1, .max_send_sge = 1 };
	initiator = ibv_create_qp_ex(me.end.context, &attr);
	if (expect_made(initiator, "an initiator")) {
		qp_refused(me.xrcd, initiator->qp_num, "open an initiator");
		ibv_destroy_qp(initiator);
	}
	expect_ok(ibv_close_xrcd(xrcd), "close_xrcd");
	verdict("queue pairs that cannot be");
}

/* --- an SRQ that is destroyed ----------------------------------------------------------------- */

/* Attempts to do something before a long message is complete. */
#define ATTEMPTS 20

static struct ibv_srq *srq_with_request(uint64_t wr_id, struct ibv_sge *sge, int num_sge)
{
	struct ibv_recv_wr wr = { .wr_id = wr_id, .sg_list = sge, .num_sge = num_sge }, *bad;
	struct ibv_srq *srq = srq_create(me.xrcd);

	if (expect_made(srq, "create_srq"))
		expect_ok(ibv_post_srq_recv(srq, &wr, &bad), "post_srq_recv");
	return srq;
}

/* Creates an SRQ with request 5, and connects. Return: the SRQ, or NULL. */
static struct ibv_srq *long_receive(void)
{
	struct ibv_sge sge[SGES];
	struct ibv_srq *srq;
	unsigned int i;

	for (i = 0; i < SGES; i++)
		sge[i] = sge_of(&me.end, 0, MR_LENGTH);
	srq = srq_with_request(5, sge, SGES);
	return srq && connect_to(&self, &self, &default_setup) ? srq : NULL;
}

/* Posts a message of 64 MiB, and waits for the first of it. */
static bool long_send(struct ibv_srq *srq)
{
	volatile uint8_t *there = me.end.memory;
	uint64_t deadline = now_ms() + PATIENCE_MS;
	struct ibv_sge sge[SGES];
	struct ibv_send_wr wr = send_wr(1, sge);
	unsigned int i;

	for (i = 0; i < SGES; i++)
		sge[i] = sge_of(&from, 0, MR_LENGTH);
	wr.num_sge = SGES;
	memset(from.memory, 1, LENGTH);
	*there = 0;
	if (!srq || !post_to(number_of(srq), &wr))
		return false;
	while (!*there && now_ms() < deadline)
		;
	return expect(*there, "nothing arrives");
}

/* Ends the target, and before it the SRQ. */
static void end_in_message(struct ibv_srq *srq, bool srq_first)
{
	struct ibv_wc wc;

	if (srq_first)
		expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	expect_state(me.tgt, IBV_QPS_RTS);
	expect_ok(to_error(me.tgt), "to ERR");
	if (srq_first) {
		silent(me.end.recv_cq, "a request of an SRQ that is gone");
		return;
	}
	completes(me.end.recv_cq, 5, IBV_WC_WR_FLUSH_ERR, &wc);
	expect_ok(ibv_destroy_srq(srq), "destroy_srq");
}

/* The initiator ends before its message does. Return: whether that was so. */
static bool incomplete(bool srq_first)
{
	struct ibv_srq *srq = long_receive();
	struct ibv_wc wc;
	bool done = true;

	if (long_send(srq)) {
		drop_initiator();
		done = !collect(me.end.recv_cq, &wc, 1, SILENCE_MS);
		if (done)
			end_in_message(srq, srq_first);
		else
			expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	}
	disconnect(&self);
	return done;
}

/* Return: whether the SRQ was destroyed before the message was complete. */
static bool cut_off(bool unused)
{
	struct ibv_srq *srq = long_receive();
	struct ibv_wc wc = {};

	(void)unused;
	if (long_send(srq)) {
		expect_ok(ibv_destroy_srq(srq), "destroy_srq");
		expect(collect(from.send_cq, &wc, 1, PATIENCE_MS) == 1, "no completion");
		expect(wc.status == IBV_WC_SUCCESS || wc.status == IBV_WC_REM_INV_REQ_ERR,
		       "the message completes with %s", ibv_wc_status_str(wc.status));
	}
	disconnect(&self);
	poll_all(me.end.recv_cq);
	return wc.status == IBV_WC_REM_INV_REQ_ERR;
}

static void in_message(bool (*act)(bool), bool srq_first, const char *what)
{
	unsigned int i;

	for (i = 0; i < ATTEMPTS && !lab_reason[0]; i++)
		if (act(srq_first))
			break;
	expect(i < ATTEMPTS, "all messages were complete");
	poll_async(&me.end);
	verdict("in the middle of a message %s", what);
}

/* --- posting by functions --------------------------------------------------------------------- */

static struct ibv_qp_ex *begin(uint64_t wr_id)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(from.qp);

	ibv_wr_start(ex);
	ex->wr_id = wr_id;
	ex->wr_flags = IBV_SEND_SIGNALED;
	return ex;
}

static void set_sge(struct ibv_qp_ex *ex, uint32_t offset, uint32_t length)
{
	struct ibv_sge sge = sge_of(&from, offset, length);

	ibv_wr_set_sge(ex, sge.lkey, sge.addr, sge.length);
}

/* Posts a list that names two SRQs. @other has requests 10 and 11, the process's own has 12. */
static void post_list(uint32_t other)
{
	struct ibv_qp_ex *ex = begin(1);

	ibv_wr_send(ex);
	ibv_wr_set_xrc_srqn(ex, other);
	set_sge(ex, 0, 3000);
	ex->wr_id = 2;
	ibv_wr_send_imm(ex, htobe32(77));
	ibv_wr_set_xrc_srqn(ex, self.srqn);
	ibv_wr_set_inline_data(ex, from.memory, 9);
	ex->wr_id = 3;
	ibv_wr_rdma_write(ex, self.rkey, self.addr + 65536);
	ibv_wr_set_xrc_srqn(ex, self.srqn);
	set_sge(ex, 0, 5000);
	ex->wr_id = 4;
	ibv_wr_rdma_read(ex, self.rkey, self.addr + 65536);
	ibv_wr_set_xrc_srqn(ex, other);
	set_sge(ex, 65536, 5000);
	ex->wr_id = 5;
	ibv_wr_atomic_fetch_add(ex, self.rkey, self.addr + 131072, 2);
	ibv_wr_set_xrc_srqn(ex, other);
	set_sge(ex, 131072, 8);
	ex->wr_id = 6;
	ibv_wr_send(ex);
	ibv_wr_set_xrc_srqn(ex, other);
	expect_ok(ibv_wr_complete(ex), "wr_complete");
}

static void list_arrives(void)
{
	const uint64_t *fetched = (uint64_t *)(from.memory + 131072);
	const uint64_t *sum = (uint64_t *)(me.end.memory + 131072);
	const uint64_t order[] = { 10, 12, 11 };
	const uint32_t lengths[] = { 3000, 9, 0 };
	struct ibv_wc wc;
	unsigned int i;

	for (i = 1; i <= 6; i++)
		completes(from.send_cq, i, IBV_WC_SUCCESS, &wc);
	for (i = 0; i < COUNT(order); i++) {
		completes(me.end.recv_cq, order[i], IBV_WC_SUCCESS, &wc);
		expect_value(wc.byte_len, lengths[i], "byte_len");
		expect_value(wc.wc_flags & IBV_WC_WITH_IMM ? be32toh(wc.imm_data) : 0,
			     i == 1 ? 77 : 0, "immediate data");
	}
	expect(!memcmp(from.memory, from.memory + 65536, 5000),
	       "what is read is not what was written");
	expect_value(*fetched, 40, "what was there before the addition");
	expect_value(*sum, 42, "the sum");
}

static void functions(void)
{
	struct ibv_sge sge = sge_of(&me.end, 0, LENGTH);
	struct ibv_srq *other = srq_with_request(10, &sge, 1);
	struct ibv_recv_wr wr = { .wr_id = 11 }, *bad;
	struct call call = { .wr_id = 12 };
	unsigned int i;

	if (other && connect_to(&self, &self, &default_setup)) {
		expect_ok(ibv_post_srq_recv(other, &wr, &bad), "post_srq_recv");
		post_receive(&call);
		for (i = 0; i < 5000; i++)
			from.memory[i] = i * 3;
		memset(from.memory + 65536, 0, 5000);
		*(uint64_t *)(me.end.memory + 131072) = 40;
		post_list(number_of(other));
		list_arrives();
	}
	disconnect(&self);
	if (other)
		expect_ok(ibv_destroy_srq(other), "destroy_srq");
	verdict("one list of ibv_wr_*() for two SRQs");
}

/* A queue pair of another type names no SRQ. */
static void other_types(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = from.send_cq,
		.recv_cq = from.recv_cq,
		.cap = { .max_send_wr = 4, .max_send_sge = 1 },
		.qp_type = IBV_QPT_UC,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = from.pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND,
	};
	struct setup setup = default_setup;
	struct ibv_qp_ex *ex;

	setup.type = IBV_QPT_UC;
	from.qp = ibv_create_qp_ex(from.context, &attr);
	if (expect_made(from.qp, "create_qp_ex") && end_ready(&from, &setup, &me.end, 2)) {
		ex = begin(1);
		ibv_wr_send(ex);
		ibv_wr_set_xrc_srqn(ex, self.srqn);
		set_sge(ex, 0, 1);
		expect_error(ibv_wr_complete(ex), EINVAL, "wr_complete");
		silent(from.send_cq, "what was not posted");
	}
	drop_initiator();
	verdict("ibv_wr_set_xrc_srqn() fails where there is no XRC");
}

/* --- the limit -------------------------------------------------------------------------------- */

static void limit(void)
{
	struct ibv_srq_attr attr = { .srq_limit = 2 };
	struct call call = {};
	unsigned int i;

	poll_async(&me.end);
	if (connect_to(&self, &self, &default_setup)) {
		for (i = 0; i < 3; i++) {
			call.wr_id = i;
			post_receive(&call);
		}
		expect_ok(ibv_modify_srq(me.srq, &attr, IBV_SRQ_LIMIT), "arm");
		for (i = 0; i < 3; i++) {
			if (i == 1)
				expect_no_async(&me.end, IBV_EVENT_SRQ_LIMIT_REACHED, "early");
			send_to(self.srqn, i, 10);
			completes(from.send_cq, i, IBV_WC_SUCCESS, &(struct ibv_wc){});
			completes(me.end.recv_cq, i, IBV_WC_SUCCESS, &(struct ibv_wc){});
		}
		expect_async(&me.end, IBV_EVENT_SRQ_LIMIT_REACHED, me.srq);
		expect_no_async(&me.end, IBV_EVENT_SRQ_LIMIT_REACHED, "again");
	}
	disconnect(&self);
	verdict("SRQ_LIMIT_REACHED: once, below the limit (R0-236)");
}

/* ---------------------------------------------------------------------------------------------- */

/* Before the domain of the file is open. */
static void alone(void)
{
	me.end.context = must_open(receiver);
	domains();
	expect_ok(ibv_close_device(me.end.context), "close_device");
}

int main(int argc, char **argv)
{
	xrc_begin(argc, argv, 0);
	alone();
	xrc_open();
	busy();
	srqs_refused();
	numbers();
	roles();
	qps_refused();
	in_message(incomplete, false, "its target ends: the request is flushed to the SRQ's CQ");
	in_message(incomplete, true, "its SRQ is destroyed, and then its target");
	in_message(cut_off, true, "its SRQ is destroyed: the rest is refused");
	functions();
	other_types();
	limit();
	xrc_close();
	return lab_status();
}
