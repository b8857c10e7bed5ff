// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_calls PROTOCOL FAMILY
 *
 * Calls of sockets, one after the other, with what each returned: of SDP (PROTOCOL 257) they must
 * be what they are of TCP (PROTOCOL 6). FAMILY is 4, 6, or 27 for sockets of that family with
 * addresses of IPv4. What is printed is what sdp_lab.h says.
 */
#include "sdp_lab.h"
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>

static int urgent_signals;
static char data[300000], back[300000];

static long events_of(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN | POLLOUT | POLLPRI | POLLRDHUP };

	return poll(&poller, 1, 0) < 0 ? -1 : poller.revents;
}

/* Reads until @len octets are there, or the end. */
static long read_all(int fd, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t more = recv(fd, back + got, len - got, 0);

		if (more < 0)
			return -1;
		if (!more)
			break;
		got += more;
	}
	return got;
}

static void names(void)
{
	int a = new_socket(0), b = new_socket(0), server, client, one = 1;
	struct sockaddr_storage got = { 0 };
	socklen_t len = sizeof(got);
	uint16_t port = next_port++;

	CALL(getpeername(a, (void *)&got, &len));
	CALL(bind(a, address(1, port), name_len()));
	CALL(bind(a, address(0, port), name_len()));
	CALL(bind(a, address(0, port + 1000), name_len()));
	CALL(bind(b, address(0, port), name_len()));
	CALL(setsockopt(b, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	CALL(bind(b, address(0, port), name_len()));
	CALL(bind(b, address(0, port), 3));
	CALL(accept(a, NULL, NULL));
	CALL(listen(a, 5));
	CALL(connect(a, address(0, port), name_len()));
	close(b);
	server = a;
	client = new_socket(1);
	CALL(connect(client, address(0, port), name_len()));
	CALL(connect(client, address(0, port), name_len()));
	len = sizeof(got);
	CALL(getpeername(client, (void *)&got, &len));
	CALL(memcmp(&got, address(0, port), name_len()));
	result("octets of an address", len);
	b = CALL(accept4(server, NULL, NULL, SOCK_NONBLOCK)) < 0 ? -1 : 0;
	CALL(listen(client, 5));
	close(server);
	close(client);
	CALL(connect(a = new_socket(1), address(0, port), name_len()));
	CALL(error_of(a));
	close(a);
}

static void unconnected(void)
{
	int fd = new_socket(1);

	CALL(send(fd, data, 1, MSG_NOSIGNAL));
	CALL(recv(fd, back, 1, 0));
	CALL(shutdown(fd, SHUT_RDWR));
	CALL(shutdown(fd, 7));
	CALL(events_of(fd));
	close(fd);
}

static void nonblocking(void)
{
	uint16_t port = next_port++;
	int server = listening(port), fd = new_socket(1), child;

	fcntl(server, F_SETFL, O_NONBLOCK);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	CALL(accept(server, NULL, NULL));
	CALL(events_of(server));
	CALL(connect(fd, address(0, port), name_len()));
	CALL(wait_for(fd, POLLOUT, POLLIN | POLLOUT | POLLERR | POLLHUP));
	CALL(error_of(fd));
	CALL(connect(fd, address(0, port), name_len()));
	CALL(connect(fd, address(0, port), name_len()));
	CALL(wait_for(server, POLLIN, POLLIN | POLLOUT));
	child = accept(server, NULL, NULL);
	CALL(fcntl(child, F_GETFL) & O_NONBLOCK);
	CALL(recv(fd, back, 1, 0));
	CALL(recv(child, back, 1, MSG_DONTWAIT));
	close(fd);
	fd = new_socket(1);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	CALL(connect(fd, address(0, 7099), name_len()));
	CALL(wait_for(fd, POLLOUT, POLLIN | POLLOUT | POLLERR | POLLHUP));
	CALL(error_of(fd));
	close(fd);
	close(child);
	close(server);
}

static void reading(void)
{
	struct timeval soon = { .tv_usec = 100000 };
	struct iovec parts[2] = { { back, 3 }, { back + 100, 100 } };
	int pair[2], count;

	connected(pair);
	CALL(send(pair[1], "0123456789", 10, 0));
	CALL(wait_for(pair[0], POLLIN, POLLIN | POLLOUT | POLLRDHUP));
	CALL(ioctl(pair[0], FIONREAD, &count) ? -1 : count);
	CALL(recv(pair[0], back, 4, MSG_PEEK));
	CALL(recv(pair[0], back, 4, 0));
	CALL(memcmp(back, "0123", 4));
	CALL(readv(pair[0], parts, 2));
	CALL(memcmp(back, "456", 3) | memcmp(back + 100, "789", 3));
	CALL(recv(pair[0], back, 1, MSG_DONTWAIT));
	CALL(recv(pair[0], back, 0, MSG_DONTWAIT));
	CALL(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon)));
	CALL(recv(pair[0], back, 1, 0));
	CALL(send(pair[1], data, 5, 0));
	CALL(recv(pair[0], back, 10, MSG_WAITALL));
	CALL(send(pair[1], data, 100, 0));
	CALL(wait_for(pair[0], POLLIN, POLLIN));
	CALL(recv(pair[0], NULL, 60, MSG_TRUNC));
	CALL(recv(pair[0], back, 100, 0));
	CALL(send(pair[1], data, 0, 0));
	CALL(events_of(pair[0]));
	both_close(pair);
}

static void streams(void)
{
	static const size_t sizes[] = { 1, 2, 1000, 32751, 32752, 32753, 65536, 300000 };
	int pair[2];
	unsigned int i;

	connected(pair);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		pid_t writer = fork();

		if (!writer) {
			size_t sent = 0;

			while (sent < sizes[i])
				sent += send(pair[i % 2], data + sent, sizes[i] - sent, 0);
			_exit(0);
		}
		CALL(read_all(pair[!(i % 2)], sizes[i]));
		CALL(memcmp(back, data, sizes[i]));
		waitpid(writer, NULL, 0);
	}
	both_close(pair);
}

/*
 * S2-143, S2-144, S2-145, S2-T37: what was accepted arrives, no more is accepted, and reading goes
 * on.
 */
static void half_close(void)
{
	int pair[2];

	connected(pair);
	CALL(send(pair[1], data, 1000, 0));
	CALL(shutdown(pair[1], SHUT_WR));
	CALL(send(pair[1], data, 1, MSG_NOSIGNAL));
	CALL(wait_for(pair[0], POLLRDHUP, POLLIN | POLLOUT | POLLRDHUP | POLLHUP));
	CALL(read_all(pair[0], 2000));
	CALL(recv(pair[0], back, 1, 0));
	CALL(send(pair[0], data, 2000, 0));
	CALL(read_all(pair[1], 2000));
	CALL(shutdown(pair[0], SHUT_WR));
	CALL(send(pair[0], data, 1, MSG_NOSIGNAL)); /* S2-152 */
	CALL(wait_for(pair[1], POLLHUP, POLLIN | POLLOUT | POLLRDHUP | POLLHUP));
	CALL(recv(pair[1], back, 1, 0));
	CALL(shutdown(pair[1], SHUT_RD) && errno != ENOTCONN);
	both_close(pair);
}

/* S2-T38 */
static void reset(void)
{
	struct linger now = { .l_onoff = 1 };
	int pair[2];

	connected(pair);
	CALL(setsockopt(pair[1], SOL_SOCKET, SO_LINGER, &now, sizeof(now)));
	close(pair[1]);
	CALL(wait_for(pair[0], POLLHUP, POLLIN | POLLOUT | POLLRDHUP | POLLHUP | POLLERR));
	CALL(recv(pair[0], back, 1, 0));
	CALL(recv(pair[0], back, 1, 0));
	CALL(send(pair[0], data, 1, MSG_NOSIGNAL));
	close(pair[0]);
	connected(pair);
	CALL(send(pair[0], data, 1, 0));
	CALL(wait_for(pair[1], POLLIN, POLLIN));
	close(pair[1]); /* with an octet that was not read */
	CALL(wait_for(pair[0], POLLERR, POLLERR | POLLHUP));
	CALL(recv(pair[0], back, 1, 0));
	close(pair[0]);
}

/* Connections that nobody accepts, of a socket that is closed. */
static void backlog(void)
{
	uint16_t port = next_port++;
	int server = listening(port), fds[3], i;

	for (i = 0; i < 3; i++) {
		fds[i] = new_socket(1);
		CALL(connect(fds[i], address(0, port), name_len()));
	}
	CALL(send(fds[0], data, 1, 0));
	CALL(shutdown(fds[1], SHUT_WR));
	CALL(wait_for(server, POLLIN, POLLIN | POLLOUT));
	close(server);
	for (i = 0; i < 3; i++) {
		CALL(wait_for(fds[i], POLLHUP, POLLHUP | POLLERR));
		CALL(recv(fds[i], back, 1, 0));
		close(fds[i]);
	}
}

static void count_urgent(int number)
{
	(void)number;
	urgent_signals++;
}

/* S2-206, S2-T36: the signal comes with the announcement. */
static void urgent(void)
{
	int pair[2], mark, inline_too = 1;

	connected(pair);
	urgent_signals = 0;
	signal(SIGURG, count_urgent);
	CALL(fcntl(pair[0], F_SETOWN, getpid()));
	CALL(recv(pair[0], back, 1, MSG_OOB));
	CALL(send(pair[1], "abc", 3, 0));
	CALL(send(pair[1], "dX", 2, MSG_OOB));
	CALL(send(pair[1], "efg", 3, 0));
	CALL(wait_for(pair[0], POLLPRI, POLLPRI | POLLIN));
	while (ioctl(pair[0], FIONREAD, &mark) || mark < 4)
		usleep(1000);
	result("signals", urgent_signals);
	CALL(recv(pair[0], back, 10, 0));
	CALL(memcmp(back, "abcd", 4));
	CALL(ioctl(pair[0], SIOCATMARK, &mark) ? -1 : mark);
	CALL(recv(pair[0], back, 5, MSG_OOB));
	result("octet", back[0]);
	CALL(recv(pair[0], back, 5, MSG_OOB));
	CALL(read_all(pair[0], 3));
	CALL(memcmp(back, "efg", 3));
	CALL(ioctl(pair[0], SIOCATMARK, &mark) ? -1 : mark);
	CALL(setsockopt(pair[0], SOL_SOCKET, SO_OOBINLINE, &inline_too, sizeof(int)));
	CALL(send(pair[1], "hiY", 3, MSG_OOB));
	while (!(events_of(pair[0]) & POLLIN)) /* the announcement may come before */
		usleep(1000);
	CALL(wait_for(pair[0], POLLPRI, POLLPRI | POLLIN));
	CALL(read_all(pair[0], 2));
	CALL(recv(pair[0], back, 1, MSG_OOB));
	CALL(recv(pair[0], back, 10, 0));
	result("octet", back[0]);
	both_close(pair);
}

static void options(void)
{
	int pair[2], value, fd = new_socket(1);
	socklen_t len = sizeof(value);

	connected(pair);
	value = 1;
	CALL(setsockopt(pair[1], IPPROTO_TCP, TCP_NODELAY, &value, sizeof(value)));
	CALL(getsockopt(pair[1], IPPROTO_TCP, TCP_NODELAY, &value, &len) ? -1 : value);
	CALL(setsockopt(pair[1], SOL_SOCKET, SO_KEEPALIVE, &value, sizeof(value)));
	value = 0;
	CALL(setsockopt(pair[1], IPPROTO_TCP, TCP_KEEPIDLE, &value, sizeof(value)));
	value = 32768;
	CALL(setsockopt(pair[1], IPPROTO_TCP, TCP_KEEPIDLE, &value, sizeof(value)));
	value = 128;
	CALL(setsockopt(pair[1], IPPROTO_TCP, TCP_KEEPCNT, &value, sizeof(value)));
	value = 100;
	CALL(setsockopt(pair[1], IPPROTO_TCP, TCP_KEEPIDLE, &value, sizeof(value)));
	CALL(getsockopt(pair[1], IPPROTO_TCP, TCP_KEEPIDLE, &value, &len) ? -1 : value);
	CALL(setsockopt(pair[1], IPPROTO_TCP, TCP_NODELAY, &value, 1));
	CALL(setsockopt(pair[1], IPPROTO_TCP, 9999, &value, sizeof(value)));
	CALL(getsockopt(pair[1], SOL_SOCKET, SO_TYPE, &value, &len) ? -1 : value);
	CALL(getsockopt(pair[1], SOL_SOCKET, SO_ACCEPTCONN, &value, &len) ? -1 : value);
	both_close(pair);
	close(fd);
}

/* Two sockets that listen at one port, by SO_REUSEPORT. What is set of them, children have. */
static void shared_port(void)
{
	int server[2], client, child, other = new_socket(0), one = 1, value = 77;
	struct pollfd polled[2] = { { .events = POLLIN }, { .events = POLLIN } };
	uint16_t port = next_port++;
	socklen_t len = sizeof(value);

	for (int i = 0; i < 2; i++) {
		server[i] = new_socket(0);
		CALL(setsockopt(server[i], SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)));
		CALL(setsockopt(server[i], IPPROTO_TCP, TCP_KEEPIDLE, &value, sizeof(value)));
		CALL(bind(server[i], address(0, port), name_len()));
		CALL(listen(server[i], 5));
		polled[i].fd = server[i];
	}
	CALL(bind(other, address(0, port), name_len()));
	client = new_socket(1);
	CALL(connect(client, address(0, port), name_len()));
	CALL(poll(polled, 2, SECONDS * 1000));
	child = accept(server[polled[0].revents ? 0 : 1], NULL, NULL);
	value = 0;
	CALL(getsockopt(child, IPPROTO_TCP, TCP_KEEPIDLE, &value, &len) ? -1 : value);
	CALL(getsockopt(child, SOL_SOCKET, SO_REUSEPORT, &value, &len) ? -1 : value);
	close(child);
	close(client);
	close(other);
	close(server[0]);
	close(server[1]);
}

/* Descriptors in other processes, and what moves data without a copy in the program. */
static void descriptors(void)
{
	int pair[2], pipes[2], file, copy, status;
	off_t from = 0;
	pid_t child;

	connected(pair);
	copy = dup(pair[0]);
	close(pair[0]);
	child = fork();
	if (!child)
		_exit(read_all(copy, 10) == 10 ? send(copy, "done", 4, 0) == 4 ? 0 : 2 : 1);
	CALL(send(pair[1], data, 10, 0));
	CALL(waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -1);
	CALL(read_all(pair[1], 4));
	file = memfd_create("data", 0);
	if (file < 0 || write(file, data, 100000) != 100000 || pipe(pipes))
		fail("memfd");
	child = fork();
	if (!child) {
		while (from < 100000)
			sendfile(pair[1], file, &from, 100000 - from);
		_exit(0);
	}
	CALL(read_all(copy, 100000));
	CALL(memcmp(back, data, 100000));
	waitpid(child, NULL, 0);
	CALL(send(pair[1], data, 500, 0));
	CALL(wait_for(copy, POLLIN, POLLIN));
	CALL(splice(copy, NULL, pipes[1], NULL, 500, 0));
	CALL(read(pipes[0], back, 1000));
	CALL(memcmp(back, data, 500));
	close(copy);
	close(pair[1]);
}

static const struct section sections[] = {
	{ "names", names },
	{ "unconnected", unconnected },
	{ "nonblocking", nonblocking },
	{ "reading", reading },
	{ "streams", streams },
	{ "half close", half_close },
	{ "backlog", backlog },
	{ "reset", reset },
	{ "urgent", urgent },
	{ "options", options },
	{ "shared port", shared_port },
	{ "descriptors", descriptors },
};

int main(int argc, char **argv)
{
	unsigned int i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 7 + (i >> 8) * 13;
	return SECTIONS_RUN(argc, argv, sections);
}
