// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_unready SENDER RECEIVER rc|uc|ud COUNT SIZE
 * Messages of SIZE octets to a queue pair that has no receive request. uc, ud: COUNT of them, which
 * are lost. rc: one, which is refused COUNT times, 7 at most, until the sender gives up. Of a fresh
 * queue pair of that service one more message arrives, for which a receive request is posted.
 * Runs in the guest with Active ports.
 */
#include "verbs_pair.h"

#define DEST (2u << 20)
#define GRH 40 /* octets in front of a datagram */

static struct pair pair;
static struct ibv_ah *ah; /* of datagrams */
static enum ibv_qp_type type;

static bool post_message(uint64_t wr_id, uint32_t size)
{
	struct ibv_sge sge = sge_of(&pair.a, 0, size);
	struct ibv_send_wr wr = send_wr(wr_id, &sge);

	if (type == IBV_QPT_UD) {
		wr.wr.ud.ah = ah;
		wr.wr.ud.remote_qpn = pair.b.qp->qp_num;
		wr.wr.ud.remote_qkey = QKEY;
	}
	return post_wr(&pair.a, &wr);
}

/* Each message completes at the sender, nothing at the receiver. */
static void lost(unsigned int count, uint32_t size)
{
	struct ibv_wc wc;
	unsigned int i;

	for (i = 0; i < count; i++)
		if (post_message(i, size))
			completes(pair.a.send_cq, i, IBV_WC_SUCCESS, &wc);
	silent(pair.b.recv_cq, "a receive request that there is not");
	verdict("%u messages of %u octets that find no receive request are lost", count, size);
}

static void refused(unsigned int count, uint32_t size)
{
	struct ibv_wc wc;

	if (post_message(1, size))
		completes(pair.a.send_cq, 1, IBV_WC_RNR_RETRY_EXC_ERR, &wc);
	verdict("a message of %u octets is refused %u times", size, count);
}

static void arrives(uint32_t size)
{
	struct ibv_wc wc;

	if (post_recv(&pair.b, 2, DEST, GRH + size) && post_message(3, size) &&
	    completes(pair.a.send_cq, 3, IBV_WC_SUCCESS, &wc))
		completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
	verdict("one that finds a receive request arrives");
}

static void connect_anew(const struct setup *setup)
{
	pair_disconnect(&pair);
	if (!pair_connect(&pair, setup))
		give_up("queue pairs");
}

int main(int argc, char **argv)
{
	static const struct { const char *name; enum ibv_qp_type type; } services[] = {
		{ "rc", IBV_QPT_RC }, { "uc", IBV_QPT_UC }, { "ud", IBV_QPT_UD },
	};
	struct setup setup = default_setup;
	struct ibv_ah_attr path;
	unsigned int i, count;
	uint32_t size;

	for (i = 0; argc == 6 && i < COUNT(services) && strcmp(argv[3], services[i].name); i++)
		;
	if (argc != 6 || i == COUNT(services)) {
		fputs("usage: verbs_unready SENDER RECEIVER rc|uc|ud COUNT SIZE\n", stderr);
		return 2;
	}
	type = services[i].type;
	count = strtoul(argv[4], NULL, 0);
	size = strtoul(argv[5], NULL, 0);
	pair_open(&pair, 3, argv);
	path = path_to(&pair.b, false);
	ah = ibv_create_ah(pair.a.pd, &path);
	if (!expect_made(ah, "create_ah"))
		give_up("a path");
	setup.type = type;
	setup.rnr_retries = count - 1;
	connect_anew(&setup);
	if (type == IBV_QPT_RC)
		refused(count, size);
	else
		lost(count, size);
	connect_anew(&setup);
	arrives(size);
	ibv_destroy_ah(ah);
	pair_disconnect(&pair);
	pair_close(&pair);
	return lab_status();
}
