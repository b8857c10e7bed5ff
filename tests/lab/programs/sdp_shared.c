// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_shared PROTOCOL FAMILY
 *
 * A connection that several processes have: passed by SCM_RIGHTS while a write waits, inherited by
 * fork(), shut down or reset while another process waits. What is printed is what sdp_lab.h says.
 */
#include "sdp_lab.h"
#include <sys/wait.h>

#define LARGE (1u << 20) /* octets that are read by RDMA if both ends wait */
#define BIG (16u << 20) /* octets, more than a connection has room for */
#define SOON 50000 /* us: in which a write that has begun comes to wait */
#define PERIOD 127

static uint8_t data[BIG], back[BIG];

/* Octets of writer @who, 0 or 1, whose number is the highest bit. */
static void fill_pattern(int who)
{
	for (size_t i = 0; i < BIG; i++)
		data[i] = who << 7 | i % PERIOD;
}

static void pass(int by, int fd)
{
	char room[CMSG_SPACE(sizeof(int))] = { 0 }, octet = 0;
	struct iovec part = { &octet, 1 };
	struct msghdr msg = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = room,
		.msg_controllen = sizeof(room),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&msg);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	if (sendmsg(by, &msg, 0) != 1)
		fail("sendmsg");
}

static int passed(int by)
{
	char room[CMSG_SPACE(sizeof(int))], octet;
	struct iovec part = { &octet, 1 };
	struct msghdr msg = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = room,
		.msg_controllen = sizeof(room),
	};
	int fd;

	if (recvmsg(by, &msg, 0) != 1 || !CMSG_FIRSTHDR(&msg))
		_exit(10);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

/* Writes @octets in writes of @size. Return: an exit status. */
static int write_all(int fd, int who, size_t octets, size_t size)
{
	size_t sent = 0, some;
	ssize_t more;

	fill_pattern(who);
	for (; sent < octets; sent += more) {
		some = octets - sent < size ? octets - sent : size;
		/* The pattern goes on at any octet that is a multiple of its period. */
		more = send(fd, data + sent % PERIOD, some, 0);
		if (more <= 0)
			return 11;
	}
	return 0;
}

static pid_t writer_start(int *pair, int who, size_t octets, size_t size)
{
	pid_t pid = fork();
	int status;

	if (pid)
		return pid;
	close(pair[0]);
	status = write_all(pair[1], who, octets, size);
	close(pair[1]);
	_exit(status);
}

static long status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

/* Reads to the end, and counts the octets of each writer, which come in order. */
static void read_both(int fd)
{
	size_t counts[2] = { 0 }, wrong = 0;
	ssize_t got, i;

	while ((got = recv(fd, back, LARGE / 2, 0)) > 0) {
		for (i = 0; i < got; i++)
			wrong += (back[i] & 127) != counts[back[i] >> 7]++ % PERIOD;
	}
	result("the end", got);
	result("octets of the first", counts[0]);
	result("octets of the second", counts[1]);
	result("octets that are wrong", wrong);
}

/* Another process gets the socket while a write waits, and writes @octets before it closes. */
static void pass_while_waiting(size_t octets)
{
	int pair[2], by[2], got, status;
	pid_t first, second;
	char octet;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, by))
		fail("socketpair");
	second = fork();
	if (!second) {
		close(by[0]);
		got = passed(by[1]);
		octet = octets ? write(by[1], "", 1) : 0;
		status = write_all(got, 1, octets, LARGE / 2);
		close(got);
		if (!octets)
			octet = write(by[1], "", 1);
		_exit(status + octet - 1);
	}
	close(by[1]);
	connected(pair);
	first = writer_start(pair, 0, 2 * LARGE, LARGE);
	wait_for(pair[0], POLLIN, POLLIN); /* so its first write has begun */
	pass(by[0], pair[1]);
	close(pair[1]);
	CALL(recv(by[0], &octet, 1, 0));
	read_both(pair[0]);
	CALL(status_of(first));
	CALL(status_of(second));
	close(by[0]);
	close(pair[0]);
}

static void passed_and_closed(void)
{
	pass_while_waiting(0);
}

static void passed_and_written(void)
{
	pass_while_waiting(3 * LARGE / 2);
}

static void writers(size_t size)
{
	pid_t first, second;
	int pair[2];

	connected(pair);
	first = writer_start(pair, 0, BIG / 4, LARGE);
	second = writer_start(pair, 1, BIG / 4, size);
	close(pair[1]);
	read_both(pair[0]);
	CALL(status_of(first));
	CALL(status_of(second));
	close(pair[0]);
}

static void both_write_much(void)
{
	writers(300000);
}

static void one_writes_little(void)
{
	writers(5000);
}

/* Counts what it reads to the end. */
static pid_t reader_start(int *pair, int to)
{
	size_t count = 0;
	pid_t pid = fork();
	ssize_t got;

	if (pid)
		return pid;
	close(pair[1]);
	while ((got = recv(pair[0], back, 100000, 0)) > 0)
		count += got;
	_exit(got || write(to, &count, sizeof(count)) != sizeof(count));
}

static void both_read(void)
{
	size_t counts[2] = { 0 };
	pid_t first, second;
	int pair[2], pipes[2];

	if (pipe(pipes))
		fail("pipe");
	connected(pair);
	first = reader_start(pair, pipes[1]);
	second = reader_start(pair, pipes[1]);
	close(pair[0]);
	CALL(write_all(pair[1], 0, BIG / 2, 300000));
	CALL(shutdown(pair[1], SHUT_WR));
	CALL(status_of(first));
	CALL(status_of(second));
	CALL(read(pipes[0], counts, sizeof(counts)));
	result("octets", counts[0] + counts[1]);
	close(pipes[0]);
	close(pipes[1]);
	close(pair[1]);
}

/* Starts a process that writes three times, and reports the result of each to @to at once. */
static pid_t waiting_start(int *pair, int to)
{
	pid_t pid = fork();
	long sent;

	if (pid)
		return pid;
	close(pair[0]);
	for (int i = 0; i < 3; i++) {
		sent = send(pair[1], data, BIG, 0);
		if (sent < 0)
			sent = -errno;
		if (write(to, &sent, sizeof(sent)) != sizeof(sent))
			_exit(1);
	}
	_exit(0);
}

static long next_of(int from)
{
	long sent;

	if (read(from, &sent, sizeof(sent)) != sizeof(sent))
		return -1;
	errno = sent < 0 ? -sent : 0;
	return sent < 0 ? -1 : sent;
}

static long count_to_end(int fd)
{
	long count = 0;
	ssize_t got;

	while ((got = recv(fd, back, LARGE, 0)) > 0)
		count += got;
	return got ? -1 : count;
}

static void shut_down(void)
{
	int pair[2], pipes[2];
	pid_t writer;
	long sent;

	if (pipe(pipes))
		fail("pipe");
	connected(pair);
	writer = waiting_start(pair, pipes[1]);
	wait_for(pair[0], POLLIN, POLLIN);
	usleep(SOON);
	CALL(shutdown(pair[1], SHUT_WR));
	sent = next_of(pipes[0]);
	result("a part was sent", sent > 0 && sent < BIG);
	CALL(next_of(pipes[0]));
	CALL(next_of(pipes[0]));
	CALL(status_of(writer));
	CALL(count_to_end(pair[0]) == sent);
	close(pipes[0]);
	close(pipes[1]);
	both_close(pair);
}

static void reset(void)
{
	int pair[2], pipes[2];
	pid_t writer;
	long sent;

	if (pipe(pipes))
		fail("pipe");
	connected(pair);
	writer = waiting_start(pair, pipes[1]);
	close(pair[1]);
	wait_for(pair[0], POLLIN, POLLIN);
	usleep(SOON);
	close(pair[0]); /* with octets that were not read */
	sent = next_of(pipes[0]);
	result("a part was sent", sent > 0 && sent < BIG);
	CALL(next_of(pipes[0]));
	CALL(next_of(pipes[0]));
	CALL(status_of(writer));
	close(pipes[0]);
	close(pipes[1]);
}

static const struct section sections[] = {
	{ "passed, and closed", passed_and_closed },
	{ "passed, and written to", passed_and_written },
	{ "two that write much", both_write_much },
	{ "one that writes much, one little", one_writes_little },
	{ "two that read", both_read },
	{ "shut down by another", shut_down },
	{ "reset by the peer", reset },
};

int main(int argc, char **argv)
{
	fill_pattern(0);
	return SECTIONS_RUN(argc, argv, sections);
}
