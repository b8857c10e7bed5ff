// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_faults [DEVICE [DEVICE]]
 * Checks errors between two ends: which completion each end gets, and the state of the queue pairs.
 * Runs in the guest with Active ports.
 */
#include "verbs_pair.h"

#define SOURCE 0u
#define DEST (2u << 20)

static struct pair pair;

/* A peer that posts its receive late delays the Send by RNR NAKs (C9-RNR). */
static void receiver_late(void)
{
	struct setup setup = default_setup;
	struct ibv_wc wc;

	setup.rnr_timer = 12; /* 640 us */
	if (pair_connect(&pair, &setup)) {
		post_send(&pair.a, 1, SOURCE, 5000);
		post_send(&pair.a, 2, SOURCE, 10);
		silent(pair.a.send_cq, "a send without a receive");
		post_recv(&pair.b, 3, DEST, 5000);
		completes(pair.b.recv_cq, 3, IBV_WC_SUCCESS, &wc);
		completes(pair.a.send_cq, 1, IBV_WC_SUCCESS, &wc);
		silent(pair.a.send_cq, "the second send without a receive");
		post_recv(&pair.b, 4, DEST, 5000);
		completes(pair.b.recv_cq, 4, IBV_WC_SUCCESS, &wc);
		completes(pair.a.send_cq, 2, IBV_WC_SUCCESS, &wc);
	}
	pair_disconnect(&pair);
	verdict("RC receiver not ready, then ready");
}

static void receiver_never_ready(void)
{
	struct setup setup = default_setup;
	struct ibv_wc wc;

	setup.rnr_retries = 2;
	if (pair_connect(&pair, &setup)) {
		post_send(&pair.a, 1, SOURCE, 100);
		post_send(&pair.a, 2, SOURCE, 100);
		completes(pair.a.send_cq, 1, IBV_WC_RNR_RETRY_EXC_ERR, &wc);
		completes(pair.a.send_cq, 2, IBV_WC_WR_FLUSH_ERR, &wc);
		expect_state(pair.a.qp, IBV_QPS_ERR);
		expect_state(pair.b.qp, IBV_QPS_RTS);
	}
	pair_disconnect(&pair);
	verdict("RC receiver not ready, twice tried again: RNR_RETRY_EXC_ERR, then flushed");
}

static void nobody_there(void)
{
	struct setup setup = default_setup;
	struct ibv_wc wc;

	setup.timeout = 8; /* 1 ms */
	setup.retries = 2;
	if (pair_connect(&pair, &setup)) {
		expect_ok(ibv_destroy_qp(pair.b.qp), "destroy_qp");
		pair.b.qp = NULL;
		post_send(&pair.a, 1, SOURCE, 100);
		completes(pair.a.send_cq, 1, IBV_WC_RETRY_EXC_ERR, &wc);
		expect_state(pair.a.qp, IBV_QPS_ERR);
	}
	pair_disconnect(&pair);
	verdict("RC to a queue pair that has gone: RETRY_EXC_ERR");
}

/* Both queues are flushed in order, and requests posted in Error as well (C10-42, B4-241). */
static void flushed(void)
{
	enum { REQUESTS = 20 };
	struct setup setup = default_setup;
	struct ibv_wc wc;
	int i;

	if (pair_connect(&pair, &setup)) {
		for (i = 0; i < REQUESTS; i++) {
			post_recv(&pair.a, 100 + i, DEST, 100);
			post_send(&pair.a, i, SOURCE, 100); /* b has no receives */
		}
		expect_ok(to_error(pair.a.qp), "to ERR");
		for (i = 0; i < REQUESTS; i++) {
			completes(pair.a.send_cq, i, IBV_WC_WR_FLUSH_ERR, &wc);
			expect_value(wc.qp_num, pair.a.qp->qp_num, "qp_num of a send");
			completes(pair.a.recv_cq, 100 + i, IBV_WC_WR_FLUSH_ERR, &wc);
			expect_value(wc.qp_num, pair.a.qp->qp_num, "qp_num of a receive");
		}
		for (i = 0; i < REQUESTS; i++) {
			post_send(&pair.a, 200 + i, SOURCE, 100);
			completes(pair.a.send_cq, 200 + i, IBV_WC_WR_FLUSH_ERR, &wc);
			post_recv(&pair.a, 300 + i, DEST, 100);
			completes(pair.a.recv_cq, 300 + i, IBV_WC_WR_FLUSH_ERR, &wc);
		}
		expect(!poll_all(pair.a.send_cq) && !poll_all(pair.a.recv_cq), "more completions");
	}
	pair_disconnect(&pair);
	verdict("RC in Error, requests are flushed, in order, before and after (B4-241)");
}

/* Requests of a peer, and local ones, that the memory does not allow. */

enum key { GOOD, WRONG, GONE, OTHER_PD, WITHOUT_RIGHT };

#define AROUND INT64_MAX /* in place of an offset: a range around the end of the address space */

static const struct access {
	const char *name;
	enum key key;
	uint32_t length;
	int64_t offset; /* from the beginning of the MR */
} accesses[] = {
	{ "a wrong key", WRONG, 100, 0 },
	{ "a key that is no more", GONE, 100, 0 },
	{ "a key of another protection domain", OTHER_PD, 100, 0 },
	{ "an MR without this right", WITHOUT_RIGHT, 100, 0 },
	{ "one octet before the MR", GOOD, 100, -1 },
	{ "one octet behind the MR", GOOD, 100, 8192 - 99 },
	{ "far behind the MR", GOOD, 100, 1ll << 40 },
	{ "around the end of the address space", GOOD, 100, AROUND },
	{ "several packets, of which the last leaves the MR", GOOD, 8193, 0 },
};

/* Registers 8192 octets at TARGET of the end's memory, and returns the key to use. */
static struct ibv_mr *mr_for(struct end *end, enum key key, int rights, struct ibv_pd *other,
				 uint32_t *name)
{
	struct ibv_mr *mr;

	if (key == WITHOUT_RIGHT)
		rights = IBV_ACCESS_LOCAL_WRITE | (ALL_RIGHTS & ~rights);
	mr = ibv_reg_mr(key == OTHER_PD ? other : end->pd, end->memory + DEST, 8192, rights);
	if (!expect_made(mr, "reg_mr"))
		return NULL;
	*name = key == WRONG ? mr->rkey ^ 0x55 : mr->rkey;
	if (key == GONE) {
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
		return NULL;
	}
	return mr;
}

static void remote_access(const struct access *access, enum ibv_wr_opcode opcode)
{
	bool read = opcode == IBV_WR_RDMA_READ;
	int right = read ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE;
	struct setup setup = default_setup;
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, access->length);
	struct ibv_pd *other = ibv_alloc_pd(pair.b.context);
	struct ibv_send_wr wr;
	struct ibv_mr *mr;
	struct ibv_wc wc;
	uint32_t key = 0;

	setup.mtu = IBV_MTU_2048;
	memset(pair.b.memory + DEST, 0xee, 3 * 8192);
	mr = mr_for(&pair.b, access->key, right | IBV_ACCESS_LOCAL_WRITE, other, &key);
	if (!lab_reason[0] && pair_connect(&pair, &setup)) {
		memset(pair.a.memory + SOURCE, 0x77, access->length);
		wr = rdma_wr(1, opcode, &sge, &pair.b, DEST);
		if (access->offset == AROUND)
			wr.wr.rdma.remote_addr = -50;
		else
			wr.wr.rdma.remote_addr += access->offset;
		wr.wr.rdma.rkey = key;
		post_wr(&pair.a, &wr);
		completes(pair.a.send_cq, 1, IBV_WC_REM_ACCESS_ERR, &wc);
		expect_state(pair.a.qp, IBV_QPS_ERR);
		await_state(pair.b.qp, IBV_QPS_ERR);
		expect(pair.b.memory[DEST + 8192] == 0xee, "written behind the MR");
		expect(pair.a.memory[SOURCE] == 0x77, "read nevertheless");
	}
	pair_disconnect(&pair);
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	expect_ok(ibv_dealloc_pd(other), "dealloc_pd");
	verdict("RC RDMA %s: %s: REM_ACCESS_ERR", read ? "READ" : "WRITE", access->name);
}

/* The queue pair's own access flags refuse the operation. */
static void queue_pair_forbids(enum ibv_wr_opcode opcode)
{
	bool read = opcode == IBV_WR_RDMA_READ;
	struct setup setup = default_setup;
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 100);
	struct ibv_send_wr wr = rdma_wr(1, opcode, &sge, &pair.b, DEST);
	struct ibv_wc wc;

	setup.rights &= ~(read ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE);
	if (pair_connect(&pair, &setup)) {
		post_wr(&pair.a, &wr);
		completes(pair.a.send_cq, 1, IBV_WC_REM_INV_REQ_ERR, &wc);
		expect_state(pair.a.qp, IBV_QPS_ERR);
		await_state(pair.b.qp, IBV_QPS_ERR);
	}
	pair_disconnect(&pair);
	verdict("RC RDMA %s that the peer's queue pair forbids", read ? "READ" : "WRITE");
}

/* Local memory refuses the operation. */
static void local_access(const char *name, enum ibv_wr_opcode opcode, struct ibv_sge sge)
{
	struct setup setup = default_setup;
	struct ibv_send_wr wr = rdma_wr(1, opcode, &sge, &pair.b, DEST);
	struct ibv_wc wc;

	if (opcode == IBV_WR_SEND)
		memset(&wr.wr, 0, sizeof(wr.wr));
	if (pair_connect(&pair, &setup)) {
		post_recv(&pair.b, 2, DEST, 8192);
		post_wr(&pair.a, &wr);
		post_send(&pair.a, 3, SOURCE, 10);
		completes(pair.a.send_cq, 1, IBV_WC_LOC_PROT_ERR, &wc);
		completes(pair.a.send_cq, 3, IBV_WC_WR_FLUSH_ERR, &wc);
		expect_state(pair.a.qp, IBV_QPS_ERR);
		silent(pair.b.recv_cq, "the peer's receive");
	}
	pair_disconnect(&pair);
	verdict("RC %s: LOC_PROT_ERR", name);
}

static void local_accesses(void)
{
	struct ibv_sge wrong_key = sge_of(&pair.a, SOURCE, 100);
	struct ibv_sge behind = sge_of(&pair.a, MR_LENGTH - 99, 100);
	struct ibv_sge read_only = sge_of(&pair.a, SOURCE, 100);
	struct ibv_mr *mr = ibv_reg_mr(pair.a.pd, pair.a.memory, 4096, 0);

	wrong_key.lkey ^= 0x3300;
	local_access("SEND with a wrong key", IBV_WR_SEND, wrong_key);
	local_access("SEND from behind the MR", IBV_WR_SEND, behind);
	local_access("RDMA WRITE with a wrong key", IBV_WR_RDMA_WRITE, wrong_key);
	local_access("RDMA READ with a wrong key", IBV_WR_RDMA_READ, wrong_key);
	if (expect_made(mr, "reg_mr")) {
		read_only.lkey = mr->lkey;
		local_access("RDMA READ to where one may not write", IBV_WR_RDMA_READ, read_only);
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	}
}

/* A receive request is too short, or names invalid memory. */
static void bad_receive(const char *name, struct ibv_sge sge, enum ibv_wc_status here,
			enum ibv_wc_status there)
{
	struct setup setup = default_setup;
	struct ibv_recv_wr recv = { .wr_id = 1, .sg_list = &sge, .num_sge = 1 }, *bad;
	struct ibv_wc wc;

	setup.mtu = IBV_MTU_1024;
	if (pair_connect(&pair, &setup)) {
		expect_ok(ibv_post_recv(pair.b.qp, &recv, &bad), "post_recv");
		post_recv(&pair.b, 2, DEST, 8192);
		post_send(&pair.a, 3, SOURCE, 5000);
		post_send(&pair.a, 4, SOURCE, 10);
		completes(pair.b.recv_cq, 1, here, &wc);
		completes(pair.b.recv_cq, 2, IBV_WC_WR_FLUSH_ERR, &wc);
		completes(pair.a.send_cq, 3, there, &wc);
		completes(pair.a.send_cq, 4, IBV_WC_WR_FLUSH_ERR, &wc);
		expect_state(pair.a.qp, IBV_QPS_ERR);
		expect_state(pair.b.qp, IBV_QPS_ERR);
	}
	pair_disconnect(&pair);
	verdict("RC %s: %s here, %s there", name, ibv_wc_status_str(here),
		ibv_wc_status_str(there));
}

static void bad_receives(void)
{
	struct ibv_sge sge;

	sge = sge_of(&pair.b, DEST, 4999);
	bad_receive("a receive of one octet too few", sge, IBV_WC_LOC_LEN_ERR,
		    IBV_WC_REM_INV_REQ_ERR);
	sge = sge_of(&pair.b, DEST, 0);
	bad_receive("a receive of no octets", sge, IBV_WC_LOC_LEN_ERR, IBV_WC_REM_INV_REQ_ERR);
	sge = sge_of(&pair.b, DEST, 8192);
	sge.lkey ^= 0x3300;
	bad_receive("a receive with a wrong key", sge, IBV_WC_LOC_PROT_ERR, IBV_WC_REM_OP_ERR);
	sge = sge_of(&pair.b, MR_LENGTH - 4999, 5000);
	bad_receive("a receive that leaves the MR", sge, IBV_WC_LOC_PROT_ERR,
		    IBV_WC_REM_OP_ERR);
}

/* An error of one connection does not affect another one on its completion queues (V3-194). */
static void other_connections(void)
{
	struct setup setup = default_setup;
	struct pair second = pair;
	struct ibv_wc wc;

	if (pair_connect(&pair, &setup) && pair_connect(&second, &setup)) {
		post_recv(&second.b, 1, DEST, 100);
		expect_ok(to_error(pair.a.qp), "to ERR");
		post_send(&second.a, 2, SOURCE, 100);
		completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
		completes(pair.a.send_cq, 2, IBV_WC_SUCCESS, &wc);
		expect_ok(ibv_destroy_qp(pair.a.qp), "destroy_qp");
		pair.a.qp = NULL;
		post_recv(&second.b, 3, DEST, 100);
		post_send(&second.a, 4, SOURCE, 100);
		completes(pair.b.recv_cq, 3, IBV_WC_SUCCESS, &wc);
		completes(pair.a.send_cq, 4, IBV_WC_SUCCESS, &wc);
	}
	pair_disconnect(&pair);
	pair_disconnect(&second);
	verdict("RC an error leaves another connection alone (V3-194, R0-518)");
}

/* Datagrams that do not fit are dropped by the receiver, or refused by the sender. */
static bool post_datagram(struct ibv_ah *ah, uint64_t wr_id, uint32_t length, uint32_t qkey)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, length);
	struct ibv_send_wr wr = send_wr(wr_id, &sge);

	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = pair.b.qp->qp_num;
	wr.wr.ud.remote_qkey = qkey;
	return post_wr(&pair.a, &wr);
}

static void wrong_qkey(struct ibv_ah *ah, const struct setup *setup)
{
	struct ibv_wc wc;

	if (pair_connect(&pair, setup)) {
		post_recv(&pair.b, 1, DEST, 4096 + 40);
		post_datagram(ah, 2, 100, QKEY + 1);
		completes(pair.a.send_cq, 2, IBV_WC_SUCCESS, &wc);
		silent(pair.b.recv_cq, "a datagram with a wrong Q_Key");
		post_datagram(ah, 3, 100, QKEY);
		completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
		expect_value(wc.byte_len, 140, "length");
	}
	pair_disconnect(&pair);
	verdict("UD a wrong Q_Key: dropped");
}

static void too_long(struct ibv_ah *ah, const struct setup *setup)
{
	uint32_t mtu = 128u << pair.a.port.active_mtu;
	struct ibv_wc wc;

	if (pair_connect(&pair, setup)) {
		post_recv(&pair.b, 1, DEST, 8192);
		post_datagram(ah, 2, mtu + 1, QKEY);
		completes(pair.a.send_cq, 2, IBV_WC_LOC_LEN_ERR, &wc);
		silent(pair.b.recv_cq, "a datagram that is too long");
	}
	pair_disconnect(&pair);
	verdict("UD longer than the MTU: LOC_LEN_ERR");
}

static void no_receive(struct ibv_ah *ah, const struct setup *setup)
{
	struct ibv_wc wc;

	if (pair_connect(&pair, setup)) {
		post_datagram(ah, 1, 100, QKEY);
		completes(pair.a.send_cq, 1, IBV_WC_SUCCESS, &wc);
		sleep_ms(SILENCE_MS);
		post_recv(&pair.b, 2, DEST, 4096);
		silent(pair.b.recv_cq, "a receive posted after the datagram");
		post_datagram(ah, 3, 60, QKEY);
		completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
		expect_value(wc.byte_len, 100, "length");
		expect_state(pair.b.qp, IBV_QPS_RTS);
	}
	pair_disconnect(&pair);
	verdict("UD without a receive: dropped");
}

static void datagrams(void)
{
	struct setup setup = default_setup;
	struct ibv_ah_attr attr = path_to(&pair.b, false);
	struct ibv_ah *ah = ibv_create_ah(pair.a.pd, &attr);

	setup.type = IBV_QPT_UD;
	if (!expect_made(ah, "create_ah"))
		give_up("an address handle");
	wrong_qkey(ah, &setup);
	too_long(ah, &setup);
	no_receive(ah, &setup);
	expect_ok(ibv_destroy_ah(ah), "destroy_ah");
}

int main(int argc, char **argv)
{
	unsigned int i;

	pair_open(&pair, argc, argv);
	receiver_late();
	receiver_never_ready();
	nobody_there();
	flushed();
	for (i = 0; i < COUNT(accesses); i++) {
		remote_access(&accesses[i], IBV_WR_RDMA_WRITE);
		remote_access(&accesses[i], IBV_WR_RDMA_READ);
	}
	queue_pair_forbids(IBV_WR_RDMA_WRITE);
	queue_pair_forbids(IBV_WR_RDMA_READ);
	local_accesses();
	bad_receives();
	other_connections();
	datagrams();
	pair_close(&pair);
	return lab_status();
}
