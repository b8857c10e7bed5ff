// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_async PROTOCOL FAMILY [stuck | reading | lost | SEED]
 *
 * Asynchronous reads of SDP sockets: their events, their octets, and that no process hangs. The
 * program prints a line for each call, as sdp_lab.h describes. With `stuck` it kills a process that
 * has a read outstanding, once a line was read from the standard input. With `reading` its calls
 * are made during an RDMA Read, for which the link has to be slow. With `lost` it waits for the
 * events of two reads, whose device is deleted; the second one begins once a line was read from the
 * standard input, and needs a slow link. With SEED it makes random calls.
 */
#define _GNU_SOURCE
#include "sdp_async.h"
#include <sys/resource.h>

#define SOME 1000u /* octets; so few are copied */
#define SOON 50000 /* microseconds; usually enough for a call to wait */
#define NOBODY 65534
#define READ_AT (16u << 10) /* offset that an RDMA Read fills, after the payload of SrcAvail */
#define READ_TRIES 10

static void sizes(int reader)
{
	static const size_t all[] = { 128 << 10, 200000, BIG, 4 * BIG };
	size_t i;
	int pair[2];
	pid_t pid;

	connected(pair);
	for (i = 0; i < 4; i++) {
		pid = writer(pair[!reader], TOTAL, i == 1 ? 300000 : BIG);
		CALL(read_pattern(pair[reader], back + (i == 1 ? 123 : 0), TOTAL,
				  all[i] - (i == 1 ? 123 : 0)));
		CALL(end_of(pid));
	}
	both_close(pair);
}

static void accepted(void)
{
	sizes(0);
}

static void connecting(void)
{
	sizes(1);
}

/* Both ends read and write at the same time. */
static void both_ways(void)
{
	int pair[2];
	pid_t writers[2], other;

	connected(pair);
	other = fork();
	if (!other) {
		set_up();
		leave(read_pattern(pair[1], back, TOTAL, BIG));
	}
	writers[0] = writer(pair[0], TOTAL, BIG);
	writers[1] = writer(pair[1], TOTAL, BIG);
	CALL(read_pattern(pair[0], back, TOTAL, BIG));
	CALL(end_of(other));
	CALL(end_of(writers[0]));
	CALL(end_of(writers[1]));
	both_close(pair);
}

/* io_submit() returns although no octet was received. A part completes the read. */
static void nothing_yet(void)
{
	const struct timeval timeout = { .tv_usec = SOON };
	int pair[2];

	connected(pair);
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	usleep(4 * SOON);
	CALL(no_event());
	CALL(send(pair[1], data, SOME, 0));
	CALL(event());
	CALL(memcmp(back, data, SOME));
	CALL(send(pair[1], data, SOME, 0));
	CALL(wait_for(pair[0], POLLIN, POLLIN));
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	CALL(event_within(0));
	CALL(setsockopt(pair[0], SOL_SOCKET, SO_RCVLOWAT, &(int){ 2 * SOME }, sizeof(int)));
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	CALL(send(pair[1], data, SOME, 0));
	usleep(SOON);
	CALL(no_event());
	CALL(send(pair[1], data + SOME, SOME, 0));
	CALL(event());
	CALL(memcmp(back, data, 2 * SOME));
	both_close(pair);
}

/* A vector of several segments: the read fills the first one. */
static void places(void)
{
	struct iovec vec[2] = { { back, BIG / 2 }, { back + BIG, BIG } };
	struct iocb iocb = { .aio_lio_opcode = IOCB_CMD_PREADV }, *list = &iocb;
	int pair[2];
	pid_t pid;
	long got;

	pipelined(pair);
	iocb.aio_fildes = pair[0];
	iocb.aio_buf = (uintptr_t)vec;
	iocb.aio_nbytes = 2;
	CALL(syscall(SYS_io_submit, aio, 1, &list));
	pid = writer(pair[1], BIG, BIG);
	got = event();
	CALL(got > 0 && got <= BIG / 2 && !memcmp(back, data, got));
	CALL(recv(pair[0], back + got, BIG - got, MSG_WAITALL) == BIG - got);
	CALL(memcmp(back, data, BIG));
	CALL(end_of(pid));
	both_close(pair);
}

/* An asynchronous read gets the octets that arrive during it. */
static void one_at_a_time(void)
{
	int pair[2];
	pid_t pid;

	connected(pair);
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	CALL(submit(pair[0], &iocbs[1], back, BIG));
	CALL(event());
	CALL(submit(pair[0], &iocbs[1], back, SOME));
	CALL(event());
	CALL(recv(pair[0], back + BIG, SOME, MSG_DONTWAIT));
	CALL(recv(pair[0], back + BIG, SOME, MSG_DONTWAIT | MSG_PEEK));
	pid = fork();
	if (!pid)
		_exit(recv(pair[0], back, SOME, 0) != SOME || memcmp(back, data + SOME, SOME));
	usleep(SOON);
	CALL(send(pair[1], data, SOME, 0));
	CALL(event());
	CALL(memcmp(back, data, SOME));
	CALL(send(pair[1], data + SOME, SOME, 0));
	CALL(end_of(pid));
	both_close(pair);
}

/* A read of a non-blocking socket does not become asynchronous. */
static void unwaited(void)
{
	int pair[2];

	connected(pair);
	fcntl(pair[0], F_SETFL, O_NONBLOCK);
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	CALL(event_within(0));
	CALL(send(pair[1], data, SOME, 0));
	CALL(wait_for(pair[0], POLLIN, POLLIN));
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	CALL(event_within(0));
	both_close(pair);
}

/* A canceled read loses neither octets nor the connection. */
static void canceled_on(int *pair)
{
	pid_t pid;

	CALL(cancel(&iocbs[0]));
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	usleep(SOON);
	CALL(cancel(&iocbs[0]));
	CALL(event());
	pid = writer(pair[1], BIG, BIG);
	CALL(recv(pair[0], back, BIG, MSG_WAITALL));
	CALL(memcmp(back, data, BIG));
	CALL(end_of(pid));
	both_close(pair);
}

static void canceled(void)
{
	int pair[2];

	connected(pair);
	canceled_on(pair);
}

static void canceled_advertised(void)
{
	int pair[2];

	pipelined(pair);
	canceled_on(pair);
}

/*
 * A read is canceled, then octets and the end of the stream arrive. On one processor, the worker
 * that completes the read finds both, as it cannot run before this process of the highest priority
 * waits.
 */
static void canceled_late(void)
{
	const struct sched_param first = { .sched_priority = 50 }, usual = { 0 };
	struct pollfd end = { .events = POLLRDHUP };
	int pair[2], tries = 1000000;

	connected(pair);
	end.fd = pair[0];
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	usleep(SOON);
	CALL(sched_setscheduler(0, SCHED_FIFO, &first));
	cancel(&iocbs[0]);
	send(pair[1], data, SOME, 0);
	shutdown(pair[1], SHUT_WR);
	while (tries-- && !poll(&end, 1, 0))
		;
	CALL(sched_setscheduler(0, SCHED_OTHER, &usual));
	CALL(event());
	CALL(recv(pair[0], back, BIG, MSG_WAITALL));
	CALL(memcmp(back, data, SOME));
	both_close(pair);
}

static void destroyed(void)
{
	int pair[2];
	pid_t pid;

	pipelined(pair);
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	usleep(SOON);
	CALL(destroy());
	CALL(set_up());
	pid = writer(pair[1], BIG, BIG);
	CALL(read_pattern(pair[0], back, BIG, BIG));
	CALL(end_of(pid));
	both_close(pair);
}

/* The end of the stream, by either end. */
static void ended(void)
{
	int pair[2];

	connected(pair);
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	CALL(close(pair[1]));
	CALL(event());
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	CALL(event());
	close(pair[0]);

	pipelined(pair);
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	usleep(SOON);
	CALL(shutdown(pair[1], SHUT_WR));
	CALL(event());
	both_close(pair);

	pipelined(pair);
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	usleep(SOON);
	CALL(shutdown(pair[0], SHUT_RD));
	CALL(event());
	both_close(pair);

	connected(pair);
	CALL(send(pair[0], data, SOME, 0));
	CALL(wait_for(pair[1], POLLIN, POLLIN));
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	CALL(close(pair[1]));
	CALL(event());
	close(pair[0]);
}

/* The file stays open for the read. */
static void closed(void)
{
	int pair[2];

	pipelined(pair);
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	CALL(close(pair[0]));
	CALL(send(pair[1], data, SOME, 0));
	CALL(event());
	CALL(memcmp(back, data, SOME));
	CALL(wait_for(pair[1], POLLIN, POLLIN));
	CALL(recv(pair[1], back, SOME, 0));
	close(pair[1]);
}

/* A process that has a read outstanding is killed: the connection is still usable. */
static void killed_on(int *pair)
{
	pid_t pid = fork();
	time_t began;

	if (!pid) {
		set_up();
		submit(pair[0], &iocbs[0], back, BIG);
		unmap_all();
		for (;;)
			pause();
	}
	usleep(4 * SOON);
	began = time(NULL);
	CALL(kill(pid, SIGKILL));
	CALL(end_of(pid));
	CALL(time(NULL) - began < SECONDS / 2);
	pid = writer(pair[1], BIG, BIG);
	CALL(read_pattern(pair[0], back, BIG, BIG));
	CALL(end_of(pid));
	both_close(pair);
}

static void killed(void)
{
	int pair[2];

	connected(pair);
	killed_on(pair);
	pipelined(pair);
	killed_on(pair);
}

/* A read ends before the out-of-band octet. The next read skips that octet. */
static void urgent(void)
{
	int pair[2];

	connected(pair);
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	CALL(send(pair[1], data, SOME, MSG_OOB));
	CALL(event());
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	usleep(SOON);
	CALL(no_event());
	CALL(send(pair[1], data, SOME, 0));
	CALL(event());
	CALL(memcmp(back, data, SOME));
	both_close(pair);
}

/* The memory of a read does not exist, is unmapped, or is inherited by a fork during the read. */
static void memory(void)
{
	uint8_t *map = mmap(NULL, BIG, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int pair[2];
	pid_t pid;
	long got;

	pipelined(pair);
	pid = writer(pair[1], BIG, BIG);
	CALL(submit(pair[0], &iocbs[0], (void *)4096, BIG));
	CALL(event());
	CALL(submit(pair[0], &iocbs[0], map, BIG));
	CALL(munmap(map, BIG));
	CALL(event() > 0);
	kill(pid, SIGKILL);
	end_of(pid);
	both_close(pair);

	pipelined(pair);
	memset(back, 1, BIG);
	CALL(submit(pair[0], &iocbs[0], back, BIG));
	pid = fork();
	if (!pid) {
		memset(back, 2, BIG);
		_exit(0);
	}
	CALL(end_of(pid));
	pid = writer(pair[1], BIG, BIG);
	got = event();
	CALL(got > 0 && !memcmp(back, data, got));
	kill(pid, SIGKILL);
	end_of(pid);
	both_close(pair);
}

/* Without memory in RLIMIT_MEMLOCK the read is an ordinary one, and io_submit() waits. */
static void locked(void)
{
	const struct rlimit none = { 0, 0 };
	int pair[2];
	pid_t pid, other;

	pipelined(pair);
	pid = fork();
	if (!pid) {
		set_up();
		if (setresuid(NOBODY, NOBODY, NOBODY) || setrlimit(RLIMIT_MEMLOCK, &none))
			_exit(1);
		other = fork();
		if (!other) {
			usleep(4 * SOON);
			_exit(send(pair[1], data, SOME, 0) != SOME);
		}
		CALL(submit(pair[0], &iocbs[0], back, BIG));
		CALL(event_within(0));
		leave(end_of(other));
	}
	CALL(end_of(pid));
	both_close(pair);
}

static const struct section sections[] = {
	{ "accepted", accepted },
	{ "connecting", connecting },
	{ "both ways", both_ways },
	{ "nothing yet", nothing_yet },
	{ "places", places },
	{ "one at a time", one_at_a_time },
	{ "unwaited", unwaited },
	{ "canceled", canceled },
	{ "canceled, advertised", canceled_advertised },
	{ "canceled late", canceled_late },
	{ "destroyed", destroyed },
	{ "ended", ended },
	{ "closed", closed },
	{ "killed", killed },
	{ "urgent", urgent },
	{ "memory", memory },
	{ "locked", locked },
};

static void stuck(void)
{
	int pair[2];
	char line;
	pid_t pid;
	time_t began;

	pipelined(pair);
	pid = fork();
	if (!pid) {
		close(pair[1]);
		set_up();
		submit(pair[0], &iocbs[0], back, BIG);
		unmap_all();
		for (;;)
			pause();
	}
	close(pair[0]);
	usleep(4 * SOON);
	puts("outstanding");
	fflush(stdout);
	if (read(0, &line, 1) != 1)
		fail("read");
	began = time(NULL);
	CALL(kill(pid, SIGKILL));
	CALL(end_of(pid));
	CALL(time(NULL) - began < SECONDS - 5);
}

/* Begin a read in a new connection, and wait until its memory is filled. Return: the writer. */
static pid_t begin_filling(int *pair)
{
	const volatile uint8_t *some = back + READ_AT;
	pid_t pid;

	connected(pair);
	back[READ_AT] = ~data[READ_AT];
	back[BIG - 1] = ~data[BIG - 1];
	submit(pair[0], &iocbs[0], back, BIG);
	pid = writer(pair[1], BIG, BIG);
	while (*some != data[READ_AT])
		usleep(1000);
	return pid;
}

/*
 * Begin a read in a new connection, and return while an RDMA Read fills its memory, which takes
 * seconds on a slow link. A process that stood still for so long tries again with another read.
 * Return: the process that writes.
 */
static pid_t begin_reading(int *pair)
{
	const volatile uint8_t *last = back + BIG - 1;
	pid_t pid = begin_filling(pair);
	int tries = READ_TRIES;

	while (*last == data[BIG - 1] && --tries) {
		event();
		end_of(pid);
		both_close(pair);
		pid = begin_filling(pair);
	}
	CALL(*last != data[BIG - 1]);
	return pid;
}

/* A process ends during an RDMA Read: it is killed, or executes a program. */
static void end_reading(bool killed)
{
	int pair[2];
	pid_t pid = fork();

	if (!pid) {
		set_up();
		begin_reading(pair);
		if (killed) {
			unmap_all();
			raise(SIGKILL);
		}
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	CALL(end_of(pid));
}

static void reading(void)
{
	int pair[2];
	pid_t pid = begin_reading(pair);

	CALL(cancel(&iocbs[0]));
	CALL(event());
	CALL(memcmp(back, data, BIG));
	CALL(end_of(pid));
	both_close(pair);

	pid = begin_reading(pair);
	CALL(destroy());
	CALL(memcmp(back, data, BIG));
	CALL(set_up());
	CALL(end_of(pid));
	both_close(pair);

	end_reading(true);
	end_reading(false);
}

/* Two reads lose their device: SinkAvail has no answer yet, and an RDMA Read is under way. */
static void lost(void)
{
	int pair[2], other[2];
	char line;
	pid_t pid;

	pipelined(pair);
	submit(pair[0], &iocbs[1], back + BIG, BIG);
	puts("advertised");
	fflush(stdout);
	if (read(0, &line, 1) != 1)
		fail("read");
	pid = begin_reading(other);
	puts("outstanding");
	fflush(stdout);
	CALL(event());
	CALL(event());
	both_close(pair);
	both_close(other);
	end_of(pid);
}

static uint64_t state;

static uint32_t draw(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % below;
}

/* Random calls of a process that reads. The process can be killed during each of them. */
static void torment(int fd)
{
	uint8_t *map = mmap(NULL, BIG, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int steps = 1 + draw(40);

	unmap_all();
	set_up();
	signal(SIGTERM, leave);
	signal(SIGALRM, leave);
	while (steps--) {
		switch (draw(10)) {
		case 0:
		case 1:
		case 2:
			submit(fd, &iocbs[draw(2)], map, draw(2) ? BIG : draw(BIG) + 1);
			break;
		case 3:
			cancel(&iocbs[draw(2)]);
			break;
		case 4:
			event_within(0);
			break;
		case 5:
			destroy();
			set_up();
			break;
		case 6:
			recv(fd, map, draw(BIG), MSG_DONTWAIT);
			break;
		case 7:
			usleep(draw(3000));
			break;
		case 8:
			if (!draw(4))
				munmap(map, BIG);
			break;
		default:
			if (!draw(20))
				shutdown(fd, draw(3));
			break;
		}
	}
	if (draw(2))
		pause();
	leave(0);
}

static void round_of_torment(void)
{
	int pair[2];
	pid_t pids[3];
	int i;

	connected(pair);
	for (i = 0; i < 2; i++) {
		draw(2);
		pids[i] = fork();
		if (!pids[i]) {
			state += i * 0x9e3779b97f4a7c15u;
			/* io_submit() waits for a read that is not asynchronous. */
			alarm(1 + draw(2));
			close(pair[1]);
			torment(pair[0]);
		}
	}
	pids[2] = writer(pair[1], draw(2) ? TOTAL : draw(BIG), 1 + draw(2 * BIG));
	usleep(draw(300000));
	if (draw(3))
		close(pair[1]);
	else
		shutdown(pair[1], draw(3));
	for (i = 0; i < 3; i++)
		kill(pids[i], draw(2) ? SIGKILL : SIGTERM);
	for (i = 0; i < 3; i++)
		end_of(pids[i]);
	close(pair[0]);
	close(pair[1]);
}

static void hostile(void)
{
	int rounds;

	for (rounds = 0; rounds < 30; rounds++)
		round_of_torment();
	CALL(rounds);
}

static const struct section special[] = {
	{ "stuck", stuck },
	{ "lost", lost },
	{ "reading", reading },
	{ "hostile", hostile },
};

static const struct section *special_of(const char *mode)
{
	size_t i;

	for (i = 0; i < 3; i++) {
		if (!strcmp(mode, special[i].name))
			return special + i;
	}
	state = strtoul(mode, NULL, 10);
	return special + i;
}

int main(int argc, char **argv)
{
	int ret;

	fill(data, sizeof(data));
	section = "io_setup";
	if (set_up())
		fail("io_setup");
	if (argc == 4)
		ret = sections_run(3, argv, special_of(argv[3]), 1);
	else
		ret = SECTIONS_RUN(argc, argv, sections);
	destroy();
	return ret;
}
