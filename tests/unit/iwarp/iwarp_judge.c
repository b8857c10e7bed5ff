// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An RNIC judged by what it does with segments: each check of a receiver has rows that violate it,
 * and the Terminate, the event and the completions that must follow. Rows go through streams that
 * are cut at each octet, late, or as narrow as one octet.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/iwarp/judge.h"
#include "tests/unit/suites.h"

#define NO_ERROR 0xffff
#define MD 0xc0
#define MDR 0xe0
#define ANY 0xff /* any event, or any status but success */
#define FLUSHED IB_WC_WR_FLUSH_ERR
#define RECV_LENGTH 64
#define PARTS 16 /* into which tests of each octet are divided */

/* The streams that each row goes through. */
static const struct sim_stream_options streams[] = {
	{ .segment = 0 },
	{ .segment = 1 },
	{ .segment = 7, .delay = 3, .window = 1 },
	{ .segment = 40, .contiguous = true, .early = true, .window = 30, .buffer = 1, .again = 2 },
};

/* The requests that are posted before a row. */
enum setup {
	SETUP_NONE,
	SETUP_RECV, /* a receive request of RECV_LENGTH octets, number 1 */
	SETUP_RECV_BAD, /* one whose SGE has a key that does not exist */
	SETUP_READ, /* a Read of 16 octets into $rw at JUDGE_BASE, number 2 */
};

/* FPDUs behind an empty Write, and what comes of them. */
struct row {
	const char *script;
	u16 error; /* Layer, EType and code; NO_ERROR: the connection lives on */
	u8 parts; /* M, D and R */
	u8 event; /* enum hca_qp_event or ANY */
	enum setup setup;
	u8 status; /* of what was posted, enum ib_wc_status or ANY */
};

/* 4.3, 1 to 5: MPA's framing, then the versions. */
static const struct row framing[] = {
	{ "write cut=0", 0x2003, 0, HCA_QP_FATAL },
	{ "write cut=1", 0x2003, 0, HCA_QP_FATAL },
	{ "write cut=2", 0x2003, 0, HCA_QP_FATAL },
	{ "write cut=13", 0x2003, 0, HCA_QP_FATAL },
	{ "send cut=14", 0x2003, 0, HCA_QP_FATAL },
	{ "send cut=17", 0x2003, 0, HCA_QP_FATAL },
	{ "read cut=18", 0x2003, 0, HCA_QP_FATAL },
	{ "read cut=45", 0x2003, 0, HCA_QP_FATAL },
	{ "send bad-crc", 0x2002, 0, HCA_QP_FATAL, SETUP_RECV, FLUSHED },
	{ "send bad-crc payload=9", 0x2002, 0, HCA_QP_FATAL, SETUP_RECV, FLUSHED },
	{ "write stag=$rw to=0x70000 payload=64 bad-crc", 0x2002, 0, HCA_QP_FATAL },
	{ "send bad-crc dv=0 rv=0 opcode=9", 0x2002, 0, HCA_QP_FATAL },
	{ "write dv=0 payload=1", 0x1104, MD, ANY },
	{ "write dv=2", 0x1104, MD, ANY },
	{ "write dv=3 rv=0 opcode=15", 0x1104, MD, ANY },
	{ "send dv=0", 0x1206, MD, ANY },
	{ "send dv=2 payload=3", 0x1206, MD, ANY },
	{ "read dv=3", 0x1206, MD, ANY },
	{ "send rv=0", 0x0205, MD, ANY },
	{ "send rv=2 opcode=9", 0x0205, MD, ANY },
	{ "write rv=3", 0x0205, MD, ANY },
	{ "send ddpreserved=15 rdmapreserved=3 payload=5", NO_ERROR, 0, 0, SETUP_RECV,
	  IB_WC_SUCCESS },
	{ "send payload=1 bad-pad", NO_ERROR, 0, 0, SETUP_RECV },
};

/* 4.3, 6: the opcode, and what of DDP does not fit it (P1-179). */
static const struct row opcodes[] = {
	{ "send opcode=8", 0x0206, MD, ANY },
	{ "send opcode=9", 0x0206, MD, ANY },
	{ "send opcode=10", 0x0206, MD, ANY },
	{ "send opcode=11 qn=3", 0x0206, MD, ANY },
	{ "write opcode=15", 0x0206, MD, ANY },
	{ "write opcode=12 payload=4", 0x0206, MD, ANY },
	{ "write tagged=0", 0x0206, MD, ANY },
	{ "response tagged=0", 0x0206, MD, ANY },
	{ "send tagged=1", 0x0206, MD, ANY, SETUP_RECV, FLUSHED },
	{ "send-inv tagged=1", 0x0206, MD, ANY },
	{ "read tagged=1", 0x0206, MD, ANY },
	{ "terminate tagged=1 error=0", 0x0206, MD, ANY },
	{ "send qn=1", 0x0206, MD, ANY, SETUP_RECV, FLUSHED },
	{ "send qn=2", 0x0206, MD, ANY },
	{ "read qn=0", 0x0206, MD, ANY, SETUP_RECV, FLUSHED },
	{ "read qn=2", 0x0206, MD, ANY },
	{ "terminate qn=0 error=0", 0x0206, MD, ANY },
	{ "send qn=3", 0x1201, MD, ANY },
	{ "send qn=0xffffffff", 0x1201, MD, ANY },
	{ "read qn=3", 0x1201, MD, ANY },
	{ "response payload=1", 0x0206, MD, ANY },
	{ "response", 0x0206, MD, ANY },
};

/*
 * 4.3, 7: MSN and MO, so that nothing is delivered out of order (P1-025, P1-179); then messages
 * that begin within others.
 */
static const struct row numbers[] = {
	{ "send msn=0", 0x1203, MD, ANY, SETUP_RECV, FLUSHED },
	{ "send msn=2", 0x1203, MD, ANY, SETUP_RECV, FLUSHED },
	{ "send msn=0xffffffff", 0x1203, MD, ANY, SETUP_RECV, FLUSHED },
	{ "send; send msn=1", 0x1203, MD, ANY, SETUP_RECV, IB_WC_SUCCESS },
	{ "send; send msn=3", 0x1203, MD, ANY, SETUP_RECV, IB_WC_SUCCESS },
	{ "send more payload=4; send msn=2 mo=4", 0x1203, MD, ANY, SETUP_RECV, FLUSHED },
	{ "send mo=1", 0x1204, MD, ANY, SETUP_RECV, FLUSHED },
	{ "send mo=0xfffffffc payload=8", 0x1204, MD, ANY, SETUP_RECV, FLUSHED },
	{ "send more payload=4; send mo=0 payload=4", 0x1204, MD, ANY, SETUP_RECV, FLUSHED },
	{ "send more payload=4; send mo=3 payload=4", 0x1204, MD, ANY, SETUP_RECV, FLUSHED },
	{ "send more payload=4; send mo=5 payload=4", 0x1204, MD, ANY, SETUP_RECV, FLUSHED },
	{ "read msn=0", 0x1203, MD, ANY },
	{ "read msn=2", 0x1203, MD, ANY },
	{ "read mo=4", 0x1204, MD, ANY },
	{ "terminate msn=2 error=0x1202", 0x1203, MD, ANY }, /* P1-129 */
	{ "terminate mo=4 error=0x1202", 0x1204, MD, ANY },
	{ "send more payload=4; send mo=4 payload=4", NO_ERROR, 0, 0, SETUP_RECV, IB_WC_SUCCESS },
	{ "send more payload=4; write; send mo=4 payload=4", NO_ERROR, 0, 0, SETUP_RECV,
	  IB_WC_SUCCESS },
	{ "write stag=$rw to=0x70000 more payload=4; response", 0x0206, MD, ANY, SETUP_READ,
	  ANY },
};

/*
 * Writes: STag, domain, rights, range, wrap (P1-186); no octets: nothing is checked. P1-092: an
 * error is an event.
 */
static const struct row writes[] = {
	{ "write stag=0x12345678 to=0x70000 payload=1", 0x1100, MD, HCA_QP_ACCESS_ERROR },
	{ "write stag=0 to=0x70000 payload=1", 0x1100, MD, HCA_QP_ACCESS_ERROR },
	{ "write stag=$other to=0x70000 payload=1", 0x1102, MD, HCA_QP_ACCESS_ERROR }, /* P1-188 */
	{ "write stag=$ro to=0x70000 payload=1", 0x1102, MD, HCA_QP_ACCESS_ERROR },
	{ "write stag=$local to=0x70000 payload=1", 0x1102, MD, HCA_QP_ACCESS_ERROR },
	/* P1-190 */
	{ "write stag=$rw to=0x6ffff payload=1", 0x1101, MD, HCA_QP_ACCESS_ERROR },
	{ "write stag=$rw to=0x6ffff payload=2", 0x1101, MD, HCA_QP_ACCESS_ERROR },
	{ "write stag=$rw to=0x73fff payload=2", 0x1101, MD, HCA_QP_ACCESS_ERROR },
	{ "write stag=$rw to=0x74000 payload=1", 0x1101, MD, HCA_QP_ACCESS_ERROR },
	{ "write stag=$end to=0xffffffffffffffff payload=2", 0x1103, MD, HCA_QP_ACCESS_ERROR },
	{ "write stag=$end to=0xfffffffffffffff8 payload=16", 0x1103, MD, HCA_QP_ACCESS_ERROR },
	{ "write stag=0x12345678 to=0xffffffffffffffff", NO_ERROR },
	{ "write stag=0", NO_ERROR },
	{ "write stag=$other to=5", NO_ERROR },
};

/*
 * Sends: a receive request, its length, its memory (P1-121), the STag that is to be invalidated
 * (P1-180).
 */
static const struct row sends[] = {
	{ "send payload=1", 0x1202, MD, ANY },
	{ "send", 0x1202, MD, ANY },
	{ "send more payload=4; send mo=4", NO_ERROR, 0, 0, SETUP_RECV, IB_WC_SUCCESS },
	{ "send payload=64", NO_ERROR, 0, 0, SETUP_RECV, IB_WC_SUCCESS },
	{ "send payload=65", 0x1205, MD, ANY, SETUP_RECV, IB_WC_LOC_LEN_ERR },
	{ "send more payload=64; send mo=64 payload=1", 0x1205, MD, ANY, SETUP_RECV,
	  IB_WC_LOC_LEN_ERR },
	{ "send payload=1", 0x0000, 0, ANY, SETUP_RECV_BAD, IB_WC_LOC_PROT_ERR },
	{ "send-se payload=1", NO_ERROR, 0, 0, SETUP_RECV, IB_WC_SUCCESS },
	{ "send-inv inval=$fast payload=1", NO_ERROR, 0, 0, SETUP_RECV, IB_WC_SUCCESS },
	{ "send-se-inv inval=$fast", NO_ERROR, 0, 0, SETUP_RECV, IB_WC_SUCCESS },
	{ "send-inv inval=$fast more payload=4; send-inv inval=$rw mo=4", 0x0206, MD, ANY,
	  SETUP_RECV, ANY },
	{ "send-inv inval=0x12345678 payload=1", 0x0209, MD, ANY, SETUP_RECV,
	  IB_WC_REM_INV_REQ_ERR },
	{ "send-se-inv inval=0x12345678", 0x0209, MD, ANY, SETUP_RECV,
	  IB_WC_REM_INV_REQ_ERR },
	{ "send-inv inval=$rw payload=1", 0x0109, MD, ANY, SETUP_RECV,
	  IB_WC_REM_INV_REQ_ERR },
	{ "send-inv inval=$other payload=1", 0x0109, MD, ANY, SETUP_RECV,
	  IB_WC_REM_INV_REQ_ERR },
};

/*
 * Read Requests: their own length, then the source when they are answered (P1-102, P1-107, P1-181),
 * whose octets are those of the buffer alone (P1-190).
 */
static const struct row reads[] = {
	/* The buffer of a Read Request has 28 octets (RFC 5041, 7.1). */
	{ "read hex=00", 0x1205, MD, ANY },
	{ "read src=0x12345678 srcto=0x70000 size=1", 0x0100, MDR, HCA_QP_ACCESS_ERROR },
	{ "read src=$other srcto=0x70000 size=1", 0x0103, MDR, HCA_QP_ACCESS_ERROR },
	{ "read src=$wo srcto=0x70000 size=1", 0x0102, MDR, HCA_QP_ACCESS_ERROR },
	{ "read src=$rw srcto=0x6ffff size=1", 0x0101, MDR, HCA_QP_ACCESS_ERROR },
	{ "read src=$rw srcto=0x74000 size=1", 0x0101, MDR, HCA_QP_ACCESS_ERROR },
	{ "read src=$rw srcto=0x70000 size=16385", 0x0101, MDR, HCA_QP_ACCESS_ERROR },
	{ "read src=$end srcto=0xfffffffffffffffc size=8", 0x0104, MDR, HCA_QP_ACCESS_ERROR },
	/* The last octet of all has an address, so that nothing wraps. */
	{ "read src=$rw srcto=0xfffffffffffffff8 size=8", 0x0101, MDR, HCA_QP_ACCESS_ERROR },
};

/*
 * Read Responses: those of one Read of 16 octets, which fails with an invalid one (P1-112). P1-114:
 * STag, TO and length are those of the request.
 */
static const struct row responses[] = {
	{ "response stag=$ro to=0x70000 payload=16", 0x1100, MD, ANY, SETUP_READ, ANY },
	{ "response stag=$rw to=0x70001 payload=16", 0x1101, MD, ANY, SETUP_READ, ANY },
	{ "response stag=$rw to=0x70000 payload=17", 0x1101, MD, ANY, SETUP_READ, ANY },
	{ "response stag=$rw to=0x70000 payload=15", 0x1101, MD, ANY, SETUP_READ, ANY },
	{ "response stag=$rw to=0x70000 more payload=16", 0x1101, MD, ANY, SETUP_READ, ANY },
	{ "response stag=$rw to=0x70000 more payload=8; response stag=$rw to=0x7000c payload=8",
	  0x1101, MD, ANY, SETUP_READ, ANY },
	{ "response stag=$rw to=0x70000 more payload=8; write", 0x0206, MD, ANY, SETUP_READ,
	  ANY },
	{ "response stag=$rw to=0x70000 payload=16", NO_ERROR, 0, 0, SETUP_READ, IB_WC_SUCCESS },
	{ "response stag=$rw to=0x70000 more payload=8; response stag=$rw to=0x70008 payload=8",
	  NO_ERROR, 0, 0, SETUP_READ, IB_WC_SUCCESS },
	{ "response stag=$rw to=0x70000 payload=16; response stag=$rw to=0x70000 payload=16",
	  0x0206, MD, ANY, SETUP_READ, IB_WC_SUCCESS },
};

static void set_up(const struct row *row)
{
	u32 key = judge.mr[JUDGE_RW]->key;

	if (row->setup == SETUP_RECV || row->setup == SETUP_RECV_BAD)
		judge_recv(1, 0, RECV_LENGTH, row->setup == SETUP_RECV ? key : 0x12345678);
	if (row->setup != SETUP_READ)
		return;
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0x1000);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 1);
	ck_assert_uint_eq(judge.peer.fpdu.read.size, 16);
	ck_assert_uint_eq(judge.peer.fpdu.read.sink_stag, key);
	ck_assert_uint_eq(judge.peer.fpdu.read.sink_to, JUDGE_BASE);
}

/* The Terminate repeats what the peer has sent last (P1-023, R0-206). */
static void assert_terminate(const char *script, u16 error, u8 parts)
{
	const struct peer_fpdu *fpdu = &judge.peer.fpdu;
	const struct peer_terminate *t = &fpdu->terminate;
	u32 header = judge.peer.sent[0] & 0x80 ? 14 : 18;

	ck_assert_msg(peer_next_fpdu(&judge.peer), "%s: no Terminate", script);
	ck_assert(fpdu->has_crc && fpdu->has_markers && fpdu->has_pad && fpdu->is_whole);
	ck_assert_msg(fpdu->header.opcode == 7 && !fpdu->header.tagged && fpdu->header.qn == 2 &&
		      fpdu->header.msn == 1 && fpdu->header.mo == 0 && fpdu->header.last,
		      "%s: opcode %u instead of a Terminate", script, fpdu->header.opcode);
	ck_assert_msg((t->control[0] << 8 | t->control[1]) == error && t->control[2] == parts,
		      "%s: Terminate %02x %02x %02x %02x instead of %04x %02x", script,
		      t->control[0], t->control[1], t->control[2], t->control[3], error, parts);
	ck_assert_uint_eq(t->control[3], 0);
	ck_assert(!t->is_short);
	ck_assert_uint_eq(t->excess, 0);
	if (!t->d)
		return;
	ck_assert_uint_eq(t->segment_length, judge.peer.sent_length);
	ck_assert_uint_eq(t->ddp_length, header);
	ck_assert_mem_eq(t->ddp, judge.peer.sent, header);
	if (t->r) /* P1-177 */
		ck_assert_mem_eq(t->read, judge.peer.sent + 18, 28);
}

/* A Read Request of no octets is answered: the connection lives. */
static void assert_alive(const char *script)
{
	judge_run("read sink=0x5a5a5a5a sinkto=0x77");
	ck_assert_msg(peer_next_fpdu(&judge.peer), "%s: no answer", script);
	ck_assert_msg(judge.peer.fpdu.header.opcode == 2, "%s: Terminate %02x%02x", script,
		      judge.peer.fpdu.terminate.control[0], judge.peer.fpdu.terminate.control[1]);
	ck_assert_uint_eq(judge.peer.fpdu.header.stag, 0x5a5a5a5a);
	ck_assert_uint_eq(judge.peer.fpdu.header.to, 0x77);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
}

/* One completion or one event reports each error, and not both (req P1-174, R0-447). */
static void assert_reported(const struct row *row)
{
	bool is_completed = row->status != IB_WC_SUCCESS && row->status != FLUSHED &&
			    row->status != ANY;
	u32 reported = judge.qp_events[HCA_QP_FATAL] + judge.qp_events[HCA_QP_ACCESS_ERROR] +
		   judge.qp_events[HCA_QP_REQUEST_ERROR];

	if (row->event != ANY)
		ck_assert_msg(judge.qp_events[row->event] == 1, "%s: event", row->script);
	ck_assert_msg(reported == !is_completed, "%s: %u events", row->script, reported);
}

static void assert_posted(const struct row *row)
{
	struct hca_cqe cqe;

	if (row->setup == SETUP_NONE)
		return;
	ck_assert_msg(consumer_poll_cq(row->setup == SETUP_READ ? &judge.send_cq : &judge.recv_cq,
				       &cqe), "%s: no completion", row->script);
	ck_assert_uint_eq(cqe.wr_id, row->setup == SETUP_READ ? 2 : 1);
	ck_assert_msg(row->status == ANY ? cqe.status != IB_WC_SUCCESS :
		      cqe.status == row->status, "%s: status %u", row->script, cqe.status);
	judge_expect_none(&judge.send_cq);
	judge_expect_none(&judge.recv_cq);
}

static void judge_row(const struct row *row, const struct sim_stream_options *stream)
{
	judge_begin(stream);
	judge_establish("request crc");
	set_up(row);
	judge_run(row->script);
	if (row->error == NO_ERROR) {
		assert_alive(row->script);
		assert_posted(row);
		judge_end();
		return;
	}
	assert_terminate(row->script, row->error, row->parts); /* P1-167, R0-168 */
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQE); /* R0-165 */
	/* P1-173 */
	ck_assert_msg(judge_fin(), "%s: no FIN behind the Terminate", row->script);
	assert_posted(row);
	/* P1-171, P1-172: nothing behind the error has an effect. */
	judge_is_untouched();
	judge_run("write stag=$rw to=0x70100 payload=16; fin");
	ck_assert_msg(judge_is_untouched(), "%s: a later Write", row->script);
	ck_assert_msg(judge.qp->common.state == IB_QPS_ERR, "%s: state %u", row->script,
		      judge.qp->common.state);
	assert_reported(row);
	judge_end();
}

static void judge_rows(const struct row *rows, int count, int index)
{
	judge_row(&rows[index % count], &streams[index / count]);
}

START_TEST(framing_errors) { judge_rows(framing, ARRAY_SIZE(framing), _i); } END_TEST
START_TEST(opcode_errors) { judge_rows(opcodes, ARRAY_SIZE(opcodes), _i); } END_TEST
START_TEST(number_errors) { judge_rows(numbers, ARRAY_SIZE(numbers), _i); } END_TEST
START_TEST(write_errors) { judge_rows(writes, ARRAY_SIZE(writes), _i); } END_TEST
START_TEST(send_errors) { judge_rows(sends, ARRAY_SIZE(sends), _i); } END_TEST
START_TEST(read_errors) { judge_rows(reads, ARRAY_SIZE(reads), _i); } END_TEST
START_TEST(response_errors) { judge_rows(responses, ARRAY_SIZE(responses), _i); } END_TEST

/* A conversation, and the octets behind which its FPDUs end. */
static const char *const steps[] = {
	"write stag=$rw to=0x70000 payload=33", "send payload=20",
	"read src=$rw srcto=0x70000 size=8", "send-inv inval=$fast payload=1",
	"write stag=$rw to=0x71000 more payload=60", "write stag=$rw to=0x7103c payload=7",
};

static u32 conversation(u64 *ends)
{
	int i;

	judge_recv(1, 0x2000, RECV_LENGTH, judge.mr[JUDGE_RW]->key);
	judge_recv(2, 0x2100, RECV_LENGTH, judge.mr[JUDGE_RW]->key);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		judge_run(steps[i]);
		ends[i] = judge.model->sent;
	}
	return ARRAY_SIZE(steps);
}

static void assert_conversation(void)
{
	int i;

	judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS);
	judge_expect(&judge.recv_cq, 2, IB_WC_SUCCESS);
	for (i = 0; i < 33; i++)
		ck_assert_uint_eq(judge.memory[i], peer_pattern(i));
	for (i = 0; i < 20; i++)
		ck_assert_uint_eq(judge.memory[0x2000 + i], peer_pattern(i));
	for (i = 0; i < 60; i++)
		ck_assert_uint_eq(judge.memory[0x1000 + i], peer_pattern(i));
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 2);
	ck_assert_uint_eq(judge.peer.fpdu.payload_length, 8);
	ck_assert_mem_eq(judge.peer.fpdu.payload, judge.memory, 8);
}

/* Octets that arrive in two segments, divided at any octet, have the same effect. */
START_TEST(cut_at_each_octet)
{
	u64 ends[ARRAY_SIZE(steps)], at, last = 1 + _i;

	judge_setup();
	for (at = 1 + _i; at <= last; at += PARTS) {
		judge_open(&(struct sim_stream_options){ .cut = at, .mss = 4096 });
		judge_establish("request crc");
		last = conversation(ends);
		last = ends[last - 1];
		assert_conversation();
		judge_close();
	}
	judge_teardown();
}
END_TEST

/* Streams of all kinds, with markers and without CRCs. */
START_TEST(any_stream)
{
	struct sim_stream_options stream = streams[_i % ARRAY_SIZE(streams)];
	u64 ends[ARRAY_SIZE(steps)];
	int at;

	stream.seed = _i;
	judge_begin(&stream);
	judge.rnic.options.markers = _i & 1;
	judge.rnic.options.crc = _i & 2;
	judge_establish(_i & 4 ? "request markers" : "request");
	conversation(ends);
	assert_conversation();
	ck_assert(judge.peer.fpdu.has_markers);
	ck_assert_int_eq(judge.peer.markers_out, _i & 1);
	ck_assert_int_eq(judge.peer.crc, !!(_i & 2));
	judge_run("write stag=$rw to=0x71800 payload=2000");
	for (at = 0; at < 2000; at++)
		ck_assert_uint_eq(judge.memory[0x1800 + at], peer_pattern(at));
	judge_end();
}
END_TEST

/* The octets behind which FPDUs of a whole conversation end, the empty Write first. */
static int measure(u64 *ends)
{
	judge_open(&streams[0]);
	judge_establish("request crc");
	ends[0] = judge.model->sent;
	conversation(ends + 1);
	judge_close();
	return ARRAY_SIZE(steps) + 1;
}

static bool is_end(const u64 *ends, int count, u64 at)
{
	while (count--)
		if (ends[count] == at)
			return true;
	return false;
}

static bool has_terminate(u16 error)
{
	const u8 *control = judge.peer.fpdu.terminate.control;

	while (peer_next_fpdu(&judge.peer))
		if (judge.peer.fpdu.header.opcode == 7)
			return (control[0] << 8 | control[1]) == error;
	return false;
}

/*
 * A FIN behind any octet of Full Operation: between FPDUs it ends the connection in order, within
 * one it is an error (4.2).
 */
START_TEST(fin_at_each_octet)
{
	u64 ends[ARRAY_SIZE(steps) + 1], at;
	int count;

	judge_setup();
	count = measure(ends);
	for (at = ends[0] + _i; at <= ends[count - 1]; at += PARTS) {
		bool is_clean = is_end(ends, count, at);

		judge_open(&streams[0]);
		judge_establish("request crc");
		sim_stream_fin_at(judge.model, at);
		conversation((u64[ARRAY_SIZE(steps)]){ 0 });
		ck_assert_msg(has_terminate(0x0207) == !is_clean, "octet %lu", (unsigned long)at);
		ck_assert(judge_fin());
		ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], !is_clean);
		if (is_clean)
			ck_assert_uint_eq(judge.events[HCA_ENDPOINT_DISCONNECT], 1);
		judge_close();
	}
	judge_teardown();
}
END_TEST

/* A RST behind any octet: the endpoint reports its end, and all that was posted is flushed. */
START_TEST(reset_at_each_octet)
{
	u64 ends[ARRAY_SIZE(steps) + 1], at;
	int count;

	judge_setup();
	count = measure(ends);
	for (at = _i; at <= ends[count - 1]; at += PARTS) {
		judge_open(&streams[0]);
		sim_stream_reset_at(judge.model, at);
		judge_listen("request crc");
		if (at > 20) {
			ck_assert_int_eq(judge_accept(4, 4), 0);
			judge_agree();
			judge_run("write");
			conversation((u64[ARRAY_SIZE(steps)]){ 0 });
			ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
			judge_expect(&judge.recv_cq, 1, at < ends[2] ? FLUSHED : IB_WC_SUCCESS);
		} else if (judge.events[HCA_ENDPOINT_CONNECT_REQUEST]) {
			ck_assert_int_eq(judge_accept(4, 4), -ECONNRESET); /* R0-146 */
		}
		ck_assert_msg(judge.events[HCA_ENDPOINT_CLOSE] == 1, "octet %lu",
			      (unsigned long)at);
		judge_close();
	}
	judge_teardown();
}
END_TEST

/* More Read Requests than were agreed, while the peer reads nothing: req P1-164, P1-198. */
START_TEST(too_many_reads)
{
	int i;

	judge_begin(&(struct sim_stream_options){ .window = 16, .buffer = 64 });
	judge_establish("request crc");
	judge.is_stalled = true;
	for (i = 0; i < 8; i++)
		judge_run("read src=$rw srcto=0x70000 size=1000");
	judge.is_stalled = false;
	judge_exchange();
	ck_assert(has_terminate(0x0207));
	judge_end();
}
END_TEST

/*
 * A Terminate is kept and not answered; the stream is closed (4.2, 4.5; R0-265, R0-461). One that
 * is cut or has unknown values is an error as well (P1-129).
 */
START_TEST(terminate_arrives)
{
	static const char *const scripts[] = {
		"terminate error=0x1202", "terminate error=0x2102", "terminate error=0xffff",
		"send opcode=7 qn=2 hex=1202e000", "send opcode=7 qn=2 hex=1205c000001241430000",
	};

	judge_begin(&streams[0]);
	judge_establish("request crc");
	judge_recv(1, 0, RECV_LENGTH, judge.mr[JUDGE_RW]->key);
	judge_run(scripts[_i]);
	ck_assert(!peer_next_fpdu(&judge.peer));
	ck_assert(judge_fin());
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQE);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	judge_expect(&judge.recv_cq, 1, FLUSHED);
	judge_run("fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

#define ADD_ROWS(tc, test, rows) \
	tcase_add_loop_test(tc, test, 0, ARRAY_SIZE(rows) * ARRAY_SIZE(streams))

Suite *iwarp_judge_suite(void)
{
	Suite *suite = suite_create("iwarp_judge");
	TCase *tc = tcase_create("iwarp_judge");

	ADD_ROWS(tc, framing_errors, framing);
	ADD_ROWS(tc, opcode_errors, opcodes);
	ADD_ROWS(tc, number_errors, numbers);
	ADD_ROWS(tc, write_errors, writes);
	ADD_ROWS(tc, send_errors, sends);
	ADD_ROWS(tc, read_errors, reads);
	ADD_ROWS(tc, response_errors, responses);
	tcase_add_loop_test(tc, cut_at_each_octet, 0, PARTS);
	tcase_add_loop_test(tc, any_stream, 0, 32);
	tcase_add_loop_test(tc, fin_at_each_octet, 0, PARTS);
	tcase_add_loop_test(tc, reset_at_each_octet, 0, PARTS);
	tcase_add_test(tc, too_many_reads);
	tcase_add_loop_test(tc, terminate_arrives, 0, 5);
	suite_add_tcase(suite, tc);
	return suite;
}
