// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: direct_events [DEVICE [DEVICE]]
 * Checks which events EE contexts have by direct verbs, and how a program waits for them. Runs in
 * the guest; ports are Active.
 */
#include "verbs_async.h"
#include "direct_rd.h"
#include <fcntl.h>
#include <pthread.h>
#include <rdma/hca-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sys/ioctl.h>

#define MANY 5

static struct pair pair;
static struct side a = { .end = &pair.a }, b = { .end = &pair.b };

/* Changes an EE context to SQD, which raises an event as soon as no message is at work. */
static void stop(struct hcadv_eec *eec)
{
	const struct ibv_qp_attr attr = { .qp_state = IBV_QPS_SQD, .en_sqd_async_notify = 1 };

	eec_to(eec, attr, IBV_QP_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY, "to SQD");
}

static void go_on(struct hcadv_eec *eec)
{
	const struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTS };

	eec_to(eec, attr, IBV_QP_STATE, "back to RTS");
}

/* Sends a message from a to b, which completes with this status. */
static void sends(uint64_t wr_id, enum ibv_wc_status status)
{
	struct ibv_wc wc;

	side_expects(&b, wr_id);
	side_sends(&a, wr_id, a.eec->eecn, b.qp->qp_num);
	completes(pair.a.send_cq, wr_id, status, &wc);
	if (status == IBV_WC_SUCCESS)
		completes(pair.b.recv_cq, wr_id, IBV_WC_SUCCESS, &wc);
}

static void side_open(struct side *side)
{
	side->rdd = hcadv_alloc_rdd(side->end->context);
	if (!expect_made(side->rdd, "alloc_rdd"))
		give_up("a domain");
	side->eec = make_eec(side);
	make_qp(side);
}

static void side_close(struct side *side)
{
	expect_ok(ibv_destroy_qp(side->qp), "destroy_qp");
	expect_ok(hcadv_destroy_eec(side->eec), "destroy_eec");
	expect_ok(hcadv_dealloc_rdd(side->rdd), "dealloc_rdd");
}

/* --- events ----------------------------------------------------------------------------------- */

static int event_fd(const struct end *end)
{
	int fd = hcadv_eec_event_fd(end->context);

	expect_made(fd < 0 ? NULL : end, "eec_event_fd");
	return fd;
}

static void expect_event(const struct end *end, uint32_t eecn, enum ibv_event_type type)
{
	struct hcadv_eec_event event;

	if (expect(readable(event_fd(end), PATIENCE_MS), "no event: %s",
		   ibv_event_type_str(type)) &&
	    expect_ok(hcadv_get_eec_event(end->context, &event), "get_eec_event")) {
		expect_value(event.eecn, eecn, "whose event it is");
		expect_value(event.event_type, type, "what it is");
	}
}

static void expect_none(const struct end *end)
{
	struct hcadv_eec_event event;

	if (expect(!readable(event_fd(end), SILENCE_MS), "there is an event") &&
	    expect_ok(fcntl(event_fd(end), F_SETFL, O_NONBLOCK) ? errno : 0, "O_NONBLOCK")) {
		expect_error(hcadv_get_eec_event(end->context, &event), EAGAIN, "get_eec_event");
		expect_ok(fcntl(event_fd(end), F_SETFL, 0) ? errno : 0, "no O_NONBLOCK");
	}
}

static void kinds(void)
{
	to_rtr_of(a.eec, &pair.b, b.eec->eecn);
	to_rtr_of(b.eec, &pair.a, a.eec->eecn);
	to_rts_of(a.eec);
	expect_none(&pair.b);
	sends(1, IBV_WC_SUCCESS);
	sends(2, IBV_WC_SUCCESS);
	expect_event(&pair.b, b.eec->eecn, IBV_EVENT_COMM_EST);
	expect_none(&pair.b);
	to_rts_of(b.eec);
	verdict("Communication Established: once, at the end that was in RTR (V3-206, B4-267)");

	stop(a.eec);
	expect_event(&pair.a, a.eec->eecn, IBV_EVENT_SQ_DRAINED);
	go_on(a.eec);
	expect_none(&pair.a);
	verdict("Send Queue Drained (V3-206, B4-268)");
}

/* Migrates to a path by the current port, which may also be the alternate one. */
static void migration(void)
{
	struct ibv_qp_attr attr = {
		.path_mig_state = IBV_MIG_REARM,
		.alt_port_num = 1,
		.alt_timeout = 12,
		.alt_ah_attr = path_to(&pair.b, false),
	};

	eec_to(a.eec, attr, IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE, "load an alternate path");
	attr.alt_ah_attr = path_to(&pair.a, false);
	eec_to(b.eec, attr, IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE, "load an alternate path");
	sends(1, IBV_WC_SUCCESS);
	sends(2, IBV_WC_SUCCESS);
	sends(3, IBV_WC_SUCCESS);
	expect_none(&pair.a);
	attr.path_mig_state = IBV_MIG_MIGRATED;
	eec_to(a.eec, attr, IBV_QP_PATH_MIG_STATE, "migrate");
	expect_event(&pair.a, a.eec->eecn, IBV_EVENT_PATH_MIG);
	expect_none(&pair.b);
	sends(4, IBV_WC_SUCCESS);
	expect_event(&pair.b, b.eec->eecn, IBV_EVENT_PATH_MIG);
	verdict("Path Migrated: at either end when it does (V3-206, B4-427)");
}

/*
 * Each EE context reports in turn; an event that happens twice before it is read is reported once.
 */
static void several(void)
{
	struct hcadv_eec *eec[MANY];
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		eec[i] = make_eec(&a);
		to_rtr_of(eec[i], &pair.b, 1);
		to_rts_of(eec[i]);
		stop(eec[i]);
		go_on(eec[i]);
	}
	stop(eec[0]);
	for (i = 0; i < MANY; i++)
		expect_event(&pair.a, eec[i]->eecn, IBV_EVENT_SQ_DRAINED);
	expect_none(&pair.a);
	verdict("of several EE contexts, in turn");

	for (i = 1; i < MANY; i++)
		stop(eec[i]);
	for (i = 0; i < MANY - 1; i++)
		expect_ok(hcadv_destroy_eec(eec[i]), "destroy_eec");
	expect_event(&pair.a, eec[MANY - 1]->eecn, IBV_EVENT_SQ_DRAINED);
	expect_none(&pair.a);
	expect_ok(hcadv_destroy_eec(eec[MANY - 1]), "destroy_eec");
	verdict("one that has gone has no event any more (V3-202)");
}

static void *wait_for_event(void *event)
{
	return (void *)(intptr_t)hcadv_get_eec_event(pair.a.context, event);
}

static void waiting(void)
{
	struct hcadv_eec_event event = {};
	pthread_t thread;
	void *ret;

	if (!expect_ok(pthread_create(&thread, NULL, wait_for_event, &event), "pthread_create"))
		give_up("a thread");
	sleep_ms(SILENCE_MS);
	expect_value(event.eecn, 0, "an event before there is one");
	stop(a.eec);
	expect_ok(pthread_join(thread, &ret), "pthread_join");
	expect_ok((intptr_t)ret, "get_eec_event");
	expect_value(event.eecn, a.eec->eecn, "whose event it is");
	expect_value(event.event_type, IBV_EVENT_SQ_DRAINED, "what it is");
	go_on(a.eec);
	expect_none(&pair.a);
	verdict("who waits is woken");
}

/* A peer that does not answer ends an EE context. */
static void fatal(void)
{
	const struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };

	eec_to(b.eec, reset, IBV_QP_STATE, "to RESET");
	sends(1, IBV_WC_RETRY_EXC_ERR);
	expect_event(&pair.a, a.eec->eecn, IBV_EVENT_QP_FATAL);
	expect_none(&pair.a);
	expect_none(&pair.b);
	verdict("catastrophic: the peer is silent (V3-206, C4-036)");
}

/* --- the file --------------------------------------------------------------------------------- */

/* Creates an EE context whose events go to any file. Return: 0 or an errno. */
static int make_telling(int fd)
{
	uint32_t eecn;
	struct {
		struct ib_uverbs_ioctl_hdr header;
		struct ib_uverbs_attr attrs[4];
	} cmd = {
		.header = {
			.length = sizeof(cmd),
			.object_id = HCA_OBJECT_EEC,
			.method_id = HCA_METHOD_EEC_CREATE,
			.num_attrs = COUNT(cmd.attrs),
		},
		.attrs = {
			{ .attr_id = HCA_ATTR_EEC_CREATE_HANDLE },
			{ .attr_id = HCA_ATTR_EEC_CREATE_RDD, .data = a.rdd->handle },
			{ .attr_id = HCA_ATTR_EEC_CREATE_RESP_EECN, .len = sizeof(eecn),
			  .data = (uintptr_t)&eecn },
			{ .attr_id = HCA_ATTR_EEC_CREATE_EVENTS, .data_s64 = fd },
		},
	};
	unsigned int i;

	for (i = 0; i < COUNT(cmd.attrs); i++)
		cmd.attrs[i].flags = UVERBS_ATTR_F_MANDATORY;
	return ioctl(pair.a.context->cmd_fd, RDMA_VERBS_IOCTL, &cmd) ? errno : 0;
}

static void mistakes(void)
{
	struct hca_eec_event event;
	int fd = event_fd(&pair.a), null = open("/dev/null", O_RDONLY);

	expect_value(event_fd(&pair.a), fd, "the descriptor, asked for again");
	expect_error(read(fd, &event, sizeof(event) - 1) < 0 ? errno : 0, EINVAL, "a short read");
	expect_error(write(fd, &event, sizeof(event)) < 0 ? errno : 0, EBADF, "a write");
	expect_error(make_telling(event_fd(&pair.b)), EBADF, "another context's file");
	expect_error(make_telling(null), EBADF, "another file");
	expect_error(make_telling(-1), EBADF, "no file");
	close(null);
	verdict("the file is for reading events");
}

/* The file outlives its context if the descriptor was duplicated. */
static void left_over(void)
{
	struct hcadv_eec *eec = make_eec(&a);
	struct hca_eec_event event;
	int fd = dup(event_fd(&pair.a));
	struct pollfd p = { .fd = fd, .events = POLLIN };

	to_rtr_of(eec, &pair.b, 1);
	to_rts_of(eec);
	stop(eec);
	expect_value(poll(&p, 1, PATIENCE_MS), 1, "poll");
	expect_value(p.revents, POLLIN, "what poll says of an event");
	expect_ok(hcadv_destroy_eec(eec), "destroy_eec");
	side_close(&a);
	side_close(&b);
	pair_close(&pair);
	expect_value(poll(&p, 1, PATIENCE_MS), 1, "poll");
	expect_value(p.revents, POLLIN | POLLHUP, "what poll says when the context has gone");
	expect_error(read(fd, &event, sizeof(event)) < 0 ? errno : 0, EIO, "read");
	close(fd);
	verdict("the file outlives its context, and says so");
}

int main(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	side_open(&a);
	side_open(&b);
	mistakes();
	kinds();
	migration();
	several();
	waiting();
	fatal();
	left_over();
	return lab_status();
}
