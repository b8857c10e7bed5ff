// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A process that is not involved: it exchanges messages between the two ends while the program
 * attacks its own queues, and none of them may be disturbed.
 */
#ifndef VERBS_BYSTANDER_H
#define VERBS_BYSTANDER_H

#include "verbs_pair.h"
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define HALF (2u << 20) /* offset of where messages are received */

struct bystander {
	pid_t pid;
	int fd; /* socket to it */
};

/* Result of the process: number of messages, and the first error. */
struct report {
	unsigned long messages;
	char reason[sizeof(lab_reason)];
};

static inline bool pass(struct end *from, struct end *to, unsigned long n)
{
	const uint32_t length = 1 + n % 4000;
	struct ibv_wc wc;

	memset(from->memory, n, length);
	memset(to->memory + HALF, ~n, length + 1);
	return post_recv(to, n, HALF, 4096) && post_send(from, n, 0, length) &&
	       completes(to->recv_cq, n, IBV_WC_SUCCESS, &wc) &&
	       completes(from->send_cq, n, IBV_WC_SUCCESS, &wc) &&
	       expect_value(wc.status, 0, "the status") &&
	       expect(!memcmp(from->memory, to->memory + HALF, length) &&
			      to->memory[HALF + length] == (uint8_t)~n,
		      "message %lu has changed on its way", n);
}

static inline void bystander_run(int argc, char **argv, int fd)
{
	const struct setup setup = default_setup;
	struct pair pair = {};
	struct report report = {};
	struct pollfd end = { .fd = fd, .events = POLLIN };
	char c = 0;

	pair_open(&pair, argc, argv);
	if (pair_connect(&pair, &setup) && write(fd, &c, 1) == 1)
		while (pass(&pair.a, &pair.b, report.messages) &&
		       pass(&pair.b, &pair.a, report.messages) && !poll(&end, 1, 0))
			report.messages++;
	pair_disconnect(&pair);
	memcpy(report.reason, lab_reason, sizeof(report.reason));
	_exit(write(fd, &report, sizeof(report)) == sizeof(report) ? 0 : 1);
}

/* Starts the process, and waits until it is connected. */
static inline void bystander_start(struct bystander *bystander, int argc, char **argv)
{
	int pipes[2];
	char c;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pipes))
		give_up("a socket");
	bystander->pid = fork();
	if (!bystander->pid) {
		close(pipes[0]);
		bystander_run(argc, argv, pipes[1]);
	}
	close(pipes[1]);
	bystander->fd = pipes[0];
	if (bystander->pid < 0 || read(bystander->fd, &c, 1) != 1)
		give_up("a process that exchanges messages");
}

/* Ends the process, and gives a verdict on its messages. */
static inline void bystander_end(struct bystander *bystander)
{
	struct report report = {};
	int status = -1;

	expect(write(bystander->fd, "", 1) == 1 &&
		       read(bystander->fd, &report, sizeof(report)) == sizeof(report),
	       "it does not report");
	expect(waitpid(bystander->pid, &status, 0) == bystander->pid && !status,
	       "it ends otherwise");
	expect(!report.reason[0], "%s", report.reason);
	expect(report.messages > 10, "it has exchanged %lu messages", report.messages);
	printf("# meanwhile another process has exchanged %lu messages\n", 2 * report.messages);
	verdict("another process exchanges messages all the time, none of which is disturbed");
	close(bystander->fd);
}

#endif
