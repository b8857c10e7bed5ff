// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: rnic_live_hostile refused|acts DEVICE ADDRESS
 *        rnic_live_hostile races DEVICE ADDRESS TIMES
 * A hostile process uses a socket that it attaches to a queue pair of an RNIC, or has attached. It
 * harms its own connection, and nothing else. Behind each part an ordinary connection works. Runs
 * in the guest.
 */
#include "rnic_live.h"
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif
#ifndef TCP_ULP
#define TCP_ULP 31
#endif

static struct live_device dev;

/* An ordinary connection with a Send. */
static bool still_works(void)
{
	struct live_end a = { .fd = -1 }, b = { .fd = -1 };
	bool ok;
	int fd[2];

	poll_all(dev.cq);
	while (live_event(&dev, 0) >= 0)
		;
	ok = live_pair(&dev, fd) && live_make(&dev, &a, fd[0]) && live_make(&dev, &b, fd[1]) &&
	     live_recv(&dev, b.qp, 1, 0, 64) &&
	     expect_ok(live_attach(&b, HCADV_STREAM_RESPONDER, NULL), "attach") &&
	     expect_ok(live_attach(&a, HCADV_STREAM_INITIATOR, NULL), "attach") &&
	     live_post(&dev, a.qp, IBV_WR_SEND, 2, 4096, 64, 0) &&
	     expect(collect(dev.cq, (struct ibv_wc[2]){ 0 }, 2, PATIENCE_MS) == 2, "no Send");
	live_unmake(&a);
	live_unmake(&b);
	return ok;
}

/* Makes two ends that are established. */
static bool established(struct live_end *a, struct live_end *b)
{
	int fd[2];

	*a = *b = (struct live_end){ .fd = -1 };
	return live_pair(&dev, fd) && live_make(&dev, a, fd[0]) && live_make(&dev, b, fd[1]) &&
	       live_recv(&dev, b->qp, 1, 0, 64) &&
	       expect_ok(live_attach(b, HCADV_STREAM_RESPONDER, NULL), "attach") &&
	       expect_ok(live_attach(a, HCADV_STREAM_INITIATOR, NULL), "attach") &&
	       live_expect_event(&dev, IBV_EVENT_COMM_EST) &&
	       live_expect_event(&dev, IBV_EVENT_COMM_EST);
}

/* R0-258: files that are not a stream which the RNIC serves, and the error of each. */

static int file_none(void) { return -1; }
static int file_null(void) { return open("/dev/null", O_RDWR); }
static int file_udp(void) { return socket(AF_INET, SOCK_DGRAM, 0); }
static int file_unconnected(void) { return socket(AF_INET, SOCK_STREAM, 0); }
static int file_listening(void) { return dup(dev.listener); }
static int file_uverbs(void) { return dup(dev.context->cmd_fd); }
static int file_mptcp(void) { return socket(AF_INET, SOCK_STREAM, IPPROTO_MPTCP); }

static int file_unix(void)
{
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return -1;
	close(fd[1]);
	return fd[0];
}

/* A connection over the loopback interface of the process's network namespace. */
static int file_loopback(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&address, &length) ||
	    connect(fd, (struct sockaddr *)&address, length))
		return -1;
	return fd; /* the connection stays in the queue of the listener, which is not closed */
}

static int file_half_closed(void)
{
	int fd[2];

	if (!live_pair(&dev, fd))
		return -1;
	shutdown(fd[0], SHUT_WR);
	close(fd[1]);
	return fd[0];
}

static int file_tls(void)
{
	int fd[2];

	if (!live_pair(&dev, fd))
		return -1;
	return setsockopt(fd[0], IPPROTO_TCP, TCP_ULP, "tls", 3) ? -1 : fd[0];
}

static void fd_send(int to, int fd)
{
	char control[CMSG_SPACE(sizeof(fd))] = "", octet = 0;
	struct iovec vec = { &octet, 1 };
	struct msghdr msg = {
		.msg_iov = &vec, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	*head = (struct cmsghdr){ CMSG_LEN(sizeof(fd)), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	expect(sendmsg(to, &msg, 0) == 1, "sendmsg: %s", error_name(errno));
}

static int fd_receive(int from)
{
	char control[CMSG_SPACE(sizeof(int))], octet;
	struct iovec vec = { &octet, 1 };
	struct msghdr msg = {
		.msg_iov = &vec, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	int fd = -1;

	if (recvmsg(from, &msg, 0) == 1 && CMSG_FIRSTHDR(&msg))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

/* A connection of another network namespace, which a child makes. */
static int file_of_namespace(void)
{
	struct ifreq up = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd[2], got;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return -1;
	child = fork();
	if (!child) {
		if (!unshare(CLONE_NEWNET) &&
		    !ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCSIFFLAGS, &up))
			fd_send(fd[1], file_loopback());
		pause();
	}
	close(fd[1]);
	got = fd_receive(fd[0]);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(fd[0]);
	return got;
}

static const struct {
	const char *name;
	int (*open)(void);
	int error;
	bool may_lack; /* not each kernel has it */
} files[] = {
	{ "no file", file_none, EBADF, false },
	{ "/dev/null", file_null, ENOTSOCK, false },
	{ "the file of uverbs", file_uverbs, ENOTSOCK, false },
	{ "a UDP socket", file_udp, EOPNOTSUPP, false },
	{ "a Unix socket", file_unix, EOPNOTSUPP, false },
	{ "an MPTCP socket", file_mptcp, EOPNOTSUPP, true },
	{ "an unconnected socket", file_unconnected, ENOTCONN, false },
	{ "a listening socket", file_listening, ENOTCONN, false },
	{ "a half closed connection", file_half_closed, ENOTCONN, false },
	{ "a connection of another interface", file_loopback, EADDRNOTAVAIL, false },
	{ "a connection of another namespace", file_of_namespace, ENETUNREACH, true },
	{ "a connection with TLS", file_tls, EBUSY, true },
};

static void refuse_file(unsigned int i)
{
	struct live_end end = { .fd = -1 };
	int fd = files[i].open();

	if (fd < 0 && files[i].may_lack) {
		printf("skip - %s # this kernel has none\n", files[i].name);
		return;
	}
	if (live_make(&dev, &end, fd)) {
		expect_error(live_attach(&end, HCADV_STREAM_RESPONDER, NULL), files[i].error,
			     "attach");
		expect_state(end.qp, IBV_QPS_INIT);
	}
	live_unmake(&end);
	verdict("%s is refused", files[i].name);
}

static int attach_plain(const struct live_end *end, uint32_t role, size_t length, size_t pd_length,
			uint32_t flags)
{
	static const char octets[HCADV_STREAM_MESSAGE_MAX + 1];

	return hcadv_attach_stream(end->qp, end->fd, role, octets, length, octets, pd_length,
				   flags);
}

/* A refusal leaves queue pair and connection as they are. */
static void refuse_arguments(void)
{
	struct live_end a = { .fd = -1 };
	int fd[2];
	char c;

	if (live_pair(&dev, fd) && live_make(&dev, &a, fd[0])) {
		expect_error(attach_plain(&a, 2, 0, 0, 0), EINVAL, "another role");
		expect_error(attach_plain(&a, 0, 0, 0, 2), EINVAL, "another flag");
		expect_error(attach_plain(&a, 0, HCADV_STREAM_MESSAGE_MAX + 1, 0, 0), EINVAL,
			     "a long message");
		expect_error(attach_plain(&a, 0, 0, HCADV_STREAM_PRIVATE_MAX + 1, 0), EINVAL,
			     "long private data");
		expect_error(attach_plain(&a, 0, 0, 1, HCADV_STREAM_IMMEDIATE), EINVAL,
			     "private data without a frame");
		expect(write(fd[0], "x", 1) == 1 && read(fd[1], &c, 1) == 1 && c == 'x',
		       "the connection has suffered");
	}
	live_unmake(&a);
	close(fd[1]);
	verdict("arguments that are not valid are refused");
}

static void refuse_states(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct live_end a = { .fd = -1 };
	int fd[2];

	if (live_pair(&dev, fd)) {
		a = (struct live_end){ live_create_qp(&dev), fd[0] };
		expect_error(live_attach(&a, HCADV_STREAM_INITIATOR, NULL), EINVAL, "in Reset");
		live_init_qp(a.qp);
		expect_ok(ibv_modify_qp(a.qp, &attr, IBV_QP_STATE), "modify to ERR");
		expect_error(live_attach(&a, HCADV_STREAM_INITIATOR, NULL), EINVAL, "in Error");
	}
	live_unmake(&a);
	close(fd[1]);
	verdict("queue pairs that are not in Init are refused");
}

/* Acts on the socket of an end that is established. */

static void act_read(struct live_end *a)
{
	char octets[256];

	while (recv(a->fd, octets, sizeof(octets), MSG_DONTWAIT) > 0)
		;
}

static void act_write(struct live_end *a)
{
	send(a->fd, "GET / HTTP/1.0\r\n\r\n", 18, MSG_NOSIGNAL);
}

static void act_shut_writing(struct live_end *a) { shutdown(a->fd, SHUT_WR); }
static void act_shut_reading(struct live_end *a) { shutdown(a->fd, SHUT_RD); }
static void act_shut(struct live_end *a) { shutdown(a->fd, SHUT_RDWR); }

static void act_close(struct live_end *a)
{
	close(a->fd);
	a->fd = -1;
}

static void act_linger(struct live_end *a)
{
	struct linger linger = { 1, 3600 };

	setsockopt(a->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	act_close(a);
}

static void act_reset(struct live_end *a)
{
	struct linger linger = { 1, 0 };

	setsockopt(a->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	act_close(a);
}

static void act_disconnect(struct live_end *a)
{
	struct sockaddr none = { .sa_family = AF_UNSPEC };

	connect(a->fd, &none, sizeof(none));
}

static void act_reconnect(struct live_end *a)
{
	act_disconnect(a);
	connect(a->fd, &dev.address.any, sizeof(dev.address));
	close(accept4(dev.listener, NULL, NULL, 0));
	act_write(a);
}

static void act_listen(struct live_end *a)
{
	act_disconnect(a);
	expect(listen(a->fd, 1) && errno == EINVAL, "a stream can listen");
}

static void act_ulp(struct live_end *a)
{
	expect(setsockopt(a->fd, IPPROTO_TCP, TCP_ULP, "tls", 3) &&
	       (errno == EEXIST || errno == ENOENT), "a stream can have TLS");
}

static void act_options(struct live_end *a)
{
	static const struct { int level, name, value; } options[] = {
		{ SOL_SOCKET, SO_RCVBUF, 1 }, { SOL_SOCKET, SO_SNDBUF, 1 },
		{ SOL_SOCKET, SO_RCVLOWAT, 1 << 20 }, { SOL_SOCKET, SO_OOBINLINE, 1 },
		{ SOL_SOCKET, SO_KEEPALIVE, 1 }, { IPPROTO_TCP, TCP_CORK, 1 },
		{ IPPROTO_TCP, TCP_MAXSEG, 88 }, { IPPROTO_TCP, TCP_QUICKACK, 0 },
		{ IPPROTO_TCP, TCP_USER_TIMEOUT, 10 }, { IPPROTO_TCP, TCP_REPAIR, 1 },
		{ IPPROTO_TCP, TCP_REPAIR, 0 },
	};
	unsigned int i;

	for (i = 0; i < COUNT(options); i++)
		setsockopt(a->fd, options[i].level, options[i].name, &options[i].value,
			   sizeof(options[i].value));
	send(a->fd, "!", 1, MSG_OOB | MSG_NOSIGNAL);
}

static void act_again(struct live_end *a)
{
	struct live_end other = { .fd = -1 };

	expect_error(live_attach(a, HCADV_STREAM_INITIATOR, NULL), EINVAL, "attach again");
	if (live_make(&dev, &other, dup(a->fd)))
		expect_error(live_attach(&other, HCADV_STREAM_INITIATOR, NULL), EBUSY,
			     "attach to another queue pair");
	live_unmake(&other);
}

/* The socket and the file of uverbs are on their way in a Unix socket that nobody can receive. */
static void act_in_flight(struct live_end *a)
{
	int fd[2];

	if (!expect(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd), "socketpair"))
		return;
	fd_send(fd[0], a->fd);
	fd_send(fd[0], dev.context->cmd_fd);
	fd_send(fd[0], fd[1]);
	fd_send(fd[1], fd[0]);
	act_close(a);
	close(fd[0]);
	close(fd[1]);
}

static void act_destroy(struct live_end *a)
{
	expect_ok(ibv_destroy_qp(a->qp), "destroy_qp");
	a->qp = NULL;
	act_read(a);
}

static const struct {
	const char *name;
	void (*act)(struct live_end *a);
} acts[] = {
	{ "read", act_read }, { "write", act_write },
	{ "shut down writing", act_shut_writing }, { "shut down reading", act_shut_reading },
	{ "shut down", act_shut }, { "close", act_close }, { "close with SO_LINGER", act_linger },
	{ "reset", act_reset }, { "disconnect", act_disconnect },
	{ "connect to somebody else", act_reconnect }, { "listen", act_listen },
	{ "ask for TLS", act_ulp }, { "set options", act_options },
	{ "attach again", act_again }, { "pass on", act_in_flight },
	{ "destroy the queue pair", act_destroy },
};

/* The act comes before a Send of the peer's and one of its own, or while these are on their way. */
static void act(unsigned int i, bool before)
{
	struct live_end a, b;

	if (established(&a, &b)) {
		if (before)
			acts[i].act(&a);
		if (a.qp)
			live_post(&dev, a.qp, IBV_WR_SEND, 2, 4096, 64, 0);
		live_post(&dev, b.qp, IBV_WR_RDMA_WRITE, 3, 4096, 32768, 8192);
		if (!before)
			acts[i].act(&a);
	}
	live_unmake(&a);
	live_unmake(&b);
	still_works();
	verdict("a socket is used %s: %s", before ? "before messages" : "beside them", acts[i].name);
}

/* Two threads meet, then each does its own. */

struct race {
	pthread_barrier_t barrier;
	struct live_end a, b; /* both may have one socket, or one queue pair */
	void (*other)(struct race *race);
	int result;
};

static int race_attach(const struct live_end *end)
{
	return live_attach(end, HCADV_STREAM_RESPONDER, "go\n");
}

static void race_second(struct race *race) { race->result = race_attach(&race->b); }
static void race_close(struct race *race) { act_close(&race->b); }
static void race_read(struct race *race) { act_read(&race->b); }
static void race_write(struct race *race) { send(race->b.fd, "x", 1, MSG_NOSIGNAL); }
static void race_shut(struct race *race) { act_shut(&race->b); }
static void race_disconnect(struct race *race) { act_disconnect(&race->b); }
static void race_reset(struct race *race) { act_reset(&race->b); }
static void race_options(struct race *race) { act_options(&race->b); }

static void race_tls(struct race *race)
{
	setsockopt(race->b.fd, IPPROTO_TCP, TCP_ULP, "tls", 3);
}

static void *race_run(void *arg)
{
	struct race *race = arg;

	pthread_barrier_wait(&race->barrier);
	race->other(race);
	return NULL;
}

/* Return: the result of the attachment that the other thread has met. */
static int race_meet(struct race *race)
{
	pthread_t thread;
	int ret;

	pthread_barrier_init(&race->barrier, NULL, 2);
	if (pthread_create(&thread, NULL, race_run, race))
		give_up("a thread");
	pthread_barrier_wait(&race->barrier);
	ret = race_attach(&race->a);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&race->barrier);
	return ret;
}

static const struct {
	const char *name;
	void (*other)(struct race *race);
} races[] = {
	{ "close", race_close }, { "read", race_read }, { "write", race_write },
	{ "shut down", race_shut }, { "disconnect", race_disconnect }, { "reset", race_reset },
	{ "set options", race_options }, { "TLS", race_tls },
};

/* An act meets the attachment of the socket. */
static void race_act(unsigned int i, unsigned int times)
{
	struct race race = { .other = races[i].other };
	int fd[2];

	while (times-- && live_pair(&dev, fd) && live_make(&dev, &race.a, fd[0])) {
		race.b = (struct live_end){ NULL, dup(fd[0]) };
		race_meet(&race);
		live_unmake(&race.a);
		live_unmake(&race.b);
		close(fd[1]);
	}
	still_works();
	verdict("an attachment meets: %s", races[i].name);
}

/* One socket is attached to two queue pairs: one of them gets it. */
static void race_queue_pairs(unsigned int times)
{
	struct race race = { .other = race_second };
	int fd[2], ret;

	while (times-- && live_pair(&dev, fd) && live_make(&dev, &race.a, fd[0]) &&
	       live_make(&dev, &race.b, dup(fd[0]))) {
		ret = race_meet(&race);
		expect(!ret + !race.result == 1, "%s and %s", error_name(ret),
		       error_name(race.result));
		expect((ret ? ret : race.result) == EBUSY, "%s",
		       error_name(ret ? ret : race.result));
		live_unmake(&race.a);
		live_unmake(&race.b);
		close(fd[1]);
	}
	still_works();
	verdict("one socket, two queue pairs");
}

/* Two sockets are attached to one queue pair: one of them is, and the other one is as before. */
static void race_sockets(unsigned int times)
{
	struct race race = { .other = race_second };
	int fd[2], other[2], ret;

	while (times-- && live_pair(&dev, fd) && live_pair(&dev, other) &&
	       live_make(&dev, &race.a, fd[0])) {
		race.b = (struct live_end){ race.a.qp, other[0] };
		ret = race_meet(&race);
		expect(!ret + !race.result == 1, "%s and %s", error_name(ret),
		       error_name(race.result));
		ret = write(ret ? fd[0] : other[0], "x", 1);
		expect(ret == 1, "the other connection has suffered");
		race.b.qp = NULL;
		live_unmake(&race.a);
		live_unmake(&race.b);
		close(fd[1]);
		close(other[1]);
	}
	still_works();
	verdict("one queue pair, two sockets");
}

/* A thread that sends from memory which is not there holds the socket until it is. */

struct holder {
	int uffd, fd;
	void *page;
};

static void *holder_run(void *arg)
{
	struct holder *holder = arg;

	send(holder->fd, holder->page, 4096, MSG_NOSIGNAL);
	return NULL;
}

static bool holder_begin(struct holder *holder, pthread_t *thread)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffd_msg fault;

	holder->uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	holder->page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (uintptr_t)holder->page;
	range.range.len = 4096;
	if (holder->uffd < 0 || ioctl(holder->uffd, UFFDIO_API, &api) ||
	    ioctl(holder->uffd, UFFDIO_REGISTER, &range) ||
	    pthread_create(thread, NULL, holder_run, holder))
		return false;
	return read(holder->uffd, &fault, sizeof(fault)) == sizeof(fault);
}

static void holder_end(struct holder *holder, pthread_t thread)
{
	struct uffdio_zeropage zero = {
		.range = { (uintptr_t)holder->page, 4096 },
	};

	ioctl(holder->uffd, UFFDIO_ZEROPAGE, &zero);
	pthread_join(thread, NULL);
	munmap(holder->page, 4096);
	close(holder->uffd);
}

/* Neither an attachment nor an end waits for a thread that holds the socket. */
static void outwait(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct live_end a, b, c = { .fd = -1 };
	struct holder holder;
	pthread_t thread;
	int fd[2];

	if (!established(&a, &b) || !live_pair(&dev, fd) || !live_make(&dev, &c, fd[0]))
		return verdict("sockets that are held");
	holder.fd = c.fd;
	if (!holder_begin(&holder, &thread)) {
		printf("skip - a socket is held # this kernel has no userfaultfd\n");
		return;
	}
	expect_error(live_attach(&c, HCADV_STREAM_INITIATOR, NULL), EBUSY, "attach");
	holder_end(&holder, thread);
	expect_ok(live_attach(&c, HCADV_STREAM_INITIATOR, NULL), "attach later");
	holder.fd = a.fd;
	expect(holder_begin(&holder, &thread), "no thread that holds");
	expect_ok(ibv_modify_qp(a.qp, &attr, IBV_QP_STATE), "modify to ERR");
	expect_ok(ibv_destroy_qp(a.qp), "destroy_qp");
	a.qp = NULL;
	still_works();
	holder_end(&holder, thread);
	live_unmake(&a);
	live_unmake(&b);
	live_unmake(&c);
	close(fd[1]);
	still_works();
	verdict("nobody waits for a thread that holds a socket");
}

static void run_refused(void)
{
	unsigned int i;

	for (i = 0; i < COUNT(files); i++)
		refuse_file(i);
	refuse_arguments();
	refuse_states();
	still_works();
	verdict("behind these a connection works");
}

static void run_acts(void)
{
	unsigned int i;

	for (i = 0; i < 2 * COUNT(acts); i++)
		act(i / 2, i % 2);
	outwait();
}

static void run_races(unsigned int times)
{
	unsigned int i;

	for (i = 0; i < COUNT(races); i++)
		race_act(i, times);
	race_queue_pairs(times);
	race_sockets(times);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return EXIT_FAILURE;
	live_open(&dev, argv[2], argv[3]);
	live_listen(&dev, 0);
	if (!strcmp(argv[1], "refused"))
		run_refused();
	if (!strcmp(argv[1], "acts"))
		run_acts();
	if (!strcmp(argv[1], "races") && argc > 4)
		run_races(atoi(argv[4]));
	live_close(&dev);
	verdict("nothing is left");
	return lab_status();
}
