// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: rnic_write ADDRESS ADDRESS [ERROR|lost|- [COMMAND]]
 * An RDMA Write between the RNICs of two addresses. With ERROR, layer, type and code of a Terminate
 * message as a number, it ends the connection by this message, and changes no memory. With "lost"
 * TCP loses the connection in the middle of the Write, which changes no memory. COMMAND is
 * executed by a shell with $WHEN before the Write and again with $WHEN after it, as long as the
 * queue pairs are there, with the writing queue pair's number in $QPN. Runs in the guest.
 */
#include "rnic_pair.h"
#include <infiniband/hcadv.h>

#define OCTETS 64 /* which rnic_post() writes */
#define SOURCE 0xa5
#define SINK 0x3c
#define LOST 0x2001 /* layer, type and code of a connection that TCP has lost */

static struct rnic_pair pair;

static bool sink_has(uint8_t octet)
{
	size_t i;

	for (i = 0; i < RNIC_OCTETS; i++)
		if (pair.b.memory[i] != (i < OCTETS ? octet : SINK))
			return false;
	return true;
}

/* A Write is there when a Read of the same connection that was posted behind it is complete. */
static void arrives(void)
{
	struct ibv_wc wc[2];

	if (rnic_post(&pair.a, IBV_WR_RDMA_WRITE, &pair.b, pair.b.mr->rkey) &&
	    rnic_post(&pair.a, IBV_WR_RDMA_READ, &pair.b, pair.b.mr->rkey) &&
	    expect(collect(pair.a.cq, wc, 2, PATIENCE_MS) == 2, "no completions") &&
	    expect_wc(wc, 1, IBV_WC_SUCCESS) && expect_wc(wc + 1, 1, IBV_WC_SUCCESS))
		expect(sink_has(SOURCE), "the memory has other octets");
	verdict("a Write arrives");
}

static void expect_terminate(const struct rnic_end *end, enum hcadv_terminate_origin origin,
			     unsigned long error)
{
	struct hcadv_terminate terminate = { 0 };

	expect_ok(hcadv_query_terminate(end->id->qp, &terminate), "query_terminate");
	expect_value(terminate.origin, origin, "the origin");
	expect_value(terminate.layer << 12 | terminate.error_type << 8 | terminate.error_code,
		     error, "the error");
}

static void ends(unsigned long error)
{
	if (rnic_post(&pair.a, IBV_WR_RDMA_WRITE, &pair.b, pair.b.mr->rkey) &&
	    rnic_pair_ends(&pair)) {
		expect_terminate(&pair.a, HCADV_TERMINATE_REMOTE, error);
		expect_terminate(&pair.b, HCADV_TERMINATE_LOCAL, error);
		expect(sink_has(SINK), "the memory has changed");
	}
	verdict("a Write ends the connection by Terminate %#06lx, and changes no memory", error);
}

static void is_lost(void)
{
	if (rnic_post(&pair.a, IBV_WR_RDMA_WRITE, &pair.b, pair.b.mr->rkey) &&
	    rnic_pair_ends(&pair)) {
		expect_terminate(&pair.b, HCADV_TERMINATE_UNSENT, LOST);
		expect(sink_has(SINK), "the memory has changed");
	}
	verdict("a Write is lost with the connection, and changes no memory");
}

static void writes(const char *error)
{
	if (!strcmp(error, "-"))
		arrives();
	else if (!strcmp(error, "lost"))
		is_lost();
	else
		ends(strtoul(error, NULL, 0));
}

static bool executes(const char *command, const char *when)
{
	setenv("WHEN", when, 1);
	return !command || expect(!system(command), "the command has failed %s", when);
}

static bool prepare(const char *command)
{
	char qpn[16];

	memset(pair.a.memory, SOURCE, RNIC_OCTETS);
	memset(pair.b.memory, SINK, RNIC_OCTETS);
	snprintf(qpn, sizeof(qpn), "%u", pair.a.id->qp->qp_num);
	setenv("QPN", qpn, 1);
	return executes(command, "before");
}

int main(int argc, char **argv)
{
	const char *command = argc > 4 ? argv[4] : NULL;

	if (argc < 3 || argc > 5) {
		fprintf(stderr, "usage: rnic_write ADDRESS ADDRESS [ERROR|lost|- [COMMAND]]\n");
		return EXIT_FAILURE;
	}
	rnic_pair_init(&pair, argv[1], argv[2]);
	if (!rnic_pair_connect(&pair) || !prepare(command)) {
		verdict("connect");
	} else {
		writes(argc > 3 ? argv[3] : "-");
		if (!executes(command, "after"))
			verdict("the command");
	}
	rnic_pair_destroy(&pair);
	return lab_status();
}
