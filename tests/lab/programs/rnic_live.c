// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: rnic_live pair DEVICE ADDRESS
 *        rnic_live many DEVICE ADDRESS CONNECTIONS
 *        rnic_live serve|ask DEVICE ADDRESS PORT
 * TCP connections that speak text, and then become streams of queue pairs. pair: both ends are of
 * this process. many: at the other end is a socket that sends its first FPDU together with its
 * frame of MPA. serve and ask: at the other end is rnic_peer.py. Runs in the guest.
 */
#include "rnic_live.h"

#define REQUEST "MPA ID Req Frame\x40\x01\0\0"
/* An enhanced reply without an RTR message: IRD and ORD are 4. */
#define REPLY "MPA ID Rep Frame\x50\x02\0\4\0\4\0\4"
#define FRAME_OCTETS 20u
#define FRAME_MAX 24u
#define SENT 64u /* octets of the Sends */

static struct live_device dev;

/* Reads a line, and not an octet behind it. */
static bool text_expect(int fd, const char *wanted)
{
	char line[64] = "";
	size_t n = 0;

	while (n < sizeof(line) - 1 && read(fd, line + n, 1) == 1)
		if (line[n++] == '\n')
			break;
	return expect(!strcmp(line, wanted), "text '%s', not '%s'", line, wanted);
}

static bool text_write(int fd, const void *octets, size_t length)
{
	return expect(write(fd, octets, length) == (ssize_t)length, "write: %s", error_name(errno));
}

/* Both ends speak text; @fd[0] then asks for RDMA. */
static bool pair_talks(const int fd[2])
{
	return text_write(fd[0], "can you?\n", 9) && text_expect(fd[1], "can you?\n") &&
	       text_write(fd[1], "yes\n", 4) && text_expect(fd[0], "yes\n");
}

/* Sends, a Write and a Read between both ends. */
static bool pair_transfers(const struct live_end *a, const struct live_end *b)
{
	memset(dev.memory, 1, 4096);
	memset(dev.memory + 8192, 2, 4096);
	return live_recv(&dev, b->qp, 1, 4096, 4096) &&
	       live_post(&dev, a->qp, IBV_WR_RDMA_WRITE, 2, 0, 4096, 16384) &&
	       live_completes(&dev, 2, IBV_WC_SUCCESS) &&
	       live_post(&dev, a->qp, IBV_WR_SEND, 3, 0, 4096, 0) &&
	       live_completes(&dev, 3, IBV_WC_SUCCESS) && live_completes(&dev, 1, IBV_WC_SUCCESS) &&
	       expect(!memcmp(dev.memory, dev.memory + 16384, 4096), "the Write is not there") &&
	       expect(!memcmp(dev.memory, dev.memory + 4096, 4096), "the Send is not there") &&
	       live_post(&dev, b->qp, IBV_WR_RDMA_READ, 4, 20480, 4096, 8192) &&
	       live_completes(&dev, 4, IBV_WC_SUCCESS) &&
	       expect(!memcmp(dev.memory + 8192, dev.memory + 20480, 4096), "the Read is wrong");
}

/* Attaches both ends, and waits until both are told. */
static bool pair_attach(struct live_end *a, struct live_end *b, uint32_t flags)
{
	return expect_ok(hcadv_attach_stream(b->qp, b->fd, HCADV_STREAM_RESPONDER, NULL, 0, "yes!",
					     flags ? 0 : 4, flags), "attach as responder") &&
	       expect_ok(hcadv_attach_stream(a->qp, a->fd, HCADV_STREAM_INITIATOR, NULL, 0,
					     "a question of more than eight octets", flags ? 0 : 36,
					     flags), "attach as initiator") &&
	       live_expect_event(&dev, IBV_EVENT_COMM_EST) &&
	       live_expect_event(&dev, IBV_EVENT_COMM_EST);
}

static bool pair_make(struct live_end *a, struct live_end *b)
{
	int fd[2];

	*a = *b = (struct live_end){ .fd = -1 };
	return live_pair(&dev, fd) && live_make(&dev, a, fd[0]) && live_make(&dev, b, fd[1]) &&
	       pair_talks(fd);
}

/* R0-253, R0-149: text first, then RDMA in both directions, then an end in order. */
static void pair_ordinary(void)
{
	struct live_end a, b;

	if (pair_make(&a, &b) && pair_attach(&a, &b, 0) && pair_transfers(&a, &b)) {
		struct ibv_qp_attr attr = { .qp_state = IBV_QPS_SQD };

		live_recv(&dev, b.qp, 5, 0, 64);
		expect_ok(ibv_modify_qp(a.qp, &attr, IBV_QP_STATE), "modify to SQD");
		await_state(b.qp, IBV_QPS_ERR);
		await_state(a.qp, IBV_QPS_ERR);
		live_completes(&dev, 5, IBV_WC_WR_FLUSH_ERR);
		live_expect_silence(&dev);
	}
	live_unmake(&a);
	live_unmake(&b);
	verdict("text, then RDMA, then an end in order");
}

/* R0-254, R0-520: Full Operation without frames of MPA; neither end is the active one. */
static void pair_immediate(void)
{
	struct live_end a, b;

	if (pair_make(&a, &b) && pair_attach(&a, &b, HCADV_STREAM_IMMEDIATE))
		pair_transfers(&a, &b);
	live_unmake(&a);
	live_unmake(&b);
	verdict("text, then RDMA without frames of MPA");
}

/* The program closes its descriptors at once. */
static void pair_closed(void)
{
	struct live_end a, b;

	if (pair_make(&a, &b) && pair_attach(&a, &b, 0)) {
		close(a.fd);
		close(b.fd);
		a.fd = b.fd = -1;
		pair_transfers(&a, &b);
	}
	live_unmake(&a);
	live_unmake(&b);
	verdict("RDMA on sockets whose descriptors are closed");
}

/* R0-264: an abort at one end is an error at the other, which is told by an event. */
static void pair_aborted(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct hcadv_terminate terminate = { 0 };
	struct live_end a, b;

	if (pair_make(&a, &b) && pair_attach(&a, &b, 0) && pair_transfers(&a, &b)) {
		expect_ok(ibv_modify_qp(a.qp, &attr, IBV_QP_STATE), "modify to ERR");
		live_expect_event(&dev, IBV_EVENT_QP_FATAL);
		await_state(b.qp, IBV_QPS_ERR);
		expect_ok(hcadv_query_terminate(b.qp, &terminate), "query_terminate");
		expect_value(terminate.layer << 8 | terminate.error_code, 0x201, "the reason");
	}
	live_unmake(&a);
	live_unmake(&b);
	verdict("an abort is told at the other end");
}

static uint32_t crc_of(const uint8_t *octets, size_t length)
{
	uint32_t crc = ~0u;
	int bit;

	for (; length; length--, octets++)
		for (crc ^= *octets, bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	return ~crc;
}

/* Makes the FPDU of a Send. Return: its octets. */
static size_t fpdu_make(uint8_t *octets)
{
	const uint16_t length = htons(18 + SENT);
	uint32_t crc;

	memset(octets, 0, 20);
	memcpy(octets, &length, sizeof(length));
	octets[2] = 0x41; /* the last segment, version 1 */
	octets[3] = 0x43; /* version 1, a Send */
	octets[15] = 1; /* MSN */
	memset(octets + 20, 0x5c, SENT);
	crc = crc_of(octets, 20 + SENT);
	memcpy(octets + 20 + SENT, &crc, sizeof(crc));
	return 24 + SENT;
}

/* Writes a frame of MPA, and an FPDU behind it, at once. */
static bool raw_start(int fd, const char *frame, size_t length)
{
	uint8_t octets[FRAME_MAX + 24 + SENT];

	memcpy(octets, frame, length);
	return text_write(fd, octets, length + fpdu_make(octets + length));
}

/* Reads a frame of MPA with its private data. */
static bool raw_expect(int fd, const char *key)
{
	uint8_t octets[FRAME_OCTETS + 512];
	size_t length;

	if (!expect(recv(fd, octets, FRAME_OCTETS, MSG_WAITALL) == (ssize_t)FRAME_OCTETS &&
		    !memcmp(octets, key, 16), "no frame of MPA"))
		return false;
	length = octets[18] << 8 | octets[19];
	return !length ||
	       expect(length <= 512 && recv(fd, octets, length, MSG_WAITALL) == (ssize_t)length,
		      "no private data");
}

/* The queue pair is the responder: all octets of the peer are there before it is attached. */
static bool many_responds(const struct live_end *end, int peer)
{
	return text_write(peer, "RDMA\n", 5) && raw_start(peer, REQUEST, sizeof(REQUEST) - 1) &&
	       text_expect(end->fd, "RDMA\n") &&
	       expect_ok(live_attach(end, HCADV_STREAM_RESPONDER, "go\n"), "attach") &&
	       text_expect(peer, "go\n") && raw_expect(peer, REPLY);
}

/* The queue pair is the initiator: the peer's first FPDU comes together with its reply. */
static bool many_asks(const struct live_end *end, int peer)
{
	return expect_ok(live_attach(end, HCADV_STREAM_INITIATOR, "RDMA\n"), "attach") &&
	       text_expect(peer, "RDMA\n") && raw_expect(peer, REQUEST) &&
	       raw_start(peer, REPLY, sizeof(REPLY) - 1);
}

/* Whether a Send of the peer is received, and nothing else is written. */
static bool many_receives(void)
{
	unsigned int i;

	if (!live_completes(&dev, 1, IBV_WC_SUCCESS) ||
	    !live_expect_event(&dev, IBV_EVENT_COMM_EST))
		return false;
	for (i = 0; i < 2 * SENT; i++)
		if (!expect(dev.memory[i] == (i < SENT ? 0x5c : 0), "octet %u is %#x", i,
			    dev.memory[i]))
			return false;
	return true;
}

/* T0-119 (R0-149, R0-259): no message is lost or misframed, however early it comes. */
static void many(unsigned int connections)
{
	struct live_end end = { .fd = -1 };
	unsigned int i;
	uint64_t begin = now_ms();
	bool ok = true;
	int fd[2];

	for (i = 0; i < connections && ok; i++) {
		memset(dev.memory, 0, 2 * SENT);
		ok = live_pair(&dev, fd) && live_make(&dev, &end, fd[1]) &&
		     live_recv(&dev, end.qp, 1, 0, 2 * SENT) &&
		     (i % 2 ? many_asks(&end, fd[0]) : many_responds(&end, fd[0])) &&
		     many_receives();
		live_unmake(&end);
		close(fd[0]);
	}
	printf("# %u of them in %llu ms\n", i, (unsigned long long)(now_ms() - begin));
	verdict("%u connections whose first message comes with the frame of MPA", connections);
}

/* Expects a Send of 5 octets of rnic_peer.py, a Write of 64 at 4096, and the end. */
static void judged(const struct live_end *end)
{
	if (live_completes(&dev, 1, IBV_WC_SUCCESS))
		expect(!memcmp(dev.memory, "hello", 5) && dev.memory[4096] == 'w' &&
		       dev.memory[4096 + 63] == 'w' && !dev.memory[4096 + 64], "wrong octets");
	live_expect_event(&dev, IBV_EVENT_COMM_EST);
	await_state(end->qp, IBV_QPS_ERR);
}

/* The last message names the memory: the STag and the address of octet 4096. */
static void serve_one(int fd, enum hcadv_stream_role role)
{
	struct live_end end;
	char memory[64];

	snprintf(memory, sizeof(memory), "memory %u %llu\n", dev.mr->rkey,
		 (unsigned long long)(uintptr_t)dev.memory + 4096);
	memset(dev.memory, 0, LIVE_OCTETS);
	if (live_make(&dev, &end, fd) && live_recv(&dev, end.qp, 1, 0, 4096) &&
	    text_expect(fd, "RDMA?\n") && expect_ok(live_attach(&end, role, memory), "attach"))
		judged(&end);
	live_unmake(&end);
	verdict("rnic_peer.py as the %s", role == HCADV_STREAM_INITIATOR ? "responder" : "initiator");
}

static void pairs(void)
{
	pair_ordinary();
	pair_immediate();
	pair_closed();
	pair_aborted();
}

int main(int argc, char **argv)
{
	unsigned int number = argc > 4 ? atoi(argv[4]) : 0;

	if (argc < 4)
		return EXIT_FAILURE;
	live_open(&dev, argv[2], argv[3]);
	if (strcmp(argv[1], "ask")) {
		live_listen(&dev, strcmp(argv[1], "serve") ? 0 : number);
	} else {
		dev.address.v4.sin_port = htons(number);
		serve_one(live_connect(&dev), HCADV_STREAM_INITIATOR);
	}
	if (!strcmp(argv[1], "pair"))
		pairs();
	if (!strcmp(argv[1], "many"))
		many(number);
	if (!strcmp(argv[1], "serve"))
		serve_one(accept(dev.listener, NULL, NULL), HCADV_STREAM_RESPONDER);
	live_close(&dev);
	verdict("nothing is left");
	return lab_status();
}
