// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: rds_exchange ADDRESS ADDRESS MESSAGES
 * Two sockets of AF_RDS (Reliable Datagram Sockets), one at each address, send MESSAGES datagrams of
 * up to 256 KiB to each other, of which each octet and the order are checked; then each writes the
 * other's memory, by the key that this one has sent. Prints results in the form of verbs_lab.h.
 */
#include "verbs_lab.h"
#include <arpa/inet.h>
#include <linux/rds.h>
#include <poll.h>
#include <sys/socket.h>

#define LARGEST (256u << 10)
#define PORT 4000
#define WINDOW 8 /* messages that are sent and not received, each way */
#define RDMA_BYTES 100000

struct end {
	struct sockaddr_in address;
	int fd;
	uint32_t sent, received;
};

static uint8_t buffer[LARGEST];
static uint8_t memory[2][RDMA_BYTES];

/* The size of a message; each fourth is small. */
static uint32_t size_of(uint32_t number)
{
	return number % 4 ? 8 + number * 7919 % (LARGEST - 8) : 8 + number % 64;
}

/* An octet of a message from that end. */
static uint8_t octet_of(uint32_t from, uint32_t number, uint32_t i)
{
	return from * 101 + number * 13 + i * 3 + (i >> 8);
}

static void make_socket(struct end *end, const char *address)
{
	int room = 8 << 20;

	end->address.sin_family = AF_INET;
	end->address.sin_port = htons(PORT);
	if (inet_pton(AF_INET, address, &end->address.sin_addr) != 1) {
		fprintf(stderr, "rds_exchange: '%s' is no address\n", address);
		exit(2);
	}
	end->fd = socket(AF_RDS, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (end->fd < 0) {
		printf("skip - datagrams # there is no AF_RDS: %s\n", strerror(errno));
		exit(0);
	}
	setsockopt(end->fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	setsockopt(end->fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	expect(!bind(end->fd, (struct sockaddr *)&end->address, sizeof(end->address)),
	       "bind to %s: %s", address, strerror(errno));
}

/* Sends the next message, unless the socket has no room now. */
static void send_next(struct end *end, uint32_t from, const struct end *to)
{
	uint32_t i, size = size_of(end->sent);
	ssize_t done;

	for (i = 0; i < size; i++)
		buffer[i] = octet_of(from, end->sent, i);
	done = sendto(end->fd, buffer, size, MSG_DONTWAIT, (struct sockaddr *)&to->address,
		      sizeof(to->address));
	if (done < 0 && (errno == EAGAIN || errno == ENOBUFS))
		return;
	if (expect(done == (ssize_t)size, "message %u: sendto is %zd: %s", end->sent, done,
		   strerror(errno)))
		end->sent++;
}

/* Receives a message of the other end, if there is one. */
static void receive_next(struct end *end, uint32_t from)
{
	ssize_t size = recv(end->fd, buffer, sizeof(buffer), MSG_DONTWAIT);
	uint32_t i, number = end->received;

	if (size < 0 && errno == EAGAIN)
		return;
	if (!expect(size == (ssize_t)size_of(number), "message %u has %zd octets, not %u: %s",
		    number, size, size_of(number), strerror(errno)))
		return;
	for (i = 0; i < size; i++)
		if (!expect(buffer[i] == octet_of(from, number, i), "message %u: octet %u is %u",
			    number, i, buffer[i]))
			return;
	end->received++;
}

static void exchange(struct end end[2], uint32_t messages)
{
	struct pollfd fds[2] = { { .fd = end[0].fd, .events = POLLIN },
				 { .fd = end[1].fd, .events = POLLIN } };
	uint32_t e, quiet = 0;

	while (!lab_reason[0] && (end[0].received < messages || end[1].received < messages)) {
		uint32_t before = end[0].received + end[1].received;

		for (e = 0; e < 2; e++)
			while (end[e].sent < messages && end[e].sent - end[!e].received < WINDOW) {
				uint32_t sent = end[e].sent;

				send_next(&end[e], e, &end[!e]);
				if (end[e].sent == sent)
					break;
			}
		poll(fds, 2, 100);
		for (e = 0; e < 2; e++)
			receive_next(&end[e], !e);
		quiet = end[0].received + end[1].received == before ? quiet + 1 : 0;
		expect(quiet < 600, "nothing has come for a minute: %u and %u messages of %u",
		       end[0].received, end[1].received, messages);
	}
}

/* Gives the transport's key of memory to the other end, in a message. */
static void offer(struct end *end, uint8_t *start, const struct end *to)
{
	uint64_t cookie = 0;
	struct rds_get_mr_args args = {
		.vec = { .addr = (uintptr_t)start, .bytes = RDMA_BYTES },
		.cookie_addr = (uintptr_t)&cookie,
		.flags = RDS_RDMA_READWRITE,
	};

	expect(!setsockopt(end->fd, SOL_RDS, RDS_GET_MR, &args, sizeof(args)), "RDS_GET_MR: %s",
	       strerror(errno));
	expect(sendto(end->fd, &cookie, sizeof(cookie), 0, (struct sockaddr *)&to->address,
		      sizeof(to->address)) == sizeof(cookie),
	       "the key is not sent: %s", strerror(errno));
}

static bool readable(struct end *end)
{
	struct pollfd fd = { .fd = end->fd, .events = POLLIN };

	return expect(poll(&fd, 1, 60000) == 1, "no message comes");
}

/* Takes the key, and writes what it names; a message follows the data. */
static void write_remote(struct end *end, uint8_t *from, struct end *to)
{
	struct {
		struct cmsghdr header;
		struct rds_rdma_args args;
	} control = {
		.header = { .cmsg_len = CMSG_LEN(sizeof(control.args)),
			    .cmsg_level = SOL_RDS,
			    .cmsg_type = RDS_CMSG_RDMA_ARGS },
	};
	struct rds_iovec local = { .addr = (uintptr_t)from, .bytes = RDMA_BYTES };
	struct iovec told = { .iov_base = "done", .iov_len = 4 };
	struct msghdr msg = { .msg_name = &to->address,
			      .msg_namelen = sizeof(to->address),
			      .msg_iov = &told,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = sizeof(control) };
	char word[8];

	if (!readable(end) ||
	    !expect(recv(end->fd, &control.args.cookie, 8, 0) == 8, "no key: %s", strerror(errno)))
		return;
	control.args.remote_vec = (struct rds_iovec){ .addr = 0, .bytes = RDMA_BYTES };
	control.args.local_vec_addr = (uintptr_t)&local;
	control.args.nr_local = 1;
	control.args.flags = RDS_RDMA_READWRITE;
	if (expect(sendmsg(end->fd, &msg, 0) == 4, "a write of memory: %s", strerror(errno)) &&
	    readable(to))
		expect(recv(to->fd, word, sizeof(word), 0) == 4, "no message behind the write: %s",
		       strerror(errno));
}

int main(int argc, char **argv)
{
	struct end end[2] = {};
	uint32_t e, i, messages;

	if (argc != 4) {
		fputs("usage: rds_exchange ADDRESS ADDRESS MESSAGES\n", stderr);
		return 2;
	}
	messages = strtoul(argv[3], NULL, 10);
	for (e = 0; e < 2; e++)
		make_socket(&end[e], argv[1 + e]);
	exchange(end, messages);
	verdict("%u datagrams each way, in order, each octet", messages);

	for (e = 0; e < 2; e++) {
		for (i = 0; i < RDMA_BYTES; i++) {
			memory[e][i] = 0;
			memory[!e][i] = octet_of(e, 1000, i);
		}
		offer(&end[e], memory[e], &end[!e]);
		write_remote(&end[!e], memory[!e], &end[e]);
		expect(!memcmp(memory[0], memory[1], RDMA_BYTES),
		       "the memory differs from what was written");
		verdict("RDMA from %s to %s", argv[2 - e], argv[1 + e]);
	}
	return lab_failures != 0;
}
