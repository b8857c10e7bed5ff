// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_invalidate GID GID ADDRESS ADDRESS
 *
 * A peer of SDP that reads what is advertised, and invalidates the memory region by the message
 * that says so: by verbs, from the port with the first GID and IP address against a socket that
 * `sdp_suspend serve` has at the second. Prints `NAME: RESULT`, and ends the server.
 */
#include "sdp_stream.h"

static void send_with_inv(uint8_t mid, uint32_t size, uint32_t key)
{
	struct ibv_sge sge = { (uintptr_t)c.out, HEADER + 4, c.mr->lkey };
	struct ibv_send_wr wr = {
		.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND_WITH_INV,
		.invalidate_rkey = key, .send_flags = IBV_SEND_SOLICITED,
	}, *bad;

	put32(HEADER, size);
	header(mid, HEADER + 4);
	need(!ibv_post_send(c.id->qp, &wr, &bad), "ibv_post_send");
}

/* Reads all that is advertised. Returns its octets. */
static uint32_t read_all(void)
{
	uint32_t octets;

	need(gather(SRC_AVAIL), "SrcAvail");
	octets = stream.size - stream.in;
	need(!rdma_post_read(c.id, NULL, c.memory, octets, c.mr, 0, stream.address, stream.key),
	     "read");
	stream.good = stream.good && completed() == IBV_WC_SUCCESS &&
		      matches(c.memory, octets, stream.in);
	stream.in += octets;
	return octets;
}

static void invalidated(void)
{
	uint32_t octets;

	begin('z');
	octets = read_all();
	send_with_inv(RD_COMPL, octets, stream.key);
	stream.good = stream.good && completed() == IBV_WC_SUCCESS;
	send_message(DISCONN, 0);
	gather(DISCONN);
	printf("invalidated: %zu %s\n", stream.in, stream.good ? "good" : "wrong");
	disconnect();
}

/* Of a memory region that is not there. */
static void another(void)
{
	uint32_t octets;

	begin('z');
	octets = read_all();
	send_with_inv(RD_COMPL, octets, stream.key ^ 0x10);
	printf("another: %s\n", ibv_wc_status_str(completed()));
	disconnect();
}

/* Of one that another connection has advertised. */
static void of_another_connection(void)
{
	struct rdma_cm_id *first;
	struct ibv_mr *mr;
	uint32_t key;

	begin('z');
	need(gather(SRC_AVAIL), "SrcAvail");
	first = c.id;
	mr = c.mr;
	key = stream.key;
	need(!connect_with(hello), "connect");
	send_with_inv(DATA, 0, key);
	printf("of another connection: %s\n", ibv_wc_status_str(completed()));
	usleep(QUIET * 1000);
	disconnect();
	rdma_destroy_qp(first);
	ibv_dereg_mr(mr);
	rdma_destroy_id(first);
}

int main(int argc, char **argv)
{
	if (argc != 5) {
		fprintf(stderr, "usage: sdp_invalidate GID GID ADDRESS ADDRESS\n");
		return 2;
	}
	name_ends(argv + 1);
	setbuf(stdout, NULL);
	invalidated();
	invalidated();
	another();
	of_another_connection();
	begin('q');
	send_message(DISCONN, 0);
	gather(DISCONN);
	disconnect();
	return 0;
}
