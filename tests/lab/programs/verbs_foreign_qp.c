// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_foreign_qp DEVICE ADDRESS PORT
 * Connects a queue pair of root by its number: root may, and the process that has made it when it
 * is not root's any more; another user may not. Runs in the guest as root.
 */
#include "verbs_lab.h"
#include <arpa/inet.h>
#include <grp.h>
#include <sys/wait.h>
#include <rdma/rdma_cma.h>

#define NOBODY 65534

static struct ibv_qp *queue_pair(struct ibv_context *context)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
	};
	struct ibv_pd *pd = ibv_alloc_pd(context);
	struct ibv_qp *qp;

	init.send_cq = ibv_create_cq(context, 2, NULL, NULL, 0);
	init.recv_cq = init.send_cq;
	qp = pd && init.send_cq ? ibv_create_qp(pd, &init) : NULL;
	if (!qp || ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		give_up("a queue pair in Init");
	return qp;
}

static bool next_is(struct rdma_event_channel *channel, enum rdma_cm_event_type type)
{
	struct rdma_cm_event *event;
	bool is;

	if (rdma_get_cm_event(channel, &event))
		return false;
	is = event->event == type;
	rdma_ack_cm_event(event);
	return is;
}

/* Return: 0, or the error of the connect. */
static int connect_as(uid_t uid, uint32_t qpn, struct sockaddr_in *to)
{
	struct rdma_conn_param param = { .qp_num = qpn, .responder_resources = 1 };
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;

	if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		return errno;
	channel = rdma_create_event_channel();
	if (!channel || rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) ||
	    rdma_resolve_addr(id, NULL, (struct sockaddr *)to, PATIENCE_MS))
		return ENODEV;
	if (!next_is(channel, RDMA_CM_EVENT_ADDR_RESOLVED) || rdma_resolve_route(id, PATIENCE_MS) ||
	    !next_is(channel, RDMA_CM_EVENT_ROUTE_RESOLVED))
		return EHOSTUNREACH;
	return rdma_connect(id, &param) ? errno : 0;
}

/* @device: where the child makes a queue pair of its own; NULL: @qpn is the number of one */
static int connect_in_child(const char *device, uid_t uid, uint32_t qpn, struct sockaddr_in *to)
{
	int status;
	pid_t child = fork();

	if (!child)
		_exit(connect_as(uid, device ? queue_pair(must_open(device))->qp_num : qpn, to));
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	struct ibv_qp *qp;

	if (argc != 4 || inet_pton(AF_INET, argv[2], &to.sin_addr) != 1) {
		fprintf(stderr, "usage: verbs_foreign_qp DEVICE ADDRESS PORT\n");
		return EXIT_FAILURE;
	}
	to.sin_port = htons(atoi(argv[3]));
	qp = queue_pair(must_open(argv[1]));
	expect_value(connect_in_child(NULL, NOBODY, qp->qp_num, &to), EPERM,
		     "the error of another user");
	verdict("another user's queue pair cannot be connected");
	expect_value(connect_in_child(NULL, 0, qp->qp_num, &to), 0, "the error of its own user");
	verdict("its own user connects it");
	expect_value(connect_in_child(argv[1], NOBODY, 0, &to), 0, "the error of its process");
	verdict("its process connects it as another user");
	return lab_status();
}
