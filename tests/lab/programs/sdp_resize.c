// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_resize ask|many GID GID ADDRESS ADDRESS
 *        sdp_resize refused GID GID ADDRESS ADDRESS SIZE
 *
 * A peer of SDP that asks for private buffers of other sizes, and is asked for them: by verbs, from
 * the port with the first GID and IP address against a socket that `sdp_suspend serve` has at the
 * second, whose commands begin() sends. Prints `NAME: RESULT`. `refused` asks once, `many` after
 * the other end has got more buffers; both then end the server.
 */
#include "sdp_stream.h"

#define WHOLE WRITE /* octets that the other end sends */
/* Octets of the other end's private buffers, and of ours after begin_small(). */
#define SMALL 4096
/* Octets of the other end's largest messages, and of our private buffers by default. */
#define EQUAL 65536
#define MOST (256u << 10) /* the largest size that the other end adopts */

/* The messages about sizes since our last request, or since they were last counted from 0. */
static struct {
	uint32_t answers, requests;
	uint32_t size; /* the size that the last of them contains */
} seen;

static uint32_t credits(void)
{
	return stream.bufs - (c.mseq - stream.acked);
}

/* Calls next_message(). If the other end knows few of our buffers, it is sent a message. */
static int next(int patience)
{
	int found = next_message(patience);

	seen.answers += found == CH_RCV_BUF_ACK;
	seen.requests += found == CH_RCV_BUF;
	if (found == CH_RCV_BUF_ACK || found == CH_RCV_BUF)
		seen.size = stream.size;
	if (c.received - get32(c.out + 12) >= 6 && credits() >= 2)
		send_message(DATA, 0);
	return found;
}

static void await(void)
{
	need(next(100 * QUIET) != NONE, "message");
}

static void send_some(uint32_t octets)
{
	while (credits() < 3)
		await();
	send_data(octets);
}

static void ask(uint32_t size)
{
	while (credits() < 3)
		await();
	memset(&seen, 0, sizeof(seen));
	send_size(CH_RCV_BUF, size);
}

/* Waits for an answer, and sends small messages meanwhile if one does not come. */
static uint32_t answer(void)
{
	while (!seen.answers)
		if (next(QUIET / 6) == NONE)
			send_some(5);
	return seen.size;
}

/* Waits until so many octets in all have come back. */
static void await_octets(size_t expected)
{
	while (stream.good && stream.in < expected)
		await();
}

/* Ends a connection, when all has come back that is to. */
static void finish(size_t expected)
{
	await_octets(expected);
	while (credits() < 3)
		await();
	send_message(DISCONN, 0);
	need(gather(DISCONN), "DisConn");
	disconnect();
}

/* --- the other end is asked; it sends back all that it gets */

/*
 * Each size that is answered is used to its last octet. Payload that a slow program has not read
 * counts against the memory for the next size, so that is asked for when all has come back.
 */
static void sizes(void)
{
	static const uint32_t wanted[] = { 0, 1, 20000, 1u << 31, 0xffffffff, EQUAL, 36, 131072 };
	uint32_t size;
	size_t i;

	begin('e');
	printf("sizes:");
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		ask(wanted[i]);
		size = answer();
		printf(" %u", size);
		send_some(size - HEADER);
		send_some(1);
		send_some(size - HEADER);
		await_octets(stream.out - 1);
	}
	finish(stream.out - 1);
	printf(" %s\n", stream.good ? "good" : "wrong");
}

/* S2-238, S2-243: the answer waits for the buffers of the old size, of which three are posted. */
static void late_answer(void)
{
	uint32_t messages;

	begin('r');
	gather(0);
	ask(MOST);
	for (messages = 0; !seen.answers; messages++) {
		while (next(QUIET) != NONE)
			;
		if (!seen.answers)
			send_some(SMALL - HEADER);
	}
	printf("larger: answered after %u: %u\n", messages - 1, seen.size);
	send_some(MOST - HEADER);
	finish(0);
}

/* Data that is not read stays in buffers of the old size meanwhile. */
static void unread(void)
{
	uint32_t size, i;

	begin('i');
	ask(EQUAL);
	printf("unread: %u", answer());
	send_some(1000);
	ask(SMALL);
	size = answer();
	send_some(SMALL - HEADER);
	printf(" %u", size);
	ask(EQUAL);
	printf(" %u", answer());
	for (i = 0; i < 20; i++)
		send_some(EQUAL - HEADER);
	finish(0);
	printf(" %zu\n", stream.out);
}

/* A peer cannot have a size changed as often as it likes. */
static void often(void)
{
	uint32_t i, size = SMALL, changes = 0;

	begin('e');
	for (i = 0; i < 40; i++) {
		uint32_t before = size;

		ask(i % 2 ? SMALL : EQUAL);
		size = answer();
		changes += size != before;
	}
	send_some(size - HEADER);
	finish(stream.out - 1);
	printf("often: %u changes, %s\n", changes, stream.good ? "good" : "wrong");
}

/* S2-055: other sizes that the Hello desires. Prints what the HelloAck says. */
static void desired(void)
{
	static const uint32_t sizes[] = { 0, 1, 5000, 32768, EQUAL - 1, EQUAL + 1, 1u << 31 };
	const uint8_t *ack;
	uint32_t size, i;

	printf("desired:");
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size = htobe32(sizes[i]);
		memcpy(hello + 20, &size, 4);
		begin('e');
		ack = c.id->event->param.conn.private_data;
		printf(" %u", get32(ack + 20));
		send_some(get32(ack + 20) - HEADER);
		finish(stream.out - 1);
	}
	size = htobe32(EQUAL);
	memcpy(hello + 20, &size, 4);
	printf(" %s\n", stream.good ? "good" : "wrong");
}

/* S2-241 */
static void twice(void)
{
	begin('r');
	ask(MOST);
	ask(EQUAL);
	usleep(QUIET * 1000);
	disconnect();
}

/* S2-290: an answer that waits for buffers is not waited for. Nobody listens at the port. */
static void suspended(void)
{
	begin('r');
	ask(MOST);
	put32(HEADER, 0);
	put32(HEADER + 4, 1 << 16 | (PORT + 9));
	send_message(SUSP, 8);
	printf("suspended: %s\n", gather(SUSP_ACK) ? "answered" : "not answered");
	sleep(1);
	disconnect();
}

/* --- the other end asks; it sends much */

/* Waits for a request of the other end; returns the size that it wants. */
static uint32_t asked(void)
{
	need(gather(CH_RCV_BUF), "ChRcvBuf");
	return stream.size;
}

static void receive_all(void)
{
	memset(&seen, 0, sizeof(seen));
	stream.longest = 0;
	while (stream.good && stream.in < WHOLE)
		await();
}

/* Our buffers are larger than the Hello says. */
static void begin_small(char command_of_it)
{
	hello[25] = 0;
	hello[26] = SMALL >> 8;
	begin(command_of_it);
	hello[25] = 1;
	hello[26] = 0;
}

/* S2-235, S2-240: the other end asks once, whatever the answer is. */
static void is_asked(const char *name, uint32_t size)
{
	uint32_t wanted;

	begin_small('s');
	wanted = asked();
	send_size(CH_RCV_BUF_ACK, size);
	receive_all();
	printf("%s: wants %u, then %u more requests, longest %u, %s\n", name, wanted, seen.requests,
	       stream.longest + HEADER, stream.good ? "good" : "wrong");
	finish(0);
}

static void wrong_answer(void)
{
	begin_small('s');
	asked();
	send_size(CH_RCV_BUF_ACK, SMALL - 1);
	usleep(QUIET * 1000);
	disconnect();
}

/* S2-242: ours does not know of the other end's, which was connected to, and disregards it. */
static void crossing(void)
{
	uint32_t wanted;

	begin_small('s');
	wanted = asked();
	c.received--;
	send_size(CH_RCV_BUF, 8192);
	c.received++;
	send_size(CH_RCV_BUF_ACK, wanted);
	receive_all();
	printf("crossing: %u answers, longest %u", seen.answers, stream.longest + HEADER);
	ask(8192);
	printf(", then %u, %s\n", answer(), stream.good ? "good" : "wrong");
	send_some(8192 - HEADER);
	finish(0);
}

static void quit(void)
{
	begin('q');
	finish(0);
}

static int ask_all(char **arguments)
{
	name_ends(arguments);
	setbuf(stdout, NULL);
	sizes();
	late_answer();
	unread();
	often();
	desired();
	twice();
	suspended();
	is_asked("has room", EQUAL);
	is_asked("has none", SMALL);
	wrong_answer();
	crossing();
	quit();
	return 0;
}

static int refused(char **arguments)
{
	uint32_t size;

	name_ends(arguments);
	begin('e');
	ask(strtoul(arguments[4], NULL, 0));
	size = answer();
	printf("refused: %u", size);
	send_some(size - HEADER);
	finish(stream.out - 1);
	printf(" %s\n", stream.good ? "good" : "wrong");
	quit();
	return 0;
}

/* Full messages, which give the other end more buffers; then the largest size is asked for. */
static int many(char **arguments)
{
	uint32_t i;

	name_ends(arguments);
	begin('e');
	for (i = 0; i < 300; i++)
		send_some(SMALL - HEADER);
	await_octets(stream.out - 1);
	ask(MOST);
	printf("many: %u", answer());
	finish(stream.out - 1);
	printf(" %s\n", stream.good ? "good" : "wrong");
	quit();
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 6 && !strcmp(argv[1], "ask"))
		return ask_all(argv + 2);
	if (argc == 7 && !strcmp(argv[1], "refused"))
		return refused(argv + 2);
	if (argc == 6 && !strcmp(argv[1], "many"))
		return many(argv + 2);
	fprintf(stderr, "usage: sdp_resize ask|many GID GID ADDRESS ADDRESS\n"
			"       sdp_resize refused GID GID ADDRESS ADDRESS SIZE\n");
	return 2;
}
