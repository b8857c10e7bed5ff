/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Extended reliable connections between processes. The processes are forked before any of them has
 * opened an adapter, and execute the functions of the program that they are asked for.
 */
#ifndef HCA_TESTS_VERBS_XRC_H
#define HCA_TESTS_VERBS_XRC_H

#include "verbs_async.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define ENTRIES 64
#define SGES 16
#define LENGTH 5000 /* octets of a message, of two packets */

/* The objects of a process: an initiator at one adapter; an SRQ and a target at the other one. */
static struct end from;
static struct xrc {
	struct end end;
	int file;
	struct ibv_xrcd *xrcd; /* of the file */
	struct ibv_srq *srq;
	struct ibv_qp *tgt;
} me;

static const char *receiver = "hca0", *sender = "hca1";
static char domain_file[] = "/tmp/verbs_xrc-XXXXXX";

/* A function for a process, with its arguments and results. */
struct call {
	void (*run)(struct call *call);
	struct setup setup;
	uint32_t initiator, tgt, srqn, rkey;
	uint16_t lid;
	uint64_t addr, wr_id;
	enum ibv_event_type event;
	int flags, error;
	char reason[sizeof(lab_reason)];
};

struct process {
	pid_t pid; /* 0: this process */
	int fd;
	uint32_t srqn, rkey;
	uint64_t addr; /* of its memory */
};

/* --- other processes -------------------------------------------------------------------------- */

__attribute__((noreturn)) static inline void serve(int fd)
{
	struct call call;

	while (read(fd, &call, sizeof(call)) == sizeof(call)) {
		lab_reason[0] = '\0';
		call.run(&call);
		memcpy(call.reason, lab_reason, sizeof(call.reason));
		if (write(fd, &call, sizeof(call)) != sizeof(call))
			break;
	}
	_exit(0);
}

/* Starts @n processes. */
static inline void processes_start(struct process *process, unsigned int n)
{
	unsigned int i, j;
	int fds[2];

	for (i = 0; i < n; i++) {
		if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds))
			give_up("a socket");
		process[i].fd = fds[0];
		process[i].pid = fork();
		if (process[i].pid < 0)
			give_up("a process");
		if (!process[i].pid) {
			for (j = 0; j <= i; j++)
				close(process[j].fd);
			serve(fds[1]);
		}
		close(fds[1]);
	}
}

static inline bool post_call(struct process *p, void (*run)(struct call *), struct call *call)
{
	call->run = run;
	return expect(write(p->fd, call, sizeof(*call)) == sizeof(*call), "a process is gone");
}

/* Has a process, which may be this one, execute a function. */
static inline bool ask(struct process *p, void (*run)(struct call *), struct call *call)
{
	if (!p->pid) {
		run(call);
		return !lab_reason[0];
	}
	return post_call(p, run, call) &&
	       expect(read(p->fd, call, sizeof(*call)) == sizeof(*call),
		      "a process does not answer") &&
	       expect(!call->reason[0], "%s", call->reason);
}

/* Waits for the end of a process. */
static inline void await_end(struct process *p)
{
	int status;

	expect(waitpid(p->pid, &status, 0) == p->pid, "no process ends");
	close(p->fd);
}

static inline void leave(struct process *p)
{
	shutdown(p->fd, SHUT_WR);
	await_end(p);
}

static inline void kill_process(struct process *p)
{
	kill(p->pid, SIGKILL);
	await_end(p);
}

/* --- objects ---------------------------------------------------------------------------------- */

static inline struct ibv_xrcd *domain_open(int fd, int flags)
{
	struct ibv_xrcd_init_attr attr = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = fd,
		.oflags = flags,
	};

	return ibv_open_xrcd(me.end.context, &attr);
}

static inline struct ibv_srq_init_attr_ex srq_attr(struct ibv_xrcd *xrcd, uint32_t limit)
{
	return (struct ibv_srq_init_attr_ex){
		.attr = { .max_wr = ENTRIES, .max_sge = SGES, .srq_limit = limit },
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			     IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
		.srq_type = IBV_SRQT_XRC,
		.pd = me.end.pd,
		.xrcd = xrcd,
		.cq = me.end.recv_cq,
	};
}

static inline struct ibv_srq *srq_create(struct ibv_xrcd *xrcd)
{
	struct ibv_srq_init_attr_ex attr = srq_attr(xrcd, 0);

	return ibv_create_srq_ex(me.end.context, &attr);
}

static inline uint32_t number_of(struct ibv_srq *srq)
{
	uint32_t number = 0;

	expect_ok(ibv_get_srq_num(srq, &number), "get_srq_num");
	return number;
}

static inline struct ibv_qp *tgt_create(struct ibv_xrcd *xrcd)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_XRC_RECV,
		.comp_mask = IBV_QP_INIT_ATTR_XRCD,
		.xrcd = xrcd,
	};

	return ibv_create_qp_ex(me.end.context, &attr);
}

static inline struct ibv_qp *tgt_open(struct ibv_xrcd *xrcd, uint32_t qpn)
{
	struct ibv_qp_open_attr attr = {
		.comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD | IBV_QP_OPEN_ATTR_TYPE,
		.qp_num = qpn,
		.xrcd = xrcd,
		.qp_type = IBV_QPT_XRC_RECV,
	};

	return ibv_open_qp(me.end.context, &attr);
}

/* --- functions for all processes -------------------------------------------------------------- */

/* Opens the receiving adapter and the XRC domain of the file, and creates an SRQ. */
static inline void open_receiver(struct call *call)
{
	end_open(&me.end, receiver);
	me.file = open(domain_file, O_RDONLY);
	me.xrcd = domain_open(me.file, call->flags);
	if (!expect_made(me.xrcd, "open_xrcd"))
		return;
	me.srq = srq_create(me.xrcd);
	if (!expect_made(me.srq, "create_srq"))
		return;
	call->srqn = number_of(me.srq);
	call->rkey = me.end.mr->rkey;
	call->addr = (uintptr_t)me.end.memory;
}

static inline void close_receiver(struct call *call)
{
	(void)call;
	expect_ok(ibv_destroy_srq(me.srq), "destroy_srq");
	expect_ok(ibv_close_xrcd(me.xrcd), "close_xrcd");
	close(me.file);
	end_close(&me.end);
}

static inline void open_sender(struct call *call)
{
	(void)call;
	end_open(&from, sender);
}

static inline void make_initiator(struct call *call)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = from.send_cq,
		.cap = { .max_send_wr = ENTRIES, .max_send_sge = SGES, .max_inline_data = 64 },
		.qp_type = IBV_QPT_XRC_SEND,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = from.pd,
		.send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM |
				  IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_READ |
				  IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD,
	};

	from.qp = ibv_create_qp_ex(from.context, &attr);
	if (!expect_made(from.qp, "create_qp_ex"))
		return;
	expect_ok(to_init(from.qp, &call->setup), "to INIT");
	call->initiator = from.qp->qp_num;
	call->lid = from.port.lid;
}

static inline void connect_initiator(struct call *call)
{
	const struct end peer = { .port.lid = call->lid };

	expect_ok(to_rtr(from.qp, &call->setup, &peer, call->tgt), "to RTR");
	expect_ok(to_rts(from.qp, &call->setup), "to RTS");
}

/* Creates a target for the initiator. */
static inline void make_tgt(struct call *call)
{
	const struct end peer = { .port.lid = call->lid };

	me.tgt = tgt_create(me.xrcd);
	if (!expect_made(me.tgt, "create_qp_ex"))
		return;
	expect_ok(to_init(me.tgt, &call->setup), "to INIT");
	expect_ok(to_rtr(me.tgt, &call->setup, &peer, call->initiator), "to RTR");
	expect_ok(to_rts(me.tgt, &call->setup), "to RTS");
	call->tgt = me.tgt->qp_num;
	call->lid = me.end.port.lid;
}

/* Opens the target that another process has created. */
static inline void open_tgt(struct call *call)
{
	me.tgt = tgt_open(me.xrcd, call->tgt);
	call->error = me.tgt ? 0 : errno;
}

static inline void drop_tgt(struct call *call)
{
	(void)call;
	if (me.tgt)
		expect_ok(ibv_destroy_qp(me.tgt), "destroy_qp");
	me.tgt = NULL;
}

/* Posts a request for one message to the process's SRQ. */
static inline void post_receive(struct call *call)
{
	me.end.srq = me.srq;
	memset(me.end.memory, 0, LENGTH);
	post_recv(&me.end, call->wr_id, 0, LENGTH);
}

/* Expects the message. */
static inline void expect_received(struct call *call)
{
	struct ibv_wc wc;
	unsigned int i;

	if (!completes(me.end.recv_cq, call->wr_id, IBV_WC_SUCCESS, &wc))
		return;
	expect_value(wc.byte_len, LENGTH, "byte_len");
	expect_value(wc.qp_num, call->tgt, "qp_num");
	expect_value(wc.src_qp, call->initiator, "src_qp");
	for (i = 0; i < LENGTH; i++)
		if (!expect_value(me.end.memory[i], (uint8_t)(call->wr_id + i), "an octet"))
			return;
}

/* Expects one event of this type and that no more requests are consumed, once, of the target. */
static inline void expect_events(struct call *call)
{
	const uint64_t wanted = 1ull << call->event | 1ull << IBV_EVENT_QP_LAST_WQE_REACHED;
	struct ibv_context *context = me.end.context;
	struct ibv_async_event event;
	uint64_t seen = 0;

	while (readable(context->async_fd, seen == wanted ? SILENCE_MS : PATIENCE_MS)) {
		if (ibv_get_async_event(context, &event))
			break;
		if (event.element.qp == me.tgt) {
			expect(!(seen >> event.event_type & 1), "%s twice",
			       ibv_event_type_str(event.event_type));
			seen |= 1ull << event.event_type;
		}
		ibv_ack_async_event(&event);
	}
	expect_value(seen, wanted, "the set of events");
}

/* --- this process and others ------------------------------------------------------------------ */

static struct process self;
static struct process others[14];
static unsigned int started; /* processes of others[] that have been used */

/* Returns a process that has not been used before, with an SRQ in the domain of the file. */
static inline struct process *new_process(void)
{
	struct process *p = &others[started++];
	struct call call = {};

	if (started > COUNT(others))
		give_up("one more process");
	if (ask(p, open_receiver, &call)) {
		p->srqn = call.srqn;
		p->rkey = call.rkey;
		p->addr = call.addr;
	}
	return p;
}

/* --- connections ------------------------------------------------------------------------------ */

static struct call link_call; /* the present connection: its queue pairs, and its setup */

/* Connects an initiator of one process to a target that another one creates. */
static inline bool connect_to(struct process *initiator, struct process *tgt,
			      const struct setup *setup)
{
	link_call = (struct call){ .setup = *setup };
	link_call.setup.type = IBV_QPT_XRC_SEND;
	return ask(initiator, make_initiator, &link_call) && ask(tgt, make_tgt, &link_call) &&
	       ask(initiator, connect_initiator, &link_call);
}

static inline void drop_initiator(void)
{
	if (from.qp)
		expect_ok(ibv_destroy_qp(from.qp), "destroy_qp");
	from.qp = NULL;
	poll_all(from.send_cq);
}

static inline void disconnect(struct process *tgt)
{
	struct call call = {};

	drop_initiator();
	ask(tgt, drop_tgt, &call);
}

static inline bool open_it(struct process *p, int error)
{
	struct call call = link_call;

	return ask(p, open_tgt, &call) && expect_error(call.error, error, "open_qp");
}

/* Posts a request of the initiator that names an SRQ. */
static inline bool post_to(uint32_t srqn, struct ibv_send_wr *wr)
{
	wr->qp_type.xrc.remote_srqn = srqn;
	return post_wr(&from, wr);
}

static inline bool send_to(uint32_t srqn, uint64_t wr_id, uint32_t length)
{
	struct ibv_sge sge = sge_of(&from, 0, length);
	struct ibv_send_wr wr = send_wr(wr_id, &sge);

	return post_to(srqn, &wr);
}

/* Sends a message to a process's SRQ and expects it there. */
static inline bool message(struct process *p, uint64_t wr_id)
{
	struct call call = link_call;
	struct ibv_wc wc;
	unsigned int i;

	call.wr_id = wr_id;
	for (i = 0; i < LENGTH; i++)
		from.memory[i] = wr_id + i;
	return ask(p, post_receive, &call) && send_to(p->srqn, wr_id, LENGTH) &&
	       completes(from.send_cq, wr_id, IBV_WC_SUCCESS, &wc) &&
	       ask(p, expect_received, &call);
}

/* --- objects of the adapter ------------------------------------------------------------------- */

static const char *const kinds[] = { " xrcd ", " xrc_srq ", " xrc_tgt " };

struct objects {
	unsigned int of[COUNT(kinds)];
};

/* Counts the objects of XRC that the receiving adapter has, of all processes. */
static inline struct objects count_objects(void)
{
	struct objects n = {};
	char command[64], line[512];
	const char *found;
	unsigned int i;
	FILE *pipe;

	snprintf(command, sizeof(command), "hcactl device show %s", receiver);
	pipe = popen(command, "r");
	while (pipe && fgets(line, sizeof(line), pipe))
		for (i = 0; i < COUNT(kinds) && strstr(line, "objects:"); i++) {
			found = strstr(line, kinds[i]);
			n.of[i] = found ? atoi(found + strlen(kinds[i])) : 0;
		}
	expect(pipe && !pclose(pipe), "%s fails", command);
	return n;
}

static inline bool expect_objects(unsigned int xrcds, unsigned int srqs, unsigned int tgts)
{
	const struct objects wanted = { { xrcds, srqs, tgts } };
	uint64_t deadline = now_ms() + PATIENCE_MS;
	struct objects n;

	do {
		n = count_objects();
	} while (memcmp(&n, &wanted, sizeof(n)) && now_ms() < deadline);
	return expect_value(n.of[0], xrcds, "the number of XRC domains") &&
	       expect_value(n.of[1], srqs, "the number of SRQs") &&
	       expect_value(n.of[2], tgts, "the number of targets");
}

/* --- the program ------------------------------------------------------------------------------ */

/* Starts @n processes for devices that argv names, by default hca0 and hca1. */
static inline void xrc_begin(int argc, char **argv, unsigned int n)
{
	receiver = argc > 1 ? argv[1] : receiver;
	sender = argc > 2 ? argv[2] : argc > 1 ? argv[1] : sender;
	signal(SIGPIPE, SIG_IGN);
	close(mkstemp(domain_file));
	processes_start(others, n);
}

static inline void xrc_open(void)
{
	struct call call = { .flags = O_CREAT };

	end_open(&from, sender);
	open_receiver(&call);
	self.srqn = call.srqn;
	self.rkey = call.rkey;
	self.addr = call.addr;
	verdict("an XRC domain of a file, and an SRQ in it");
}

static inline void xrc_close(void)
{
	close_receiver(&(struct call){});
	end_close(&from);
	verdict("everything is given back");
	expect_objects(0, 0, 0);
	verdict("nothing is left");
	unlink(domain_file);
}

#endif
