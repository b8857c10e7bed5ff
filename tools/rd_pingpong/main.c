// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * hca_rd_pingpong measures round trips of reliable datagrams. The client has one queue pair, which
 * sends to the queue pairs of the server in turn. The receiving queue pair answers each message.
 * All messages use one pair of EE contexts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "endpoint.h"
#include "tools/lib/message.h"

const struct program program = {
	.name = "hca_rd_pingpong",
	.failure = EXIT_FAILURE,
	.misuse = 2,
};

static double pingpong_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Fills a message with octets that depend on the iteration. */
static void payload_fill(uint8_t *data, uint32_t size, uint32_t iteration)
{
	uint32_t i;

	for (i = 0; i < size; i++)
		data[i] = iteration + i + i / 256;
}

static void payload_check(const uint8_t *data, uint32_t size, uint32_t iteration)
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

static void check_receive(struct endpoint *endpoint, const struct hcadv_wc *wc, uint32_t qp,
			  uint32_t iteration)
{
	if (wc->wc.byte_len != endpoint->options->size)
		die("message %u has %u octets", iteration, wc->wc.byte_len);
	if (wc->eecn != endpoint->eec->eecn)
		die("message %u came by EE context %#x", iteration, wc->eecn);
	if (endpoint->options->check)
		payload_check(endpoint_recv_buffer(endpoint, qp), endpoint->options->size,
			      iteration);
}

/*
 * Runs the client. An iteration ends when the answer has been received, and the send has completed.
 */
static void run_client(struct endpoint *endpoint, const struct side *server)
{
	const struct options *options = endpoint->options;
	struct hcadv_wc wc;
	uint32_t i, left;

	for (i = 0; i < options->iterations; i++) {
		if (options->check)
			payload_fill(endpoint_send_buffer(endpoint, 0), options->size, i);
		endpoint_post_send(endpoint, 0, server->qpn[i % server->num_qps]);
		for (left = 2; left; left--) {
			endpoint_poll(endpoint, &wc);
			if (!is_receive(&wc))
				continue;
			if (wc.wc.src_qp != server->qpn[i % server->num_qps])
				die("message %u was answered by queue pair %#x", i, wc.wc.src_qp);
			check_receive(endpoint, &wc, 0, i);
			endpoint_post_recv(endpoint, 0);
		}
	}
}

/* Runs the server. Each message is sent back to the queue pair that has sent it. */
static void run_server(struct endpoint *endpoint)
{
	const struct options *options = endpoint->options;
	uint32_t received = 0, sent = 0, qp;
	struct hcadv_wc wc;

	while (sent < options->iterations) {
		qp = endpoint_poll(endpoint, &wc);
		if (!is_receive(&wc)) {
			sent++;
			continue;
		}
		check_receive(endpoint, &wc, qp, received++);
		memcpy(endpoint_send_buffer(endpoint, qp), endpoint_recv_buffer(endpoint, qp),
		       options->size);
		endpoint_post_recv(endpoint, qp);
		endpoint_post_send(endpoint, qp, wc.wc.src_qp);
	}
}

static void side_print(const char *whose, const struct side *side)
{
	printf("  %s address: LID 0x%04x, EECN 0x%06x, PSN 0x%06x, %u queue pairs from 0x%06x\n",
	       whose, side->lid, side->eecn, side->psn, side->num_qps, side->qpn[0]);
}

static void pingpong_report(const struct options *options, double seconds)
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
	struct endpoint endpoint;
	struct side peer;
	double start;
	int fd;

	setlinebuf(stdout);
	options_parse(&options, argc, argv);
	endpoint_open(&endpoint, &options, options.server ? 1 : options.peers);
	fd = exchange_open(&options);
	exchange_send(fd, &endpoint.own);
	exchange_receive(fd, &peer);
	side_print("local", &endpoint.own);
	side_print("remote", &peer);
	endpoint_connect(&endpoint, &peer);
	exchange_barrier(fd);
	start = pingpong_now();
	if (options.server)
		run_client(&endpoint, &peer);
	else
		run_server(&endpoint);
	pingpong_report(&options, pingpong_now() - start);
	/*
	 * The EE context must exist until both ends have reached this point, because it sends the
	 * last acknowledgment.
	 */
	exchange_barrier(fd);
	endpoint_close(&endpoint);
	free(peer.qpn);
	close(fd);
	return EXIT_SUCCESS;
}
