// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: mad_rewrite DEVICE SWITCH-LID LID PORT PORT
 * Changes the port that a switch forwards a LID to between two ports, by a Set of its
 * LinearForwardingTable each time, until SIGTERM; then prints the number of changes.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <infiniband/mad.h>

#define BLOCK 64

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static int fail(const char *what)
{
	fprintf(stderr, "mad_rewrite: %s\n", what);
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = end };
	int classes[] = { IB_SMI_CLASS }, port[2];
	unsigned long writes = 0;
	struct ibmad_port *mad;
	ib_portid_t to = {};
	uint8_t table[BLOCK];
	unsigned int lid;

	if (argc != 6)
		return fail("usage: mad_rewrite DEVICE SWITCH-LID LID PORT PORT");
	ib_portid_set(&to, atoi(argv[2]), 0, 0);
	lid = atoi(argv[3]);
	port[0] = atoi(argv[4]);
	port[1] = atoi(argv[5]);
	mad = mad_rpc_open_port(argv[1], 1, classes, 1);
	if (!mad)
		return fail("the port cannot be opened");
	if (!smp_query_via(table, &to, IB_ATTR_LINEARFORWTBL, lid / BLOCK, 0, mad))
		return fail("the table cannot be read");
	sigaction(SIGTERM, &action, NULL);
	while (!ended) {
		uint8_t got[BLOCK];

		table[lid % BLOCK] = port[writes % 2];
		memcpy(got, table, BLOCK);
		if (!smp_set_via(got, &to, IB_ATTR_LINEARFORWTBL, lid / BLOCK, 0, mad)) {
			if (ended)
				break; /* the signal has ended the wait for the answer */
			return fail("the table cannot be written");
		}
		if (memcmp(got, table, BLOCK))
			return fail("the switch answers with another table");
		writes++;
	}
	mad_rpc_close_port(mad);
	printf("%lu writes\n", writes);
	return EXIT_SUCCESS;
}
