// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_invalidate GID GID ADDRESS ADDRESS DEVICE
 *        sdp_invalidate rdma ADDRESS DEVICE
 *        sdp_invalidate advertise ADDRESS
 *
 * A peer of SDP that reads what is advertised, and invalidates the memory region by the message
 * that says so: by verbs, from the port with the first GID and IP address against a socket that
 * `sdp_suspend serve` has at the second, by DEVICE. With `rdma` it connects by rdma_cm's TCP port
 * space, within a host, and invalidates a private buffer alone. With `advertise` it connects so,
 * and advertises a memory region twice: the other end cannot read it again if it has invalidated
 * it. Prints `NAME: RESULT`.
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

/* Waits until there is something advertised. Returns its octets. */
static uint32_t advertised(void)
{
	need(gather(SRC_AVAIL), "SrcAvail");
	return stream.size - stream.in;
}

static enum ibv_wc_status read_advertised(uint32_t octets)
{
	need(!rdma_post_read(c.id, NULL, c.memory, octets, c.mr, 0, stream.address, stream.key),
	     "read");
	return completed();
}

static void receive_advertised(uint32_t octets)
{
	stream.good = stream.good && read_advertised(octets) == IBV_WC_SUCCESS &&
		      matches(c.memory, octets, stream.in);
	stream.in += octets;
}

static void finish(const char *name)
{
	send_message(DISCONN, 0);
	gather(DISCONN);
	printf("%s: %zu %s\n", name, stream.in, stream.good ? "good" : "wrong");
	disconnect();
}

static void invalidated(void)
{
	uint32_t octets;

	begin('z');
	octets = advertised();
	receive_advertised(octets);
	send_with_inv(RD_COMPL, octets, stream.key);
	stream.good = stream.good && completed() == IBV_WC_SUCCESS;
	finish("invalidated");
}

/* The message invalidates a memory region that does not exist. */
static void another(void)
{
	uint32_t octets;

	begin('z');
	octets = advertised();
	receive_advertised(octets);
	send_with_inv(RD_COMPL, octets, stream.key ^ 0x10);
	printf("another: %s\n", ibv_wc_status_str(completed()));
	disconnect();
}

/* The R_Key of a private buffer of the socket's end, which no message contains; 0: not found. */
static uint32_t private_key(const char *device)
{
	FILE *list = popen("rdma -d resource show mr", "r");
	char line[200];
	uint32_t key = 0;

	need(list, "rdma");
	while (fgets(line, sizeof(line), list)) {
		const char *at = strstr(line, " rkey ");

		if (at && strstr(line, device) && strstr(line, "hca_sdp"))
			key = strtoul(at + 6, NULL, 16);
	}
	pclose(list);
	return key;
}

/* The message invalidates a memory region of this connection that was not advertised. */
static void of_private_buffer(const char *device)
{
	begin('e');
	send_data(1000);
	need(gather(DATA), "echo");
	send_with_inv(DATA, 0, private_key(device));
	printf("of a private buffer: %s\n", ibv_wc_status_str(completed()));
	usleep(QUIET * 1000);
	disconnect();
}

/* A connection that is not the one in use. */
struct other {
	struct rdma_cm_id *id;
	struct ibv_mr *mr;
	uint32_t mseq, received;
};

static void exchange(struct other *other)
{
	struct other before = { c.id, c.mr, c.mseq, c.received };

	c.id = other->id;
	c.mr = other->mr;
	c.mseq = other->mseq;
	c.received = other->received;
	*other = before;
}

/* Makes a connection, and goes on with the one before. */
static struct other connect_other(void)
{
	struct other other = { c.id, c.mr, c.mseq, c.received };

	need(!connect_with(hello), "connect");
	exchange(&other);
	return other;
}

/* A second connection tries to read what the first has advertised, a third to invalidate it. */
static void of_another_connection(void)
{
	struct other reader, invalidator;
	uint32_t octets;

	need(!connect_with(hello), "connect");
	reader = connect_other();
	invalidator = connect_other();
	begin_stream('z');
	octets = advertised();
	exchange(&reader);
	printf("read by another connection: %s\n", ibv_wc_status_str(read_advertised(octets)));
	exchange(&reader);
	exchange(&invalidator);
	send_with_inv(DATA, 0, stream.key);
	printf("of another connection: %s\n", ibv_wc_status_str(completed()));
	exchange(&invalidator);
	receive_advertised(octets);
	send_size(RD_COMPL, octets);
	finish("of this connection");
	exchange(&reader);
	disconnect();
	exchange(&invalidator);
	disconnect();
}

static void all(const char *device)
{
	invalidated();
	invalidated();
	another();
	of_private_buffer(device);
	of_another_connection();
	begin('q');
	send_message(DISCONN, 0);
	gather(DISCONN);
	disconnect();
}

/* Advertises; returns whether all is read. */
static bool is_read(const struct ibv_mr *mr, uint32_t octets)
{
	size_t end = stream.out + octets;
	int found;

	fill(c.memory, octets, stream.out);
	c.out[HEADER + 16] = pattern(stream.out);
	stream.out++;
	advertise(octets, mr->rkey, (uintptr_t)c.memory, 1);
	do {
		found = try_message(100 * QUIET);
	} while (found != NONE && found != ENDED && stream.out < end);
	return stream.out == end;
}

/* S2-176 */
static void advertise_twice(void)
{
	uint32_t octets = 300000;
	struct ibv_mr *mr;

	begin('r');
	mr = ibv_reg_mr(c.id->pd, c.memory, octets, IBV_ACCESS_REMOTE_READ);
	need(mr, "ibv_reg_mr");
	printf("advertised: %s", is_read(mr, octets) ? "read" : "not read");
	printf(", again: %s\n", is_read(mr, octets) ? "read" : "not read");
	need(!ibv_dereg_mr(mr), "ibv_dereg_mr");
	disconnect();
}

int main(int argc, char **argv)
{
	setbuf(stdout, NULL);
	if (argc == 6) {
		name_ends(argv + 1);
		all(argv[5]);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "rdma")) {
		name_rdma_ends(argv[2]);
		of_private_buffer(argv[3]);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "advertise")) {
		name_rdma_ends(argv[2]);
		advertise_twice();
		return 0;
	}
	fprintf(stderr, "usage: sdp_invalidate GID GID ADDRESS ADDRESS DEVICE | rdma ADDRESS DEVICE |\n"
			"       advertise ADDRESS\n");
	return 2;
}
