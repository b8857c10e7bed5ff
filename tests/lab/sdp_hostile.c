// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_hostile serve ADDRESS
 *        sdp_hostile attack GID GID ADDRESS ADDRESS SEEDS
 *
 * A peer of SDP that violates the protocol in each way that there is, by verbs, from the port with
 * the first GID and IP address against a socket that `serve` has at the second. `serve` prints a
 * line for each connection: the error that its program got at last, or end. `attack` prints
 * `NAME: RESULT`: what came back, of those attacks of which something does. SEEDS is the number of
 * connections with random messages.
 *
 * The first octet of a connection is a command to `serve`: r, read to the end; w, write 1 MiB
 * first; q, end.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
#define HEADER 16

enum { DISCONN = 2, ABORT, SEND_SM, WR_COMPL, RD_COMPL, MODE, SRC_CANCEL, SRC_AVAIL = 0xfe, DATA };

static struct sockaddr_ib here = { .sib_family = AF_IB }, there = { .sib_family = AF_IB };
static uint8_t hello[HELLO];

/* --- the victim */

static const char *result_of(long ret)
{
	return ret < 0 ? strerrorname_np(errno) : "end";
}

/* Returns whether there is to be another connection. */
static bool serve_one(int fd)
{
	static uint8_t data[WRITE];
	size_t written = 0;
	uint8_t command;
	ssize_t ret = recv(fd, &command, 1, 0);
	bool last = ret == 1 && command == 'q';

	while (ret == 1 && command == 'w' && written < sizeof(data)) {
		ssize_t some = send(fd, data + written, sizeof(data) - written, MSG_NOSIGNAL);

		if (some < 0)
			ret = some;
		else
			written += some;
	}
	while (ret > 0)
		ret = recv(fd, data, sizeof(data), 0);
	printf("%s\n", result_of(ret));
	fflush(stdout);
	close(fd);
	return !last;
}

static int serve(const char *text)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_SDP), child;

	if (inet_pton(AF_INET, text, &address.sin_addr) != 1 || fd < 0 ||
	    bind(fd, (void *)&address, sizeof(address)) || listen(fd, 100)) {
		perror("sdp_hostile: listen");
		return 1;
	}
	printf("listening\n");
	fflush(stdout);
	do {
		child = accept(fd, NULL, NULL);
		if (child < 0) {
			perror("sdp_hostile: accept");
			return 1;
		}
	} while (serve_one(child));
	return 0;
}

/* --- the attacker's connection */

static struct {
	struct rdma_cm_id *id;
	struct ibv_mr *mr;
	uint32_t mseq, received;
	uint8_t recvs[RECVS][RECV_SIZE];
	uint8_t out[RECV_SIZE];
	uint8_t memory[WRITE + 4096];
} c;

static void need(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

/* Returns 0, or -1 with errno: ECONNREFUSED if the peer refuses @private. */
static int connect_with(const uint8_t *private)
{
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = 64, .max_recv_wr = 64,
			 .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	struct rdma_conn_param param = {
		.private_data = private, .private_data_len = HELLO, .responder_resources = 4,
		.initiator_depth = 4, .retry_count = 3, .rnr_retry_count = 2,
	};
	uint8_t timeout = 14; /* 67 ms, for a victim that has gone */
	int i;

	memset(&c, 0, offsetof(__typeof__(c), recvs));
	need(!rdma_create_id(NULL, &c.id, NULL, RDMA_PS_IB), "rdma_create_id");
	need(!rdma_set_option(c.id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout, 1),
	     "rdma_set_option");
	need(!rdma_resolve_addr(c.id, (void *)&here, (void *)&there, 5000), "rdma_resolve_addr");
	need(!rdma_resolve_route(c.id, 5000), "rdma_resolve_route");
	need(!rdma_create_qp(c.id, NULL, &init), "rdma_create_qp");
	c.mr = ibv_reg_mr(c.id->pd, &c, sizeof(c), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ);
	need(c.mr, "ibv_reg_mr");
	for (i = 0; i < RECVS; i++)
		need(!rdma_post_recv(c.id, c.recvs[i], c.recvs[i], RECV_SIZE, c.mr), "recv");
	return rdma_connect(c.id, &param);
}

static void disconnect(void)
{
	rdma_destroy_qp(c.id);
	ibv_dereg_mr(c.mr);
	rdma_destroy_id(c.id);
}

/* Returns the status of the request, which is the only one. */
static enum ibv_wc_status completed(void)
{
	struct ibv_wc wc;

	need(rdma_get_send_comp(c.id, &wc) == 1, "rdma_get_send_comp");
	return wc.status;
}

static enum ibv_wc_status transmit(uint32_t octets)
{
	need(!rdma_post_send(c.id, NULL, c.out, octets, c.mr, 0), "rdma_post_send");
	return completed();
}

static void put32(uint32_t at, uint32_t value)
{
	value = htobe32(value);
	memcpy(c.out + at, &value, 4);
}

static uint32_t get32(const uint8_t *from)
{
	uint32_t value;

	memcpy(&value, from, 4);
	return be32toh(value);
}

static void header(uint8_t mid, uint32_t octets)
{
	memset(c.out, 0, HEADER);
	c.out[0] = mid;
	c.out[3] = RECVS - 4;
	put32(4, octets);
	put32(8, ++c.mseq);
	put32(12, c.received);
}

/* Sends a message with @octets behind the header, which are there already. */
static enum ibv_wc_status send_message(uint8_t mid, uint32_t octets)
{
	header(mid, HEADER + octets);
	return transmit(HEADER + octets);
}

static void send_size(uint8_t mid, uint32_t size)
{
	put32(HEADER, size);
	send_message(mid, 4);
}

static void advertise(uint32_t octets, uint32_t key, uint64_t addr, uint32_t payload)
{
	put32(HEADER, octets);
	put32(HEADER + 4, key);
	put32(HEADER + 8, addr >> 32);
	put32(HEADER + 12, addr);
	send_message(SRC_AVAIL, 16 + payload);
}

static void command(char what)
{
	c.out[HEADER] = what;
	send_message(DATA, 1);
}

/* Waits for the next message of a MID; returns it. */
static const uint8_t *receive(uint8_t mid)
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

/* --- attacks: setup */

static const struct {
	const char *name;
	uint8_t at, octet;
} hellos[] = {
	{ "another version", 16, 0x31 },
	{ "another version of IP", 17, 0x50 },
	{ "two private buffers", 3, 2 },
	{ "no advertisement", 19, 0 },
	{ "private buffers of 36 octets", 26, 0 },
	{ "private buffers of 2 GiB and more", 24, 0x81 },
	{ "a Len of 63", 7, 63 },
	{ "no port", 28, 0 },
	{ "the address of nobody", 63, 99 },
	{ "a loopback address", 60, 127 },
	{ "the address of a group", 60, 224 },
	{ "from a loopback address", 44, 127 },
	{ "from the address of a group", 44, 224 },
	{ "from an address that is not reached by the port", 46, 8 },
};

static void attack_setup(void)
{
	uint8_t wrong[HELLO];
	size_t i;

	for (i = 0; i < sizeof(hellos) / sizeof(hellos[0]); i++) {
		memcpy(wrong, hello, HELLO);
		wrong[hellos[i].at] = hellos[i].octet;
		if (hellos[i].at == 26)
			memcpy(wrong + 24, "\0\0\0\044", 4);
		printf("%s: %s\n", hellos[i].name, result_of(connect_with(wrong)));
		disconnect();
	}
}

/* --- attacks: datagram service at the service ID, many times */

static int ask_for_datagrams(void)
{
	struct rdma_conn_param param = { 0 };
	struct ibv_qp_init_attr init = {
		.cap = { .max_send_wr = 1, .max_recv_wr = 1,
			 .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_UD,
	};
	struct rdma_cm_id *id;
	int ret, err;

	need(!rdma_create_id(NULL, &id, NULL, RDMA_PS_UDP), "rdma_create_id");
	need(!rdma_resolve_addr(id, (void *)&here, (void *)&there, 5000), "rdma_resolve_addr");
	need(!rdma_resolve_route(id, 5000), "rdma_resolve_route");
	need(!rdma_create_qp(id, NULL, &init), "rdma_create_qp");
	ret = rdma_connect(id, &param);
	err = errno;
	rdma_destroy_qp(id);
	rdma_destroy_id(id);
	errno = err;
	return ret;
}

static void attack_by_datagrams(void)
{
	const char *result = NULL;
	int i;

	for (i = 0; i < 20; i++)
		result = result_of(ask_for_datagrams());
	printf("datagrams: %s\n", result);
}

/* --- attacks: single messages; what they change of one that is right */

static const struct {
	const char *name;
	uint8_t mid, flags;
	int len, mseq, ack; /* more than is right */
	uint8_t octets; /* behind the BSDH: zeros */
} messages[] = {
	{ "a MID that is reserved", .mid = 0x42 },
	{ "Hello", 0, .octets = 76 },
	{ "HelloAck", 1, .octets = 8 },
	{ "Len is too large", DATA, .len = 1, .octets = 5 },
	{ "Len is too small", DATA, .len = -1, .octets = 5 },
	{ "Len is less than the header", .mid = RD_COMPL },
	{ "MSeq is skipped", DATA, .mseq = 1 },
	{ "MSeq is repeated", DATA, .mseq = -1 },
	{ "MSeqAck is of what was not sent", DATA, .ack = 1000 },
	{ "OOB_PRES without payload", DATA, .flags = 1 },
	{ "DisConn with payload", DISCONN, .octets = 1 },
	{ "AbortConn at first", .mid = ABORT },
	{ "SendSm to nothing", .mid = SEND_SM },
	{ "RdmaWrCompl to nothing", WR_COMPL, .octets = 4 },
	{ "RdmaRdCompl to nothing", RD_COMPL, .octets = 4 },
	{ "SrcAvail of no octets", SRC_AVAIL, .octets = 17 },
	{ "SrcAvail without payload", SRC_AVAIL, .octets = 16 },
	{ "SinkAvail in Combined mode", 0xfd, .octets = 20 },
	{ "SinkAvailCancel", .mid = 9 },
	{ "SinkCancelAck", .mid = 10 },
	{ "ChRcvBufAck", 12, .octets = 4 },
	{ "SuspComm", 13, .octets = 8 },
	{ "SuspCommAck", .mid = 14 },
};

static void attack_messages(void)
{
	size_t i;

	for (i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		need(!connect_with(hello), messages[i].name);
		command('r');
		memset(c.out, 0, 100);
		c.mseq += messages[i].mseq;
		c.received += messages[i].ack;
		header(messages[i].mid, HEADER + messages[i].octets + messages[i].len);
		c.out[1] = messages[i].flags;
		transmit(HEADER + messages[i].octets);
		usleep(300000);
		disconnect();
	}
}

/* --- attacks: Read Zcopy */

static void no_memory(void)
{
	command('r');
	advertise(100000, 0xdeadbeef, 0x1000, 1);
}

/* The victim writes; sets what it advertises, the payload that came with it left out. */
static struct {
	uint32_t left, key;
	uint64_t addr;
} given;

static void be_given(void)
{
	const uint8_t *message;
	uint32_t payload;

	command('w');
	message = receive(SRC_AVAIL);
	payload = get32(message + 4) - 32;
	given.left = get32(message + 16) - payload;
	given.key = get32(message + 20);
	given.addr = ((uint64_t)get32(message + 24) << 32 | get32(message + 28)) + payload;
}

static const char *rdma(bool write, uint64_t addr, uint32_t octets)
{
	int ret;

	if (write)
		ret = rdma_post_write(c.id, NULL, c.memory, octets, c.mr, 0, addr, given.key);
	else
		ret = rdma_post_read(c.id, NULL, c.memory, octets, c.mr, 0, addr, given.key);
	need(!ret, "RDMA");
	return ibv_wc_status_str(completed());
}

static void too_much_read(void)
{
	be_given();
	send_size(RD_COMPL, given.left + 1);
}

static void two_answers(void)
{
	be_given();
	send_message(SEND_SM, 0);
	send_message(SEND_SM, 0);
}

static void no_answer(void)
{
	be_given();
	receive(SRC_CANCEL);
	sleep(32);
}

static void reads_beyond(void)
{
	be_given();
	printf("reads one octet more: %s\n", rdma(false, given.addr, given.left + 1));
}

static void reads_before(void)
{
	be_given();
	printf("reads what is before it: %s\n", rdma(false, given.addr - 8192, 4096));
}

static void writes(void)
{
	be_given();
	printf("writes: %s\n", rdma(true, given.addr, 100));
}

static void reads_late(void)
{
	be_given();
	printf("reads: %s\n", rdma(false, given.addr, given.left));
	send_size(RD_COMPL, given.left);
	sleep(1);
	printf("reads after it was all: %s\n", rdma(false, given.addr, 1));
}

static void reads_after_refusal(void)
{
	be_given();
	send_message(SEND_SM, 0);
	receive(DATA);
	printf("reads after a refusal: %s\n", rdma(false, given.addr, 1));
}

static void attack_zcopy(void)
{
	static void (*const attacks[])(void) = {
		no_memory, too_much_read, two_answers, no_answer,
		reads_beyond, reads_before, writes, reads_late, reads_after_refusal,
	};
	size_t i;

	for (i = 0; i < sizeof(attacks) / sizeof(attacks[0]); i++) {
		need(!connect_with(hello), "connect");
		attacks[i]();
		sleep(1); /* so that the end of the connection is not its reason to fail */
		disconnect();
	}
}

/* --- random messages, mostly in sequence */

static void attack_randomly(unsigned int seeds)
{
	unsigned int seed, i, octets;

	for (seed = 1; seed <= seeds; seed++) {
		srandom(seed);
		need(!connect_with(hello), "connect");
		command(random() % 2 ? 'r' : 'w');
		for (i = 0; i < 20; i++) {
			octets = random() % 4 ? random() % 40 : random() % 2000;
			for (unsigned int j = 0; j < octets; j++)
				c.out[HEADER + j] = random() % 3 ? 0 : random();
			header(random() % 3 ? random() % 16 : 0xfd + random() % 3, HEADER + octets);
			if (random() % 10 == 0)
				c.out[random() % HEADER] = random();
			if (transmit(HEADER + octets) != IBV_WC_SUCCESS)
				break;
		}
		disconnect();
	}
}

static void make_hello(const char *from, const char *to)
{
	static const uint8_t head[] = { 0, 0, 0, RECVS, 0, 0, 0, HELLO };

	memcpy(hello, head, sizeof(head));
	hello[16] = 0x11;
	hello[17] = 0x40;
	hello[19] = 1;
	hello[21] = hello[25] = 1; /* 64 KiB */
	hello[28] = 99;
	need(inet_pton(AF_INET, from, hello + 44) == 1 && inet_pton(AF_INET, to, hello + 60) == 1,
	     "address");
}

static int attack(char **arguments)
{
	need(inet_pton(AF_INET6, arguments[0], here.sib_addr.sib_raw) == 1 &&
	     inet_pton(AF_INET6, arguments[1], there.sib_addr.sib_raw) == 1, "GID");
	here.sib_pkey = there.sib_pkey = htobe16(0xffff);
	there.sib_sid = htobe64(SERVICE);
	there.sib_sid_mask = ~0ull;
	make_hello(arguments[2], arguments[3]);
	setbuf(stdout, NULL);
	attack_setup();
	attack_by_datagrams();
	attack_messages();
	attack_zcopy();
	attack_randomly(atoi(arguments[4]));
	need(!connect_with(hello), "connect");
	command('q');
	send_message(DISCONN, 0);
	receive(DISCONN);
	disconnect();
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "serve"))
		return serve(argv[2]);
	if (argc == 7 && !strcmp(argv[1], "attack"))
		return attack(argv + 2);
	fprintf(stderr, "usage: sdp_hostile serve ADDRESS | attack GID GID ADDRESS ADDRESS SEEDS\n");
	return 2;
}
