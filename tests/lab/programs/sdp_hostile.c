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
#include "sdp_peer.h"

/* --- the victim */

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
	{ "no port", 29, 0 },
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

/* --- attacks: Write Zcopy. In Pipelined mode the victim, which waits for data, makes room. */

static void be_given_room(void)
{
	const uint8_t *message;

	memset(c.out + HEADER, 0, 4);
	c.out[HEADER] = 0x20;
	header(MODE, HEADER + 4);
	transmit(HEADER + 4);
	command('r');
	message = receive(SINK_AVAIL);
	given.left = get32(message + 16);
	given.key = get32(message + 20);
	given.addr = (uint64_t)get32(message + 24) << 32 | get32(message + 28);
}

static void writes_late(void)
{
	be_given_room();
	printf("writes: %s\n", rdma(true, given.addr, given.left));
	send_size(WR_COMPL, given.left);
	sleep(1);
	printf("writes after it has told: %s\n", rdma(true, given.addr, 1));
}

static void too_much_written(void)
{
	be_given_room();
	send_size(WR_COMPL, given.left + 1);
}

/* --- attacks: RDMA beyond what was given, or of the other kind */

static const struct {
	const char *name;
	void (*be_given)(void);
	bool write;
	int offset; /* from where it begins */
	uint32_t octets; /* 0: one more than there are */
} accesses[] = {
	{ "reads one octet more", be_given, false, 0, 0 },
	{ "reads what is before it", be_given, false, -8192, 4096 },
	{ "writes what it may read", be_given, true, 0, 100 },
	{ "writes one octet more", be_given_room, true, 0, 0 },
	{ "writes what is before it", be_given_room, true, -8192, 4096 },
	{ "reads where it may write", be_given_room, false, 0, 100 },
};

static void attack_by_rdma(void)
{
	uint32_t octets;
	size_t i;

	for (i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++) {
		need(!connect_with(hello), accesses[i].name);
		accesses[i].be_given();
		octets = accesses[i].octets ? accesses[i].octets : given.left + 1;
		printf("%s: %s\n", accesses[i].name,
		       rdma(accesses[i].write, given.addr + accesses[i].offset, octets));
		sleep(1); /* so that the end of the connection is not its reason to fail */
		disconnect();
	}
}

static void attack_zcopy(void)
{
	static void (*const attacks[])(void) = {
		no_memory, too_much_read, two_answers, no_answer, reads_late,
		reads_after_refusal, writes_late, too_much_written,
	};
	size_t i;

	for (i = 0; i < sizeof(attacks) / sizeof(attacks[0]); i++) {
		need(!connect_with(hello), "connect");
		attacks[i]();
		sleep(1);
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

static int attack(char **arguments)
{
	name_ends(arguments);
	setbuf(stdout, NULL);
	attack_setup();
	attack_by_datagrams();
	attack_messages();
	attack_zcopy();
	attack_by_rdma();
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
		return serve(argv[2], serve_one);
	if (argc == 7 && !strcmp(argv[1], "attack"))
		return attack(argv + 2);
	fprintf(stderr, "usage: sdp_hostile serve ADDRESS | attack GID GID ADDRESS ADDRESS SEEDS\n");
	return 2;
}
