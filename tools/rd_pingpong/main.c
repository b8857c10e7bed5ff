// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reliable datagrams there and back: the client's one queue pair sends to the server's, one after
 * the other, and each of them answers; all of it goes through one pair of EE contexts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "channel.h"
#include "tools/lib/message.h"

const struct program program = {
	.name = "hca_rd_pingpong",
	.failure = EXIT_FAILURE,
	.misuse = 2,
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Octets that depend on which message it is. */
static void fill(uint8_t *data, uint32_t size, uint32_t iteration)
{
	uint32_t i;

	for (i = 0; i < size; i++)
		data[i] = iteration + i + i / 256;
}

static void check(const uint8_t *data, uint32_t size, uint32_t iteration)
{
	uint32_t i;

	for (i = 0; i < size; i++) {
		if (data[i] == (uint8_t)(iteration + i + i / 256))
			continue;
		die("message %u is wrong at octet %u", iteration, i);
	}
}

static bool is_receive(const struct hcadv_wc *wc)
{
	return wc->wc.opcode & IBV_WC_RECV;
}

static void check_receive(struct channel *channel, const struct hcadv_wc *wc, uint32_t qp,
			  uint32_t iteration)
{
	if (wc->wc.byte_len != channel->options->size)
		die("message %u has %u octets", iteration, wc->wc.byte_len);
	if (wc->eecn != channel->eec->eecn)
		die("message %u came by EE context %#x", iteration, wc->eecn);
	if (channel->options->check)
		check(channel_in(channel, qp), channel->options->size, iteration);
}

/* A message is there and back when it has been answered and both requests have completed. */
static void be_client(struct channel *channel, const struct side *server)
{
	const struct options *options = channel->options;
	struct hcadv_wc wc;
	uint32_t i, left;

	for (i = 0; i < options->iterations; i++) {
		if (options->check)
			fill(channel_out(channel, 0), options->size, i);
		channel_send(channel, 0, server->qpn[i % server->num_qps]);
		for (left = 2; left; left--) {
			channel_wait(channel, &wc);
			if (!is_receive(&wc))
				continue;
			if (wc.wc.src_qp != server->qpn[i % server->num_qps])
				die("message %u was answered by queue pair %#x", i, wc.wc.src_qp);
			check_receive(channel, &wc, 0, i);
			channel_receive(channel, 0);
		}
	}
}

/* Answers go back to whoever has sent, and are the message itself. */
static void be_server(struct channel *channel)
{
	const struct options *options = channel->options;
	uint32_t received = 0, sent = 0, qp;
	struct hcadv_wc wc;

	while (sent < options->iterations) {
		qp = channel_wait(channel, &wc);
		if (!is_receive(&wc)) {
			sent++;
			continue;
		}
		check_receive(channel, &wc, qp, received++);
		memcpy(channel_out(channel, qp), channel_in(channel, qp), options->size);
		channel_receive(channel, qp);
		channel_send(channel, qp, wc.wc.src_qp);
	}
}

static void print(const char *whose, const struct side *side)
{
	printf("  %s address: LID 0x%04x, EECN 0x%06x, PSN 0x%06x, %u queue pairs from 0x%06x\n",
	       whose, side->lid, side->eecn, side->psn, side->num_qps, side->qpn[0]);
}

static void report(const struct options *options, double seconds)
{
	double bytes = 2.0 * options->size * options->iterations;

	printf("%.0f bytes in %.2f seconds = %.2f Mbit/sec\n", bytes, seconds,
	       bytes * 8 / seconds / 1e6);
	printf("%u iters in %.2f seconds = %.2f usec/iter\n", options->iterations, seconds,
	       seconds * 1e6 / options->iterations);
}

int main(int argc, char **argv)
{
	struct options options;
	struct channel channel;
	struct side peer;
	double start;
	int fd;

	setlinebuf(stdout);
	options_parse(&options, argc, argv);
	channel_open(&channel, &options, options.server ? 1 : options.peers);
	fd = exchange_open(&options);
	exchange_tell(fd, &channel.own);
	exchange_hear(fd, &peer);
	print("local", &channel.own);
	print("remote", &peer);
	channel_connect(&channel, &peer);
	exchange_meet(fd);
	start = now();
	if (options.server)
		be_client(&channel, &peer);
	else
		be_server(&channel);
	report(&options, now() - start);
	exchange_meet(fd); /* or an answer's acknowledgement would find nobody */
	channel_close(&channel);
	free(peer.qpn);
	close(fd);
	return EXIT_SUCCESS;
}
