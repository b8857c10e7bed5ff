// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_pairs [DEVICE [DEVICE]]
 * Sends data between two ends by every operation and with segments of many shapes, and compares all
 * octets: only the destination has changed. Runs in the guest with Active ports.
 */
#include "verbs_pair.h"
#include <arpa/inet.h>

/* Each end's memory has random data to send, then a destination. */
#define SOURCE 0u
#define DEST (2u << 20)
#define GUARD 64u /* octets around the destination that must not change */
#define BLANK 0xee
#define IMMEDIATE 0x12345678u
#define MAX_INLINE 200

#define LARGEST ((1u << 20) + 3)
static const uint32_t sizes[] = { 0, 1, 255, 256, 257, 4095, 4096, 4097, 65536, LARGEST };

static const struct operation {
	const char *name;
	enum ibv_wr_opcode opcode;
	enum ibv_wc_opcode wc_opcode, recv_opcode;
	bool rdma, recv, imm;
} operations[] = {
	{ "SEND", IBV_WR_SEND, IBV_WC_SEND, IBV_WC_RECV, .recv = true },
	{ "SEND with immediate", IBV_WR_SEND_WITH_IMM, IBV_WC_SEND, IBV_WC_RECV, .recv = true,
	  .imm = true },
	{ "RDMA WRITE", IBV_WR_RDMA_WRITE, IBV_WC_RDMA_WRITE, 0, .rdma = true },
	{ "RDMA WRITE with immediate", IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WC_RDMA_WRITE,
	  IBV_WC_RECV_RDMA_WITH_IMM, .rdma = true, .recv = true, .imm = true },
	{ "RDMA READ", IBV_WR_RDMA_READ, IBV_WC_RDMA_READ, 0, .rdma = true },
};

static struct pair pair;
static uint64_t next_id = 0x1000000000000001;

static void fill_random(uint8_t *to, size_t n)
{
	uint32_t x = 2463534242;
	size_t i;

	for (i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		to[i] = x;
	}
}

static void blank(const struct end *end, uint32_t offset, uint32_t length)
{
	memset(end->memory + offset - GUARD, BLANK, length + 2 * GUARD);
}

static bool all_blank(const uint8_t *at, uint32_t n)
{
	while (n && *at == BLANK) {
		n--;
		at++;
	}
	return !n;
}

static bool expect_data(const struct end *end, uint32_t offset, const uint8_t *wanted,
			uint32_t length)
{
	const uint8_t *at = end->memory + offset;
	uint32_t i = 0;

	if (memcmp(at, wanted, length))
		for (i = 0; at[i] == wanted[i]; i++)
			;
	else
		i = length;
	return expect(i == length, "octet %u of %u is wrong", i, length) &&
	       expect(all_blank(at - GUARD, GUARD), "written before the %u octets", length) &&
	       expect(all_blank(at + length, GUARD), "written behind the %u octets", length);
}

static void expect_recv(struct end *to, const struct operation *op, uint64_t wr_id, uint32_t length)
{
	struct ibv_wc wc;

	if (!completes(to->recv_cq, wr_id, IBV_WC_SUCCESS, &wc))
		return;
	expect_value(wc.opcode, op->recv_opcode, "opcode of the receive");
	expect_value(wc.byte_len, length, "length of the receive");
	expect_value(wc.qp_num, to->qp->qp_num, "QP number of the receive");
	expect_value(wc.wc_flags & IBV_WC_WITH_IMM, op->imm ? IBV_WC_WITH_IMM : 0,
		     "immediate flag");
	if (op->imm)
		expect_value(ntohl(wc.imm_data), IMMEDIATE, "immediate data");
}

/* V3-277 */
static void expect_sent(struct end *from, const struct operation *op, uint64_t wr_id,
			uint32_t length)
{
	struct ibv_wc wc;

	if (!completes(from->send_cq, wr_id, IBV_WC_SUCCESS, &wc))
		return;
	expect_value(wc.opcode, op->wc_opcode, "opcode of the completion");
	expect_value(wc.qp_num, from->qp->qp_num, "QP number of the completion");
	if (op->opcode == IBV_WR_RDMA_READ)
		expect_value(wc.byte_len, length, "length of the completion");
}

/*
 * Makes a scatter list of segments of the given lengths, each of which crosses a page boundary, as
 * far apart as needed. Returns the number of segments, which together have @length octets.
 */
static int cut(const struct end *end, uint32_t offset, uint32_t length, const uint32_t *lengths,
	       struct ibv_sge *sge)
{
	uint32_t at = offset, n = 0, handler;

	do {
		handler = lengths[n] && lengths[n] < length ? lengths[n] : length;
		at += 4096 - handler / 2 % 4096;
		sge[n++] = sge_of(end, at, handler);
		at = (at + handler + 2 * 4096) & ~4095u;
		length -= handler;
	} while (length);
	return n;
}

/* Copies the octets of a list, one segment after the other, from or to @data. */
static void walk(const struct ibv_sge *sge, int n, uint8_t *data, bool gather)
{
	for (; n; n--, sge++) {
		uint8_t *at = (uint8_t *)(uintptr_t)sge->addr;

		memcpy(gather ? data : at, gather ? at : data, sge->length);
		data += sge->length;
	}
}

static void post_op(struct end *from, struct end *to, const struct operation *op,
		    struct ibv_sge *sge, int num_sge, unsigned int flags, uint32_t remote)
{
	struct ibv_send_wr wr = op->rdma ? rdma_wr(next_id, op->opcode, sge, to, remote) :
					   send_wr(next_id, sge);

	wr.opcode = op->opcode;
	wr.num_sge = num_sge;
	wr.send_flags |= flags;
	if (op->imm)
		wr.imm_data = htonl(IMMEDIATE);
	post_wr(from, &wr);
}

/*
 * Transfers one segment to one segment, both unaligned and with different offsets in their words.
 */
static void transfer(struct end *from, struct end *to, const struct operation *op, uint32_t length,
		     unsigned int flags)
{
	bool read = op->opcode == IBV_WR_RDMA_READ;
	struct end *source = read ? to : from, *dest = read ? from : to;
	uint32_t source_offset = SOURCE + 1 + next_id % 61;
	uint32_t dest_offset = DEST + 4096 - next_id % 67;
	uint8_t *data = source->memory + source_offset, saved[MAX_INLINE];
	struct ibv_sge sge = sge_of(from, read ? dest_offset : source_offset, length);

	blank(dest, dest_offset, length);
	if (op->recv)
		/*
		 * An RDMA Write with immediate consumes a receive request, but does not use its
		 * memory.
		 */
		post_recv(to, ~next_id, op->rdma ? DEST : dest_offset, op->rdma ? 1 : length);
	if (flags & IBV_SEND_INLINE)
		memcpy(saved, data, length);
	post_op(from, to, op, &sge, length ? 1 : 0, flags, read ? source_offset : dest_offset);
	if (flags & IBV_SEND_INLINE)
		/* the operation has ended, so the memory may be reused */
		memset(data, 0x55, length);
	expect_sent(from, op, next_id, length);
	if (op->recv)
		expect_recv(to, op, ~next_id, length);
	if (flags & IBV_SEND_INLINE)
		memcpy(data, saved, length);
	expect_data(dest, dest_offset, data, length);
	next_id++;
}

/* V3-265, V3-353, V3-354, V3-355 */
static void every_operation_and_size(enum ibv_mtu mtu)
{
	unsigned int op, i;
	struct setup setup = default_setup;

	setup.mtu = mtu;
	for (op = 0; op < COUNT(operations); op++) {
		if (pair_connect(&pair, &setup))
			for (i = 0; i < COUNT(sizes) && !lab_reason[0]; i++) {
				transfer(&pair.a, &pair.b, &operations[op], sizes[i], 0);
				transfer(&pair.b, &pair.a, &operations[op], sizes[i], 0);
				if (lab_reason[0])
					fprintf(stderr, "# of %u octets\n", sizes[i]);
			}
		pair_disconnect(&pair);
		verdict("RC %s, path MTU %u", operations[op].name, 128u << mtu);
	}
}

static void inline_data(void)
{
	struct setup setup = default_setup;
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	uint32_t length;
	unsigned int op;

	setup.max_inline = MAX_INLINE;
	if (pair_connect(&pair, &setup) &&
	    expect_ok(ibv_query_qp(pair.a.qp, &attr, IBV_QP_CAP, &init), "query_qp") &&
	    expect(init.cap.max_inline_data >= MAX_INLINE, "max_inline_data is %u",
		   init.cap.max_inline_data)) {
		for (op = 0; op < 4; op++) /* all but the read */
			for (length = 0; length <= MAX_INLINE; length += length % 3 ? 17 : 1)
				transfer(&pair.a, &pair.b, &operations[op], length,
					 IBV_SEND_INLINE);
	}
	pair_disconnect(&pair);
	verdict("RC inline data, of 0 to 200 octets, may be changed once posted (V3-274, R0-379)");
}

static void inline_sges(void)
{
	struct setup setup = default_setup;
	struct ibv_sge sge[3] = {
		sge_of(&pair.a, SOURCE + 4090, 11),
		sge_of(&pair.a, SOURCE + 77, 0),
		sge_of(&pair.a, SOURCE + 1, 50),
	};
	uint8_t wanted[61];
	int i;

	if (pair_connect(&pair, &setup)) {
		walk(sge, 3, wanted, true);
		for (i = 0; i < 3; i++)
			sge[i].lkey = 0; /* inline data need no key */
		blank(&pair.b, DEST + GUARD, sizeof(wanted));
		post_recv(&pair.b, ~next_id, DEST + GUARD, 61);
		post_op(&pair.a, &pair.b, &operations[0], sge, 3, IBV_SEND_INLINE, 0);
		expect_recv(&pair.b, &operations[0], ~next_id, 61);
		expect_data(&pair.b, DEST + GUARD, wanted, 61);
		next_id++;
	}
	pair_disconnect(&pair);
	verdict("RC inline data, in pieces and without a key");
}

static void scatter_and_gather(void)
{
	static const uint32_t out[] = { 1, 4095, 3, 5000, 77, 8192, 2, 0 };
	static const uint32_t in[] = { 5000, 7, 4096, 1, 300, 0 };
	static const uint32_t total = 20000;
	static uint8_t wanted[20000], got[20000];
	struct ibv_sge from[8], to[8];
	unsigned int i, num_from, num_to;
	struct setup setup = default_setup;

	for (i = 0; i < COUNT(operations); i++) {
		const struct operation *op = &operations[i];
		bool read = op->opcode == IBV_WR_RDMA_READ;
		struct ibv_recv_wr recv = { .wr_id = ~next_id, .sg_list = to }, *bad;

		if (pair_connect(&pair, &setup)) {
			num_from = cut(&pair.a, read ? DEST : SOURCE, total, out, from);
			num_to = cut(&pair.b, DEST, total, in, to);
			recv.num_sge = op->rdma ? 0 : num_to;
			memset(pair.b.memory + DEST, BLANK, 1u << 20);
			if (read)
				memset(pair.a.memory + DEST, BLANK, 1u << 20);
			if (op->recv)
				expect_ok(ibv_post_recv(pair.b.qp, &recv, &bad), "post_recv");
			post_op(&pair.a, &pair.b, op, from, num_from, 0,
				read ? SOURCE + 5 : DEST + 5);
			expect_sent(&pair.a, op, next_id, total);
			if (op->recv)
				expect_recv(&pair.b, op, ~next_id, total);
			if (op->rdma)
				memcpy(got, pair.b.memory + (read ? SOURCE : DEST) + 5, total);
			else
				walk(to, num_to, got, true);
			walk(from, num_from, wanted, true);
			expect(!memcmp(got, wanted, total), "the data is wrong");
			/*
			 * The octets between the segments, after the segments themselves are
			 * blanked again.
			 */
			memset(got, BLANK, total);
			walk(read ? from : to, read ? num_from : num_to, got, false);
			if (read || !op->rdma)
				expect(all_blank((read ? pair.a : pair.b).memory + DEST,
						 1u << 20),
				       "written beside the pieces");
		}
		pair_disconnect(&pair);
		next_id++;
		verdict("RC %s, from and to scattered pieces across pages (R0-385, R0-387, R0-388)", op->name);
	}
}

/* A request without octets is not checked for its remote address. */
static void nothing_at_all(void)
{
	struct setup setup = default_setup;
	struct ibv_send_wr wr;
	struct ibv_wc wc;

	if (pair_connect(&pair, &setup)) {
		wr = rdma_wr(1, IBV_WR_RDMA_WRITE, NULL, &pair.b, 0);
		wr.wr.rdma.rkey = 0xdead00;
		post_wr(&pair.a, &wr);
		completes(pair.a.send_cq, 1, IBV_WC_SUCCESS, &wc);
		wr = rdma_wr(2, IBV_WR_RDMA_READ, NULL, &pair.b, 0);
		wr.wr.rdma.remote_addr = 0;
		wr.wr.rdma.rkey = 0xdead00;
		post_wr(&pair.a, &wr);
		completes(pair.a.send_cq, 2, IBV_WC_SUCCESS, &wc);
	}
	pair_disconnect(&pair);
	verdict("RC RDMA of no octets needs no key (R0-337, R0-442)");
}

/* Many messages of many sizes are outstanding, through a ring that has fewer entries. */
static void in_order(void)
{
	enum { MESSAGES = 400, RING = 16, SLOT = 4096 };
	struct setup setup = default_setup;
	int sent = 0, done = 0, received = 0, posted = 0, n, i;
	struct ibv_wc wc[RING];
	struct ibv_sge sge;
	struct ibv_send_wr wr, *bad;
	uint64_t deadline = now_ms() + PATIENCE_MS;

	setup.max_wr = RING;
	setup.mtu = IBV_MTU_1024;
	if (!pair_connect(&pair, &setup))
		sent = done = received = MESSAGES;
	while ((done < MESSAGES || received < MESSAGES) && now_ms() < deadline && !lab_reason[0]) {
		for (; posted < MESSAGES && posted - received < RING; posted++)
			post_recv(&pair.b, posted, DEST + posted % RING * SLOT, SLOT);
		for (; sent < MESSAGES && sent - done < RING && sent < posted; sent++) {
			sge = sge_of(&pair.a, SOURCE + sent, sent * 37 % SLOT);
			wr = send_wr(sent, &sge);
			if (!expect_ok(ibv_post_send(pair.a.qp, &wr, &bad), "post_send"))
				break;
		}
		n = ibv_poll_cq(pair.a.send_cq, RING, wc);
		for (i = 0; i < n; i++)
			expect_wc(&wc[i], done++, IBV_WC_SUCCESS);
		n = ibv_poll_cq(pair.b.recv_cq, RING, wc);
		for (i = 0; i < n; i++, received++) {
			expect_wc(&wc[i], received, IBV_WC_SUCCESS);
			expect_value(wc[i].byte_len, received * 37 % SLOT, "length");
			expect(!memcmp(pair.b.memory + DEST + received % RING * SLOT,
				       pair.a.memory + SOURCE + received, wc[i].byte_len),
			       "message %d has wrong data", received);
		}
	}
	expect_value(done, MESSAGES, "sends completed");
	expect_value(received, MESSAGES, "receives completed");
	pair_disconnect(&pair);
	verdict("RC 400 messages through rings of 16, in order (V3-191, R0-379)");
}

/*
 * V3-026: only signaled requests have a completion, which also frees the entries of those before it
 * (R0-408).
 */
static void unsignaled(void)
{
	enum { MESSAGES = 256, RING = 32, EVERY = 8 };
	struct setup setup = default_setup;
	struct ibv_sge sge;
	struct ibv_send_wr wr, *bad;
	struct ibv_wc wc;
	int i, ret, done = 0;

	setup.max_wr = RING;
	if (pair_connect(&pair, &setup)) {
		for (i = 1; i <= MESSAGES && !lab_reason[0]; i++) {
			sge = sge_of(&pair.a, SOURCE, i);
			wr = rdma_wr(i, IBV_WR_RDMA_WRITE, &sge, &pair.b, DEST);
			wr.send_flags = i % EVERY ? 0 : IBV_SEND_SIGNALED;
			ret = ibv_post_send(pair.a.qp, &wr, &bad);
			if (ret == ENOMEM) {
				expect_value(i - 1 - done, RING, "requests that are not polled");
				completes(pair.a.send_cq, done += EVERY, IBV_WC_SUCCESS, &wc);
				ret = ibv_post_send(pair.a.qp, &wr, &bad);
			}
			expect_ok(ret, "post_send");
		}
		while (done < MESSAGES && !lab_reason[0])
			completes(pair.a.send_cq, done += EVERY, IBV_WC_SUCCESS, &wc);
		/* B4-215, C4-065 */
		expect(!poll_all(pair.a.send_cq), "unsignaled requests complete");
	}
	pair_disconnect(&pair);
	verdict("RC of 256 requests, the 32 signaled ones complete (R0-085, R0-397)");

	setup.signal_all = 1;
	if (pair_connect(&pair, &setup)) {
		for (i = 1; i <= EVERY; i++) {
			sge = sge_of(&pair.a, SOURCE, i);
			wr = rdma_wr(i, IBV_WR_RDMA_WRITE, &sge, &pair.b, DEST);
			wr.send_flags = 0;
			post_wr(&pair.a, &wr);
			/* B4-215, B4-251, C4-065 */
			completes(pair.a.send_cq, i, IBV_WC_SUCCESS, &wc);
		}
	}
	pair_disconnect(&pair);
	verdict("RC with sq_sig_all, every request completes");
}

/* A list is posted by one doorbell (V3-267). Reads beyond the allowed number wait. */
static void lists(void)
{
	enum { READS = 24, LENGTH = 5000 };
	struct setup setup = default_setup;
	struct ibv_send_wr wr[READS + 1];
	struct ibv_sge sge[READS + 1];
	struct ibv_wc wc;
	int i;

	setup.reads = 2;
	setup.mtu = IBV_MTU_1024;
	if (pair_connect(&pair, &setup)) {
		memset(pair.a.memory + DEST, BLANK, 1u << 20);
		for (i = 0; i < READS; i++) {
			sge[i] = sge_of(&pair.a, DEST + i * LENGTH, LENGTH);
			wr[i] = rdma_wr(i, IBV_WR_RDMA_READ, &sge[i], &pair.b, SOURCE + i * LENGTH);
			wr[i].next = &wr[i + 1];
		}
		/* Sends back the data of the reads after they have completed. */
		sge[i] = sge_of(&pair.a, DEST, READS * LENGTH);
		wr[i] = rdma_wr(i, IBV_WR_RDMA_WRITE, &sge[i], &pair.b, DEST);
		wr[i].send_flags |= IBV_SEND_FENCE;
		post_wr(&pair.a, wr);
		for (i = 0; i <= READS; i++)
			completes(pair.a.send_cq, i, IBV_WC_SUCCESS, &wc);
		expect(!memcmp(pair.a.memory + DEST, pair.b.memory + SOURCE, READS * LENGTH),
		       "the reads bring wrong data");
		expect(!memcmp(pair.b.memory + DEST, pair.b.memory + SOURCE, READS * LENGTH),
		       "the fenced write did not wait for the reads");
	}
	pair_disconnect(&pair);
	verdict("RC a list of 24 reads, 2 outstanding, and a fenced write (V3-267)");
}

/* octets for a GRH at the beginning of a datagram's receive */
#define GRH 40u

/* @length: octets of the packet from behind the GRH to the ICRC */
static void expect_grh(const struct end *from, const struct end *to, uint32_t length)
{
	const struct ibv_grh *grh = (const struct ibv_grh *)(to->memory + DEST);

	expect_value(ntohl(grh->version_tclass_flow), 0x65a12345, "first word of the GRH");
	expect_value(ntohs(grh->paylen), length, "GRH.paylen");
	expect_value(grh->next_hdr, 0x1b, "GRH.next_hdr");
	expect(!memcmp(&grh->sgid, &from->gid, 16), "GRH.sgid is wrong");
	expect(!memcmp(&grh->dgid, &to->gid, 16), "GRH.dgid is wrong");
}

static void expect_datagram(const struct end *from, const struct end *to, bool grh, bool imm,
			    uint32_t length)
{
	struct ibv_wc wc;

	if (!completes(to->recv_cq, ~next_id, IBV_WC_SUCCESS, &wc))
		return;
	expect_value(wc.opcode, IBV_WC_RECV, "opcode");
	expect_value(wc.byte_len, GRH + length, "length");
	expect_value(wc.qp_num, to->qp->qp_num, "qp_num");
	expect_value(wc.src_qp, from->qp->qp_num, "src_qp");
	expect_value(wc.slid, from->port.lid, "slid");
	expect_value(wc.sl, 3, "sl");
	expect_value(wc.pkey_index, 0, "pkey_index");
	expect_value(wc.wc_flags, (grh ? IBV_WC_GRH : 0) | (imm ? IBV_WC_WITH_IMM : 0), "wc_flags");
	if (imm)
		expect_value(ntohl(wc.imm_data), IMMEDIATE, "immediate data");
	if (grh)
		expect_grh(from, to, 12 + 8 + (imm ? 4 : 0) + (length + 3) / 4 * 4 + 4);
}

static void datagram(struct end *from, struct end *to, struct ibv_ah *ah, bool grh, bool imm,
		     uint32_t length)
{
	struct ibv_sge sge = sge_of(from, SOURCE + 3, length);
	struct ibv_send_wr wr = send_wr(next_id, &sge);
	struct ibv_wc wc;

	wr.opcode = imm ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND;
	wr.imm_data = htonl(IMMEDIATE);
	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = to->qp->qp_num;
	wr.wr.ud.remote_qkey = QKEY;
	memset(to->memory + DEST, BLANK, GRH + 4096 + GUARD);
	post_recv(to, ~next_id, DEST, GRH + 4096);
	post_wr(from, &wr);
	if (completes(from->send_cq, next_id, IBV_WC_SUCCESS, &wc))
		expect_value(wc.opcode, IBV_WC_SEND, "opcode of the send");
	expect_datagram(from, to, grh, imm, length);
	memset(to->memory + DEST, BLANK, GRH);
	memset(to->memory + DEST - GUARD, BLANK, GUARD);
	expect_data(to, DEST + GRH, from->memory + SOURCE + 3, length);
	next_id++;
}

static void datagrams(bool grh)
{
	static const uint32_t lengths[] = { 0, 1, 2, 3, 4, 255, 256, 257, 1023, 2048, 4095, 4096 };
	struct setup setup = default_setup;
	struct ibv_ah_attr there = path_to(&pair.b, grh), back = path_to(&pair.a, grh);
	struct ibv_ah *to_b, *to_a;
	uint32_t mtu = 128u << pair.a.port.active_mtu;
	unsigned int i;

	there.sl = back.sl = 3;
	setup.type = IBV_QPT_UD;
	to_b = ibv_create_ah(pair.a.pd, &there);
	to_a = ibv_create_ah(pair.b.pd, &back);
	expect_made(to_b, "create_ah");
	expect_made(to_a, "create_ah");
	if (pair_connect(&pair, &setup) && to_a && to_b)
		for (i = 0; i < COUNT(lengths) && lengths[i] <= mtu; i++) {
			datagram(&pair.a, &pair.b, to_b, grh, i % 2, lengths[i]);
			datagram(&pair.b, &pair.a, to_a, grh, !(i % 2), lengths[i]);
		}
	if (to_b)
		expect_ok(ibv_destroy_ah(to_b), "destroy_ah");
	if (to_a)
		expect_ok(ibv_destroy_ah(to_a), "destroy_ah");
	pair_disconnect(&pair);
	verdict("UD %s GRH, up to the MTU, with and without immediate (V3-277)",
		grh ? "with" : "without");
}

/* The completion and GRH of a datagram contain the address for an answer. */
static void answer(void)
{
	struct setup setup = default_setup;
	struct ibv_ah_attr there = path_to(&pair.b, true);
	struct ibv_ah *ah = ibv_create_ah(pair.a.pd, &there), *back = NULL;
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 100);
	struct ibv_send_wr wr = send_wr(1, &sge);
	struct ibv_wc wc;

	setup.type = IBV_QPT_UD;
	if (pair_connect(&pair, &setup) && expect_made(ah, "create_ah")) {
		wr.wr.ud.ah = ah;
		wr.wr.ud.remote_qpn = pair.b.qp->qp_num;
		wr.wr.ud.remote_qkey = QKEY;
		post_recv(&pair.b, 2, DEST, GRH + 4096);
		post_wr(&pair.a, &wr);
		if (completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc))
			back = ibv_create_ah_from_wc(pair.b.pd, &wc,
						     (struct ibv_grh *)(pair.b.memory + DEST), 1);
		expect_made(back, "create_ah_from_wc");
	}
	if (back) {
		sge = sge_of(&pair.b, SOURCE, 100);
		wr.wr.ud.ah = back;
		wr.wr.ud.remote_qpn = wc.src_qp;
		post_recv(&pair.a, 3, DEST, GRH + 4096);
		post_wr(&pair.b, &wr);
		completes(pair.a.recv_cq, 3, IBV_WC_SUCCESS, &wc);
		expect_ok(ibv_destroy_ah(back), "destroy_ah");
	}
	if (ah)
		expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	pair_disconnect(&pair);
	verdict("UD an answer to where a datagram came from");
}

/* A posted request keeps its address vector, so the handle can be destroyed (V3-156). */
static void handle_goes_first(void)
{
	struct setup setup = default_setup;
	struct ibv_ah_attr there = path_to(&pair.b, false);
	struct ibv_ah *ah = ibv_create_ah(pair.a.pd, &there);
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 100);
	struct ibv_send_wr wr = send_wr(1, &sge);
	struct ibv_wc wc;
	int i;

	setup.type = IBV_QPT_UD;
	if (pair_connect(&pair, &setup) && expect_made(ah, "create_ah")) {
		for (i = 0; i < 32; i++)
			post_recv(&pair.b, i, DEST, GRH + 4096);
		wr.wr.ud.ah = ah;
		wr.wr.ud.remote_qpn = pair.b.qp->qp_num;
		wr.wr.ud.remote_qkey = QKEY;
		for (i = 0; i < 32; i++)
			post_wr(&pair.a, &wr);
		expect_ok(ibv_destroy_ah(ah), "destroy_ah");
		for (i = 0; i < 32; i++) {
			completes(pair.a.send_cq, 1, IBV_WC_SUCCESS, &wc);
			completes(pair.b.recv_cq, i, IBV_WC_SUCCESS, &wc);
		}
	}
	pair_disconnect(&pair);
	verdict("UD an address handle may go before its requests (V3-156)");
}

int main(int argc, char **argv)
{
	enum ibv_mtu mtu;

	pair_open(&pair, argc, argv);
	fill_random(pair.a.memory, DEST);
	fill_random(pair.b.memory, DEST);
	for (mtu = IBV_MTU_256; mtu <= pair.a.port.active_mtu; mtu++)
		every_operation_and_size(mtu);
	inline_data();
	inline_sges();
	scatter_and_gather();
	nothing_at_all();
	in_order();
	unsignaled();
	lists();
	datagrams(false);
	datagrams(true);
	answer();
	handle_goes_first();
	pair_close(&pair);
	return lab_status();
}
