// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_suspend serve ADDRESS [zerocopy]
 *        sdp_suspend initiate GID GID ADDRESS ADDRESS
 *        sdp_suspend rdma ADDRESS
 *        sdp_suspend vanish GID GID ADDRESS ADDRESS COMMAND
 *
 * A peer of SDP that suspends connections: by verbs, from the port with the first GID and IP
 * address, with a socket that `serve` has at the second. The new address space, which the SuspComm
 * names, is an SDP socket. `serve` prints a line for each connection: the octets that its program
 * has received and sent, and the error that it got at last, or end. `initiate` prints
 * `NAME: RESULT`. `rdma` does one thing of it, by rdma_cm's TCP port space, within a host. `vanish`
 * suspends one connection, and does not listen.
 *
 * The first octet of a connection is a command to `serve`: e, echo; s, send 1 MiB in parts; z, send
 * 1 MiB at once; r, read much at once; i, be idle for two seconds, then read; d, be idle, then shut
 * down and read; c, be idle, then close; q, end. All other octets of a stream are those of a
 * pattern. With `zerocopy` they are sent by MSG_ZEROCOPY.
 */
#include "sdp_stream.h"
#include <poll.h>

#define NEW_PORT 7003
#define PART 65536

/* --- the socket that is suspended, and knows nothing of it */

static size_t received, sent; /* octets */
static int send_flags = MSG_NOSIGNAL;

static ssize_t send_all(int fd, size_t octets, size_t part)
{
	static uint8_t data[WRITE];
	size_t end = sent + octets;

	while (sent < end) {
		size_t most = end - sent < part ? end - sent : part;
		ssize_t some;

		fill(data, most, sent);
		some = send(fd, data, most, send_flags);
		if (some < 0)
			return some;
		sent += some;
	}
	return end;
}

/* Returns what ended it. */
static ssize_t receive_all(int fd, bool echo, size_t part)
{
	static uint8_t data[WRITE];
	ssize_t some;

	while ((some = recv(fd, data, part, 0)) > 0) {
		if (!matches(data, some, received)) {
			errno = EILSEQ;
			return -1;
		}
		received += some;
		if (echo && send_all(fd, some, some) < 0)
			return -1;
	}
	return some;
}

/* Whether a call that does not wait sees anything but room and data (poll: S2-294) */
static bool is_well(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN | POLLOUT };

	return poll(&poller, 1, 0) >= 0 && !(poller.revents & (POLLERR | POLLHUP));
}

/* Returns whether there is to be another connection. */
static bool serve_one(int fd)
{
	uint8_t command = 0;
	ssize_t ret = recv(fd, &command, 1, 0);

	received = ret > 0 ? ret : 0;
	sent = 0;
	if (send_flags & MSG_ZEROCOPY)
		setsockopt(fd, IPPROTO_SDP, SO_ZEROCOPY, &(int){ 1 }, sizeof(int));
	if (command && strchr("idc", command)) {
		sleep(2);
		if (!is_well(fd))
			printf("poll reports an error\n");
	}
	if (command == 's' || command == 'z')
		ret = send_all(fd, WRITE, command == 's' ? PART : WRITE);
	if (command == 'd')
		shutdown(fd, SHUT_WR);
	if (ret >= 0 && command != 'c')
		ret = receive_all(fd, command == 'e', command == 'r' ? WRITE : PART);
	printf("%zu %zu %s\n", received, sent, command == 'c' ? "closed" : result_of(ret));
	fflush(stdout);
	close(fd);
	return command != 'q';
}

/* --- the controlling address space, by verbs */

static void send_susp_comm(uint16_t port)
{
	put32(HEADER, 0);
	put32(HEADER + 4, 1 << 16 | port);
	send_message(SUSP, 8);
}

/* --- the new address space, a socket */

static int listener;

/* Whether the Hello has named the ends as the first one did: S2-288, S2-291 */
static bool is_named(int fd)
{
	struct sockaddr_in peer, own;
	socklen_t len = sizeof(peer);

	if (binding.space != RDMA_PS_IB)
		return true;
	return !getpeername(fd, (void *)&peer, &len) && !getsockname(fd, (void *)&own, &len) &&
	       !memcmp(&peer.sin_addr, hello + 60, 4) && peer.sin_port == htons(PORT) &&
	       !memcmp(&own.sin_addr, hello + 44, 4) && own.sin_port == htons(NEW_PORT);
}

/* Suspends; the stream to us goes on at what is received then. Returns the new connection. */
static int suspend(void)
{
	int fd;

	send_susp_comm(NEW_PORT);
	need(gather(SUSP_ACK), "SuspCommAck");
	fd = accept(listener, NULL, NULL);
	need(fd >= 0, "accept");
	stream.good = stream.good && is_named(fd);
	disconnect();
	received = stream.in;
	sent = stream.out;
	return fd;
}

/* Sends so much more, and receives up to @end octets in all. */
static void go_on(const char *name, int fd, size_t more, size_t end)
{
	static uint8_t data[PART];
	ssize_t some = 1;

	stream.good = stream.good && send_all(fd, more, PART) >= 0;
	while (stream.good && received < end && (some = recv(fd, data, sizeof(data), 0)) > 0) {
		stream.good = matches(data, some, received);
		received += some;
	}
	shutdown(fd, SHUT_WR);
	if (stream.good && some > 0)
		some = recv(fd, data, 1, 0);
	printf("%s: %zu %zu %s\n", name, sent, received, stream.good ? result_of(some) : "wrong");
	close(fd);
}

/* The command is not sent back. */
static void echo(void)
{
	begin('e');
	send_data(3000);
	while (stream.in < 3000)
		need(gather(DATA), "echo");
	go_on("echo", suspend(), 100000, 103000);
}

static void unread(void)
{
	begin('i');
	send_data(2000);
	go_on("unread", suspend(), 5000, 0);
}

/* The other end has used all credits, and more waits. */
static void unsent(void)
{
	begin('s');
	gather(0);
	go_on("unsent", suspend(), 0, WRITE);
}

static void not_answered(void)
{
	begin('z');
	need(gather(SRC_AVAIL), "SrcAvail");
	go_on("advertised", suspend(), 0, WRITE);
}

static void read_in_part(void)
{
	uint32_t octets = 300000;

	begin('z');
	need(gather(SRC_AVAIL), "SrcAvail");
	need(!rdma_post_read(c.id, NULL, c.memory, octets, c.mr, 0, stream.address, stream.key),
	     "read");
	stream.good = stream.good && completed() == IBV_WC_SUCCESS &&
		      matches(c.memory, octets, stream.in);
	stream.in += octets;
	send_size(RD_COMPL, octets);
	go_on("read in part", suspend(), 0, WRITE);
}

/* S2-T37: who has sent DisConn before receives on, and does not send it again. */
static void half_closed(void)
{
	int fd;

	begin('d');
	need(gather(DISCONN), "DisConn");
	fd = suspend();
	need(send_all(fd, 1000, PART) >= 0, "send");
	close(fd);
}

/* S2-290: what is being read is read; how much that is we know from RdmaRdCompl. */
static void being_read(void)
{
	uint32_t octets = 500000;
	int fd;

	begin('r');
	fill(c.memory, octets, stream.out);
	c.out[HEADER + 16] = pattern(stream.out);
	stream.out++;
	advertise(octets, c.mr->rkey, (uintptr_t)c.memory, 1);
	fd = suspend();
	go_on("being read", fd, 600000 - stream.out, 0);
}

static void many_times(void)
{
	int i;

	for (i = 0; i < 20; i++) {
		begin('e');
		send_data(10);
		go_on("again", suspend(), 10, 20);
	}
}

/* Nobody listens at the port. */
static void nobody(void)
{
	begin('r');
	send_susp_comm(NEW_PORT + 1);
	printf("nobody: %s\n", gather(SUSP_ACK) ? "suspended" : "none");
	sleep(1);
	disconnect();
}

/* S2-289: nothing may come after SuspComm, which has no credit for its answer here. */
static void more_data(void)
{
	begin('r');
	put32(HEADER, 0);
	put32(HEADER + 4, 1 << 16 | NEW_PORT);
	header(SUSP, HEADER + 8);
	c.out[3] = 0;
	transmit(HEADER + 8);
	usleep(QUIET * 1000);
	send_data(1);
	sleep(1);
	disconnect();
}

/* Our buffers are of a page, as the new socket's are: it has to have the old size (S2-293). */
static void shrink(void)
{
	hello[25] = 0;
	hello[26] = 4096 >> 8;
}

static int initiate(char **arguments)
{
	name_ends(arguments);
	shrink();
	setbuf(stdout, NULL);
	listener = listening(arguments[2], NEW_PORT);
	if (listener < 0)
		return 1;
	echo();
	unread();
	unsent();
	not_answered();
	read_in_part();
	being_read();
	half_closed();
	many_times();
	nobody();
	more_data();
	begin('q');
	send_message(DISCONN, 0);
	gather(DISCONN);
	disconnect();
	return 0;
}

static int by_rdma(const char *text)
{
	name_rdma_ends(text);
	shrink();
	listener = listening(text, NEW_PORT);
	if (listener < 0)
		return 1;
	unsent();
	return 0;
}

/* Whoever calls this has seen to it that the other end finds no path. */
static int vanish(char **arguments)
{
	name_ends(arguments);
	begin(arguments[4][0]);
	send_susp_comm(NEW_PORT);
	printf("%s\n", gather(SUSP_ACK) ? "suspended" : "none");
	disconnect();
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[3], "zerocopy"))
		send_flags |= MSG_ZEROCOPY;
	if ((argc == 3 || send_flags & MSG_ZEROCOPY) && !strcmp(argv[1], "serve"))
		return serve(argv[2], serve_one);
	if (argc == 6 && !strcmp(argv[1], "initiate"))
		return initiate(argv + 2);
	if (argc == 3 && !strcmp(argv[1], "rdma"))
		return by_rdma(argv[2]);
	if (argc == 7 && !strcmp(argv[1], "vanish"))
		return vanish(argv + 2);
	fprintf(stderr, "usage: sdp_suspend serve ADDRESS [zerocopy] | initiate GID GID ADDRESS ADDRESS |\n"
			"       sdp_suspend rdma ADDRESS | vanish GID GID ADDRESS ADDRESS COMMAND\n");
	return 2;
}
