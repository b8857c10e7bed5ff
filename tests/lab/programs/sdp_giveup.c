// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_giveup close ADDRESS COUNT   begin to connect to a port where nobody listens, and
 *                                         close the socket a moment later, COUNT times by two
 *                                         processes
 *        sdp_giveup keep ADDRESS COUNT    begin COUNT connections, and close them all when a line
 *                                         comes from stdin
 *
 * Prints how many began, and how many failed with EAGAIN: `N began, N EAGAIN`. `close` tries again
 * after that.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define IPPROTO_SDP 257
#define SPINS 20000 /* of a loop: the longest time until a close */

static struct sockaddr_in address = { .sin_family = AF_INET };

/* Return: a socket that has begun to connect, or -1 if the user has as many as are allowed. */
static int begun(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, IPPROTO_SDP);

	if (fd < 0) {
		perror("socket");
		exit(1);
	}
	if (connect(fd, (void *)&address, sizeof(address)) && errno == EINPROGRESS)
		return fd;
	if (errno != EAGAIN) {
		perror("connect");
		exit(1);
	}
	close(fd);
	return -1;
}

static void close_many(unsigned int count, unsigned int seed)
{
	volatile unsigned int spins;

	while (count) {
		int fd = begun();

		if (fd < 0) {
			usleep(1000);
			continue;
		}
		for (spins = rand_r(&seed) % SPINS; spins; spins--)
			;
		close(fd);
		count--;
	}
}

static int close_by_two(unsigned int count)
{
	pid_t other = fork();
	int status = 0;

	close_many(count / 2, other ? 1 : 2);
	if (!other)
		_exit(0);
	if (waitpid(other, &status, 0) != other || status)
		return 1;
	printf("%u began\n", count);
	return 0;
}

static int keep(unsigned int count)
{
	unsigned int began = 0, i;

	for (i = 0; i < count; i++)
		began += begun() >= 0;
	printf("%u began, %u EAGAIN\n", began, count - began);
	fflush(stdout);
	return getchar() == EOF;
}

int main(int argc, char **argv)
{
	if (argc != 4 || inet_pton(AF_INET, argv[2], &address.sin_addr) != 1)
		return 2;
	address.sin_port = htons(9);
	if (!strcmp(argv[1], "close"))
		return close_by_two(atoi(argv[3]));
	return keep(atoi(argv[3]));
}
