/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * TCP connections that become streams of queue pairs: the objects of an RNIC that all ends share, a
 * queue pair and a socket for each end, and connections of this machine to itself.
 */
#ifndef HCA_TESTS_RNIC_LIVE_H
#define HCA_TESTS_RNIC_LIVE_H

#include "verbs_lab.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <infiniband/hcadv.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#define LIVE_OCTETS 65536u
#define LIVE_ENTRIES 16
#define LIVE_RIGHTS (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

/* Objects that all ends share. */
struct live_device {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	uint8_t *memory;
	/* The RNIC's interface has it; ports of both families are at the same place. */
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} address;
	int listener;
};

struct live_end {
	struct ibv_qp *qp;
	int fd;
};

static inline void live_open(struct live_device *dev, const char *name, const char *address)
{
	int family = strchr(address, ':') ? AF_INET6 : AF_INET;

	*dev = (struct live_device){ .address.any.sa_family = family };
	dev->context = must_open(name);
	dev->pd = ibv_alloc_pd(dev->context);
	dev->cq = ibv_create_cq(dev->context, 8 * LIVE_ENTRIES, NULL, NULL, 0);
	dev->memory = calloc(1, LIVE_OCTETS);
	dev->mr = dev->pd ? ibv_reg_mr(dev->pd, dev->memory, LIVE_OCTETS, LIVE_RIGHTS) : NULL;
	fcntl(dev->context->async_fd, F_SETFL, O_NONBLOCK);
	if (!dev->mr || !dev->cq ||
	    inet_pton(family, address, family == AF_INET ? (void *)&dev->address.v4.sin_addr :
							   &dev->address.v6.sin6_addr) != 1)
		give_up("a domain, a CQ, memory and an address");
}

static inline void live_close(struct live_device *dev)
{
	expect_ok(ibv_dereg_mr(dev->mr), "dereg_mr");
	expect_ok(ibv_destroy_cq(dev->cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(dev->pd), "dealloc_pd");
	expect_ok(ibv_close_device(dev->context), "close_device");
	free(dev->memory);
}

/* Listens at a port of the address; 0: at any, which is noted. */
static inline void live_listen(struct live_device *dev, uint16_t port)
{
	socklen_t length = sizeof(dev->address);
	int one = 1;

	dev->listener = socket(dev->address.any.sa_family, SOCK_STREAM, 0);
	dev->address.v4.sin_port = htons(port);
	setsockopt(dev->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(dev->listener, &dev->address.any, length) || listen(dev->listener, 128) ||
	    getsockname(dev->listener, &dev->address.any, &length))
		give_up("listen");
}

static inline int live_connect(const struct live_device *dev)
{
	int fd = socket(dev->address.any.sa_family, SOCK_STREAM, 0);

	if (connect(fd, &dev->address.any, sizeof(dev->address))) {
		expect(false, "connect: %s", error_name(errno));
		close(fd);
		return -1;
	}
	return fd;
}

/* Makes a connection of this machine to itself: @fd[0] has begun it. */
static inline bool live_pair(const struct live_device *dev, int fd[2])
{
	int one = 1;

	fd[0] = live_connect(dev);
	fd[1] = accept(dev->listener, NULL, NULL);
	setsockopt(fd[0], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(fd[1], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return expect(fd[0] >= 0 && fd[1] >= 0, "no connection");
}

static inline struct ibv_qp *live_create_qp(const struct live_device *dev)
{
	struct ibv_qp_init_attr init = {
		.send_cq = dev->cq,
		.recv_cq = dev->cq,
		.cap = {
			.max_send_wr = LIVE_ENTRIES,
			.max_recv_wr = LIVE_ENTRIES,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	struct ibv_qp *qp = ibv_create_qp(dev->pd, &init);

	expect_made(qp, "create_qp");
	return qp;
}

static inline bool live_init_qp(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = LIVE_RIGHTS,
		.max_rd_atomic = 4,
		.max_dest_rd_atomic = 4,
	};

	return expect_ok(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS |
				       IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC),
			 "modify to INIT");
}

/* Makes a queue pair in Init for a socket. */
static inline bool live_make(const struct live_device *dev, struct live_end *end, int fd)
{
	end->fd = fd;
	end->qp = live_create_qp(dev);
	return end->qp && live_init_qp(end->qp);
}

static inline void live_unmake(struct live_end *end)
{
	if (end->qp)
		expect_ok(ibv_destroy_qp(end->qp), "destroy_qp");
	if (end->fd >= 0)
		close(end->fd);
	*end = (struct live_end){ .fd = -1 };
}

static inline bool live_recv(const struct live_device *dev, struct ibv_qp *qp, uint64_t id,
			     uint32_t offset, uint32_t octets)
{
	struct ibv_sge sge = { (uintptr_t)dev->memory + offset, octets, dev->mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = id, .sg_list = &sge, .num_sge = 1 }, *bad;

	return expect_ok(ibv_post_recv(qp, &wr, &bad), "post_recv");
}

/* Posts a request of octets of the memory; the peer's are those at @remote of the same memory. */
static inline bool live_post(const struct live_device *dev, struct ibv_qp *qp,
			     enum ibv_wr_opcode opcode, uint64_t id, uint32_t offset,
			     uint32_t octets, uint32_t remote)
{
	struct ibv_sge sge = { (uintptr_t)dev->memory + offset, octets, dev->mr->lkey };
	struct ibv_send_wr wr = {
		.wr_id = id,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = opcode,
		.wr.rdma = { .remote_addr = (uintptr_t)dev->memory + remote,
			     .rkey = dev->mr->rkey },
	}, *bad;

	return expect_ok(ibv_post_send(qp, &wr, &bad), "post_send");
}

/* Waits for a completion. */
static inline bool live_completes(const struct live_device *dev, uint64_t id,
				  enum ibv_wc_status status)
{
	struct ibv_wc wc = { 0 };

	return expect(collect(dev->cq, &wc, 1, PATIENCE_MS) == 1, "request %#llx does not complete",
		      (unsigned long long)id) &&
	       expect_wc(&wc, id, status);
}

/* Waits for an event of a queue pair. Return: its type; -1: none has come. */
static inline int live_event(const struct live_device *dev, unsigned int ms)
{
	struct pollfd readable = { .fd = dev->context->async_fd, .events = POLLIN };
	struct ibv_async_event event;

	if (poll(&readable, 1, ms) != 1 || ibv_get_async_event(dev->context, &event))
		return -1;
	ibv_ack_async_event(&event);
	return event.event_type;
}

static inline bool live_expect_event(const struct live_device *dev, enum ibv_event_type wanted)
{
	int got = live_event(dev, PATIENCE_MS);

	return expect(got == (int)wanted, "%s, not %s", got < 0 ? "no event" :
		      ibv_event_type_str(got), ibv_event_type_str(wanted));
}

static inline bool live_expect_silence(const struct live_device *dev)
{
	int got = live_event(dev, SILENCE_MS);

	return expect(got < 0, "event %s", got < 0 ? "" : ibv_event_type_str(got));
}

static inline int live_attach(const struct live_end *end, enum hcadv_stream_role role,
			      const char *message)
{
	return hcadv_attach_stream(end->qp, end->fd, role, message, message ? strlen(message) : 0,
				   NULL, 0, 0);
}

#endif
