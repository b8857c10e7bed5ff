// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_waits PROTOCOL FAMILY
 *
 * What ends the wait of large writes and reads: timeouts, signals with and without SA_RESTART, and
 * a connection that is lost. Each call reports as many octets as the other end gets. What is
 * printed is what sdp_lab.h says.
 */
#include "sdp_lab.h"
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#define BIG (4u << 20) /* octets, more than a connection has room for */
#define SMALL (1u << 20) /* octets that are read by RDMA if both ends wait */
#define SOON 100 /* ms: while a write of SDP waits for the peer's program to read by RDMA */
#define LATER 1500 /* ms: long after that */

static uint8_t data[BIG], back[BIG];
static volatile sig_atomic_t signals;

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void timeout(int fd, int option, int ms)
{
	struct timeval time = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };

	if (setsockopt(fd, SOL_SOCKET, option, &time, sizeof(time)))
		fail("timeout");
}

/* A connection with little room, which is full soon. */
static void narrow(int *pair)
{
	uint16_t port = next_port++;
	int server = listening(port), room = 200000;

	setsockopt(server, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	pair[1] = new_socket(1);
	setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	if (connect(pair[1], address(0, port), name_len()))
		fail("connect");
	pair[0] = accept(server, NULL, NULL);
	if (pair[0] < 0)
		fail("accept");
	close(server);
}

static void count_signal(int number)
{
	(void)number;
	signals++;
}

/* SIGALRM @ms milliseconds from now, and each @again milliseconds from then on. */
static void alarm_in(int ms, int again, int flags)
{
	const struct sigaction action = { .sa_handler = count_signal, .sa_flags = flags };
	const struct itimerval timer = {
		.it_value.tv_usec = ms * 1000,
		.it_interval.tv_usec = again * 1000,
	};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* Reads @len octets, however often that is interrupted. Return: how many there were. */
static size_t read_all(int fd, size_t len)
{
	size_t got = 0;
	ssize_t more;

	while (got < len) {
		more = recv(fd, back + got, len - got, 0);
		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			break;
		got += more;
	}
	return got;
}

/* A process that reads, once it knows how much was sent, and one octet more. */
struct reader {
	pid_t pid;
	int pipes[2];
};

static int read_checked(int fd, size_t len)
{
	uint8_t other = ~data[len % BIG], octet;
	size_t at, some;

	for (at = 0; at < len; at += some) {
		some = len - at < BIG ? len - at : BIG;
		if (read_all(fd, some) != some)
			return 1;
		if (memcmp(back, data, some))
			return 2;
	}
	return recv(fd, &octet, 1, MSG_WAITALL) == 1 && octet == other ? 0 : 3;
}

static struct reader reader_start(int fd)
{
	struct reader reader;
	size_t len;

	if (pipe(reader.pipes))
		fail("pipe");
	reader.pid = fork();
	if (!reader.pid) {
		if (read(reader.pipes[0], &len, sizeof(len)) != sizeof(len))
			_exit(4);
		usleep(LATER * 1000);
		_exit(read_checked(fd, len));
	}
	return reader;
}

static void reader_knows(const struct reader *reader, size_t len)
{
	if (write(reader->pipes[1], &len, sizeof(len)) != sizeof(len))
		fail("write");
}

/* Return: 0 if exactly @len octets of the pattern had been sent. */
static long reader_end(const struct reader *reader, int fd, size_t len)
{
	uint8_t other = ~data[len % BIG];
	int status;

	timeout(fd, SO_SNDTIMEO, 0);
	if (send(fd, &other, 1, 0) != 1 || waitpid(reader->pid, &status, 0) != reader->pid)
		return -1;
	close(reader->pipes[0]);
	close(reader->pipes[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 5;
}

static void fill_pattern(void)
{
	for (size_t i = 0; i < BIG; i++)
		data[i] = i * 7 + (i >> 8) * 13 + (i >> 16) * 5;
}

/* Writes behind @sent octets until there is no room left. Return: octets in all. */
static size_t fill_room(int fd, size_t sent)
{
	ssize_t more;

	timeout(fd, SO_SNDTIMEO, 300);
	while ((more = send(fd, data + sent, BIG - sent, 0)) > 0)
		sent += more;
	result("a write without room", more);
	return sent;
}

/* S2-312, S2-T31: the memory is the program's as soon as a call has returned. */
static void send_timeout(void)
{
	struct reader reader;
	long began = now();
	ssize_t sent;
	int pair[2];

	narrow(pair);
	reader = reader_start(pair[0]);
	timeout(pair[1], SO_SNDTIMEO, 500);
	sent = send(pair[1], data, BIG, 0);
	memset(data, 0, BIG);
	result("the time is over", now() - began >= 490);
	result("a part was sent", sent > 0 && sent < BIG);
	fill_pattern();
	sent = fill_room(pair[1], sent);
	reader_knows(&reader, sent);
	CALL(reader_end(&reader, pair[1], sent));
	both_close(pair);
}

/* A timeout that is shorter than the time in which the peer may read by RDMA. */
static void short_timeout(void)
{
	struct reader reader;
	long began = now();
	ssize_t sent;
	int pair[2];

	narrow(pair);
	reader = reader_start(pair[0]);
	timeout(pair[1], SO_SNDTIMEO, 40);
	sent = send(pair[1], data, BIG, 0);
	memset(data, 0, BIG);
	result("the time is over", now() - began >= 30);
	result("a part was sent", sent > 0 && sent < BIG);
	fill_pattern();
	reader_knows(&reader, sent);
	CALL(reader_end(&reader, pair[1], sent));
	both_close(pair);
}

static long readable(int fd)
{
	int count;

	return ioctl(fd, FIONREAD, &count) ? -1 : count;
}

static void await(int fd, int count)
{
	while (readable(fd) < count)
		usleep(1000);
}

static bool is_untouched(void)
{
	size_t i = 0;

	while (i < SMALL && back[i] == 0x55)
		i++;
	return i == SMALL;
}

static void receive_timeout(void)
{
	int pair[2], status;
	pid_t writer;
	long began;

	connected(pair);
	timeout(pair[0], SO_RCVTIMEO, 300);
	began = now();
	CALL(recv(pair[0], back, SMALL, 0));
	result("the time is over", now() - began >= 290);
	CALL(send(pair[1], data, 50000, 0));
	await(pair[0], 50000);
	CALL(recv(pair[0], back, SMALL, MSG_WAITALL));
	CALL(memcmp(back, data, 50000));
	CALL(recv(pair[0], back, SMALL, MSG_WAITALL));
	memset(back, 0x55, SMALL);
	writer = fork();
	if (!writer)
		_exit(send(pair[1], data, SMALL, 0) != SMALL);
	usleep(SOON * 1000);
	result("memory of the call that has ended is untouched", is_untouched());
	timeout(pair[0], SO_RCVTIMEO, SECONDS * 1000);
	CALL(recv(pair[0], back, SMALL, MSG_WAITALL));
	CALL(memcmp(back, data, SMALL));
	CALL(waitpid(writer, &status, 0) == writer ? WEXITSTATUS(status) : -1);
	both_close(pair);
}

/* Writes until a signal ends a call that has found no room. Return: octets in all. */
static size_t write_until_signal(int fd, size_t sent)
{
	ssize_t more;

	while ((more = send(fd, data + sent, BIG - sent, 0)) > 0)
		sent += more;
	result("a write without room", more);
	return sent;
}

/* Writes all that is left. No call fails, however many signals there are. */
static size_t write_rest(int fd, size_t sent)
{
	ssize_t more = 1;

	for (; sent < BIG && more > 0; sent += more > 0 ? more : 0)
		more = send(fd, data + sent, BIG - sent, 0);
	result("the rest is written", more > 0 ? sent == BIG : more);
	return sent;
}

/* The first signal comes while a write of SDP waits for the peer's program, the others later. */
static void interrupted_write(int flags)
{
	struct reader reader;
	size_t sent;
	int pair[2];

	signals = 0;
	narrow(pair);
	reader = reader_start(pair[0]);
	alarm_in(SOON, SOON, flags);
	sent = send(pair[1], data, BIG, 0);
	result("a part was sent", sent > 0 && sent < BIG);
	timeout(pair[1], SO_SNDTIMEO, SECONDS * 1000);
	sent = write_until_signal(pair[1], sent);
	timeout(pair[1], SO_SNDTIMEO, 0);
	if (flags & SA_RESTART) {
		reader_knows(&reader, BIG);
		sent = write_rest(pair[1], sent);
	} else {
		sent = write_until_signal(pair[1], sent);
		reader_knows(&reader, sent);
	}
	alarm_in(0, 0, flags);
	CALL(reader_end(&reader, pair[1], sent));
	result("there were signals", signals > 0);
	both_close(pair);
}

static void write_restarts(void)
{
	interrupted_write(SA_RESTART);
}

static void write_ends(void)
{
	interrupted_write(0);
}

/* Reads until there is all. No call fails, however many signals there are. */
static long read_rest(int fd)
{
	ssize_t more = 1;
	size_t got = 0;

	for (; got < SMALL && more > 0; got += more > 0 ? more : 0)
		more = recv(fd, back + got, SMALL - got, MSG_WAITALL);
	return more > 0 ? (long)got : more;
}

static void interrupted_read(int flags)
{
	int pair[2], status;
	pid_t writer;

	signals = 0;
	connected(pair);
	timeout(pair[0], SO_RCVTIMEO, SECONDS * 1000);
	alarm_in(SOON, SOON, flags);
	CALL(recv(pair[0], back, SMALL, 0));
	timeout(pair[0], SO_RCVTIMEO, 0);
	CALL(send(pair[1], data, 1000, 0));
	await(pair[0], 1000);
	CALL(recv(pair[0], back, SMALL, MSG_WAITALL));
	CALL(memcmp(back, data, 1000));
	writer = fork();
	if (!writer) {
		usleep(LATER * 1000);
		_exit(send(pair[1], data, SMALL, 0) != SMALL);
	}
	if (!(flags & SA_RESTART)) {
		CALL(recv(pair[0], back, SMALL, MSG_WAITALL));
		alarm_in(0, 0, flags);
	}
	CALL(read_rest(pair[0]));
	CALL(memcmp(back, data, SMALL));
	CALL(waitpid(writer, &status, 0) == writer ? WEXITSTATUS(status) : -1);
	alarm_in(0, 0, flags);
	result("there were signals", signals > 0);
	both_close(pair);
}

static void read_restarts(void)
{
	interrupted_read(SA_RESTART);
}

static void read_ends(void)
{
	interrupted_read(0);
}

static size_t write_all(int fd, size_t len)
{
	size_t sent = 0;
	ssize_t more;

	while (sent < len) {
		more = send(fd, data + sent, len - sent, 0);
		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			break;
		sent += more;
	}
	return sent;
}

/* Signals at both ends all the time, with and without SA_RESTART. */
static void many_signals(void)
{
	for (int flags = 0; flags <= SA_RESTART; flags += SA_RESTART) {
		int pair[2], status, i;
		pid_t writer;

		connected(pair);
		writer = fork();
		if (!writer) {
			alarm_in(7, 23, flags);
			for (i = 0; i < 4 && write_all(pair[1], BIG) == BIG;)
				i++;
			_exit(i != 4);
		}
		alarm_in(11, 31, flags);
		for (i = 0; i < 4; i++) {
			CALL(read_all(pair[0], BIG));
			CALL(memcmp(back, data, BIG));
		}
		alarm_in(0, 0, flags);
		CALL(waitpid(writer, &status, 0) == writer ? WEXITSTATUS(status) : -1);
		both_close(pair);
	}
}

/* Octets that arrived before the connection was lost are read before the error is reported. */
static void lost(void)
{
	struct linger at_once = { .l_onoff = 1 };
	int pair[2];

	connected(pair);
	CALL(send(pair[1], data, 10, 0));
	await(pair[0], 10);
	CALL(setsockopt(pair[1], SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)));
	close(pair[1]);
	CALL(wait_for(pair[0], POLLHUP, POLLERR | POLLHUP));
	CALL(recv(pair[0], back, 100, MSG_WAITALL));
	CALL(recv(pair[0], back, 100, MSG_WAITALL));
	CALL(recv(pair[0], back, 100, MSG_WAITALL));
	close(pair[0]);
}

static const struct section sections[] = {
	{ "SO_SNDTIMEO", send_timeout },
	{ "short SO_SNDTIMEO", short_timeout },
	{ "SO_RCVTIMEO", receive_timeout },
	{ "signal, write, no SA_RESTART", write_ends },
	{ "signal, write, SA_RESTART", write_restarts },
	{ "signal, read, no SA_RESTART", read_ends },
	{ "signal, read, SA_RESTART", read_restarts },
	{ "many signals", many_signals },
	{ "lost", lost },
};

int main(int argc, char **argv)
{
	fill_pattern();
	return SECTIONS_RUN(argc, argv, sections);
}
