/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An SDP peer in user space, by verbs, whose messages a program of the lab makes itself. There is
 * one connection at a time, with a socket at SDP port 7002.
 */
#ifndef HCA_TESTS_SDP_PEER_H
#define HCA_TESTS_SDP_PEER_H

#define _GNU_SOURCE /* strerrorname_np() */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <infiniband/ib.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

#define IPPROTO_SDP 257
#define PORT 7002
#define SERVICE (0x10000 | PORT)
#define WRITE (1 << 20)
#define HELLO 92
#define RECVS 16
#define RECV_SIZE 65536
#define SEND_SIZE (256 << 10)
#define HEADER 16
#define OWN_PORT 99 /* in the Hello */

enum { DISCONN = 2, ABORT, SEND_SM, WR_COMPL, RD_COMPL, MODE, SRC_CANCEL, CH_RCV_BUF = 11,
       CH_RCV_BUF_ACK, SUSP, SUSP_ACK,
       SINK_AVAIL = 0xfd, SRC_AVAIL, DATA };

static struct sockaddr_ib here = { .sib_family = AF_IB }, there = { .sib_family = AF_IB };
static uint8_t hello[HELLO];

/* The service that makes connections: InfiniBand's CM, or rdma_cm's TCP port space. */
static struct {
	enum rdma_port_space space;
	void *from, *to; /* addresses */
	uint8_t octets; /* of the Hello */
} binding = { RDMA_PS_IB, &here, &there, HELLO };

static inline const char *result_of(long ret)
{
	return ret < 0 ? strerrorname_np(errno) : "end";
}

/* A socket that listens, or none after a message. */
static inline int listening(const char *text, uint16_t port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_SDP);

	if (inet_pton(AF_INET, text, &address.sin_addr) == 1 && fd >= 0 &&
	    !bind(fd, (void *)&address, sizeof(address)) && !listen(fd, 100))
		return fd;
	perror("listen");
	return -1;
}

/*
 * Listens at an address, and lets @serve_one have each connection, until that returns false. Prints
 * `listening` first. Returns the exit status.
 */
static inline int serve(const char *text, bool (*serve_one)(int fd))
{
	int fd = listening(text, PORT), child;

	if (fd < 0)
		return 1;
	printf("listening\n");
	fflush(stdout);
	do {
		child = accept(fd, NULL, NULL);
		if (child < 0) {
			perror("accept");
			return 1;
		}
	} while (serve_one(child));
	return 0;
}

/* --- the connection */

static struct {
	struct rdma_cm_id *id;
	struct ibv_mr *mr;
	uint32_t mseq, received;
	uint8_t recvs[RECVS][RECV_SIZE];
	uint8_t out[SEND_SIZE];
	uint8_t memory[WRITE + 4096];
} c;

static inline void need(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

/* Returns 0, or -1 with errno: ECONNREFUSED if the peer refuses @private. */
static inline int connect_with(const uint8_t *private)
{
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = 64, .max_recv_wr = 64,
			 .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	struct rdma_conn_param param = {
		.private_data = private, .private_data_len = binding.octets,
		.responder_resources = 4,
		.initiator_depth = 4, .retry_count = 3, .rnr_retry_count = 2,
	};
	uint8_t timeout = 14; /* 67 ms, for a victim that has gone */
	int i;

	memset(&c, 0, offsetof(__typeof__(c), recvs));
	need(!rdma_create_id(NULL, &c.id, NULL, binding.space), "rdma_create_id");
	need(!rdma_set_option(c.id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout, 1),
	     "rdma_set_option");
	need(!rdma_resolve_addr(c.id, binding.from, binding.to, 5000), "rdma_resolve_addr");
	need(!rdma_resolve_route(c.id, 5000), "rdma_resolve_route");
	need(!rdma_create_qp(c.id, NULL, &init), "rdma_create_qp");
	c.mr = ibv_reg_mr(c.id->pd, &c, sizeof(c), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
	need(c.mr, "ibv_reg_mr");
	for (i = 0; i < RECVS; i++)
		need(!rdma_post_recv(c.id, c.recvs[i], c.recvs[i], RECV_SIZE, c.mr), "recv");
	return rdma_connect(c.id, &param);
}

static inline void disconnect(void)
{
	rdma_destroy_qp(c.id);
	ibv_dereg_mr(c.mr);
	rdma_destroy_id(c.id);
}

/* Returns the status of the request, which is the only one. */
static inline enum ibv_wc_status completed(void)
{
	struct ibv_wc wc;

	need(rdma_get_send_comp(c.id, &wc) == 1, "rdma_get_send_comp");
	return wc.status;
}

static inline enum ibv_wc_status transmit(uint32_t octets)
{
	need(!rdma_post_send(c.id, NULL, c.out, octets, c.mr, 0), "rdma_post_send");
	return completed();
}

static inline void put32(uint32_t at, uint32_t value)
{
	value = htobe32(value);
	memcpy(c.out + at, &value, 4);
}

static inline uint32_t get32(const uint8_t *from)
{
	uint32_t value;

	memcpy(&value, from, 4);
	return be32toh(value);
}

static inline void header(uint8_t mid, uint32_t octets)
{
	memset(c.out, 0, HEADER);
	c.out[0] = mid;
	c.out[3] = RECVS - 4;
	put32(4, octets);
	put32(8, ++c.mseq);
	put32(12, c.received);
}

/* Sends a message with @octets behind the header, which are there already. */
static inline enum ibv_wc_status send_message(uint8_t mid, uint32_t octets)
{
	header(mid, HEADER + octets);
	return transmit(HEADER + octets);
}

static inline void send_size(uint8_t mid, uint32_t size)
{
	put32(HEADER, size);
	send_message(mid, 4);
}

static inline void advertise(uint32_t octets, uint32_t key, uint64_t addr, uint32_t payload)
{
	put32(HEADER, octets);
	put32(HEADER + 4, key);
	put32(HEADER + 8, addr >> 32);
	put32(HEADER + 12, addr);
	send_message(SRC_AVAIL, 16 + payload);
}

static inline void command(char what)
{
	c.out[HEADER] = what;
	send_message(DATA, 1);
}

/* Waits for the next message of a MID; returns it. */
static inline const uint8_t *receive(uint8_t mid)
{
	struct ibv_wc wc;
	const uint8_t *message;

	do {
		need(rdma_get_recv_comp(c.id, &wc) == 1 && wc.status == IBV_WC_SUCCESS, "receive");
		message = (const uint8_t *)(uintptr_t)wc.wr_id;
		c.received = get32(message + 8);
	} while (message[0] != mid);
	return message;
}

static inline void make_hello(const char *from, const char *to)
{
	static const uint8_t head[] = { 0, 0, 0, RECVS, 0, 0, 0, HELLO };

	memcpy(hello, head, sizeof(head));
	hello[16] = 0x11;
	hello[17] = 0x40;
	hello[19] = 1;
	hello[21] = hello[25] = 1; /* 64 KiB */
	hello[29] = OWN_PORT;
	need(inet_pton(AF_INET, from, hello + 44) == 1 && inet_pton(AF_INET, to, hello + 60) == 1,
	     "address");
}

/* GIDs and addresses of both ends */
static inline void name_ends(char **arguments)
{
	need(inet_pton(AF_INET6, arguments[0], here.sib_addr.sib_raw) == 1 &&
	     inet_pton(AF_INET6, arguments[1], there.sib_addr.sib_raw) == 1, "GID");
	here.sib_pkey = there.sib_pkey = htobe16(0xffff);
	there.sib_sid = htobe64(SERVICE);
	there.sib_sid_mask = ~0ull;
	make_hello(arguments[2], arguments[3]);
}

/* An address of this host, of both ends, by rdma_cm's TCP port space */
static inline void name_rdma_ends(const char *text)
{
	static struct sockaddr_in from = { .sin_family = AF_INET }, to;
	static const uint8_t form[] = { [3] = RECVS, [7] = 32, [16] = 0x11, [19] = 1, [21] = 1,
					[25] = 1, [29] = 4, [31] = 4 };

	need(inet_pton(AF_INET, text, &from.sin_addr) == 1, "address");
	to = from;
	to.sin_port = htons(PORT);
	memcpy(hello, form, sizeof(form));
	binding = (__typeof__(binding)){ RDMA_PS_TCP, &from, &to, sizeof(form) };
}

#endif
