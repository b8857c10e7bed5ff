// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Checks of an RNIC that hold whatever its peer and its ULP do (see oracle.h). */
#include "tests/fuzz/iwarp/oracle.h"
#include <string.h>
#include "iwarp/wire/fpdu.h"
#include "iwarp/wire/rdmap.h"
#include "iwarp/wire/terminate.h"
#include "shim.h"
#include "tests/consumer/consumer.h"

/* Octets that a connection may allocate: a buffer to be sent, and the Read Requests. */
#define OCTETS_MAX (HCA_TX_BUFFER_MAX + HCA_IWARP_MAX_READS * sizeof(struct hca_read) + 4096)
#define RUNS_MAX 10000 /* until nothing is left to do */
#define OVERSHOOT 64 /* units that the last FPDU of a run may cost */

static u8 (*oracle_memory)[FUZZ_MEMORY];
static u8 before[FUZZ_MRS][FUZZ_MEMORY];

void fuzz_oracle_begin(u8 (*memory)[FUZZ_MEMORY])
{
	oracle_memory = memory;
	memcpy(before, memory, sizeof(before));
	fuzz.octets = shim_live_octets();
}

static u64 oracle_fpdus(void)
{
	return atomic64_read(&fuzz.rnic.count[HCA_RNIC_FPDUS_IN]) +
	       atomic64_read(&fuzz.rnic.count[HCA_RNIC_FPDUS_OUT]);
}

/* A run does as much as its budget, and one Terminate message. */
bool fuzz_run(struct hca_runnable *r, int *budget)
{
	u64 fpdus = oracle_fpdus();
	int given = *budget;
	bool again = fuzz.run(r, budget);

	fuzz_require(*budget > -OVERSHOOT);
	fuzz_require(oracle_fpdus() - fpdus <= given - *budget + 1);
	fuzz_require(fuzz.runs++ < RUNS_MAX);
	return again;
}

static void oracle_count(const struct fuzz_request *request, int by)
{
	u32 i;

	if (request->may_change)
		for (i = 0; i < request->length; i++)
			fuzz.changes[request->mr][request->offset + i] += by;
}

void fuzz_oracle_posted(const struct fuzz_request *request)
{
	oracle_count(request, 1);
}

/* Whether the peer may write to an MR by its STag. */
static bool oracle_is_open(u8 mr)
{
	return fuzz.is_begun && (fuzz.access & IB_UVERBS_ACCESS_REMOTE_WRITE) &&
	       (mr == FUZZ_RW || mr == FUZZ_WO || mr == FUZZ_FAST || mr == FUZZ_END);
}

static bool oracle_may_change(u8 mr, u32 at)
{
	if (fuzz.is_frozen || !fuzz.mr[mr] || at < FUZZ_FIRST || at >= FUZZ_FIRST + FUZZ_LENGTH)
		return false;
	return fuzz.changes[mr][at - FUZZ_FIRST] || oracle_is_open(mr);
}

static void oracle_check_mr(u8 mr)
{
	u32 at;

	if (!memcmp(before[mr], oracle_memory[mr], FUZZ_MEMORY))
		return;
	for (at = 0; at < FUZZ_MEMORY; at++)
		fuzz_require(before[mr][at] == oracle_memory[mr][at] || oracle_may_change(mr, at));
	memcpy(before[mr], oracle_memory[mr], FUZZ_MEMORY);
}

static bool oracle_is_error(u8 status)
{
	return status != IB_WC_SUCCESS && status != IB_WC_WR_FLUSH_ERR;
}

/*
 * Requests complete once and in order, and after the first error none succeeds. One at most has an
 * error of its own.
 */
static void oracle_completed(struct fuzz_queue *queue, const struct hca_cqe *cqe)
{
	struct fuzz_request *request = &queue->request[queue->completed];

	fuzz_require(queue->completed < queue->posted && cqe->wr_id == queue->completed);
	fuzz_require(!queue->has_failed || cqe->status != IB_WC_SUCCESS);
	queue->has_failed |= cqe->status != IB_WC_SUCCESS;
	queue->completed++;
	queue->errors += oracle_is_error(cqe->status);
	fuzz_require(queue->errors <= 1);
	oracle_count(request, -1);
	if (queue == &fuzz.recvs && cqe->status == IB_WC_SUCCESS)
		fuzz_require(cqe->byte_len <= request->length);
}

static void oracle_poll(struct fuzz_queue *queue, struct hca_cq *cq)
{
	struct hca_cqe cqe;

	while (!cq->overflow && consumer_poll_cq(cq, &cqe))
		oracle_completed(queue, &cqe);
}

void fuzz_check(void)
{
	u8 mr;

	for (mr = 0; mr < FUZZ_MRS; mr++)
		oracle_check_mr(mr);
	fuzz.is_frozen |= fuzz.reported[HCA_ENDPOINT_CLOSE];
	oracle_poll(&fuzz.sends, &fuzz.send_cq);
	oracle_poll(&fuzz.recvs, &fuzz.recv_cq);
	fuzz_require(shim_live_octets() <= fuzz.octets + OCTETS_MAX);
	/* A responder sends no FPDU before it has received one (RFC 5044, 7.1.2, rule 4). */
	if (fuzz.ep.state <= HCA_STARTUP_REP_SENT)
		fuzz_require(fuzz.core->sent <= fuzz.ep.frame_octets);
}

static void oracle_drop(struct fuzz_queue *queue)
{
	while (queue->posted != queue->completed)
		oracle_count(&queue->request[--queue->posted], -1);
	queue->has_failed = false;
	queue->errors = 0;
}

void fuzz_oracle_reset(void)
{
	fuzz_check();
	oracle_drop(&fuzz.sends);
	if (!fuzz.with_srq)
		oracle_drop(&fuzz.recvs);
}

void fuzz_check_flushed(void)
{
	if (fuzz.send_cq.overflow || fuzz.recv_cq.overflow)
		return;
	fuzz_require(fuzz.sends.completed == fuzz.sends.posted);
	fuzz_require(fuzz.with_srq || fuzz.recvs.completed == fuzz.recvs.posted);
}

/* The ULPDU is a segment. Returns whether it is a Terminate message. */
static bool oracle_check_segment(const struct hca_fpdu_rx *rx)
{
	struct hca_terminate terminate;
	struct hca_rdmap_segment s;
	u8 octets[HCA_ULPDU_MAX];
	struct hca_ulpdu place;

	hca_ulpdu_begin(&place, rx);
	fuzz_require(hca_ulpdu_copy(&place, octets, sizeof(octets)) == rx->length);
	fuzz_require(hca_rdmap_parse(&s, octets, rx->length) == HCA_IWARP_OK);
	if (s.opcode != HCA_RDMAP_TERMINATE)
		return false;
	fuzz_require(hca_terminate_parse(&terminate, octets + s.header_bytes, s.length));
	fuzz_require(!terminate.swapped && hca_iwarp_error_str(terminate.error));
	return true;
}

/* All octets in Full Operation are whole FPDUs, and nothing follows a Terminate message. */
static void oracle_check_sent(void)
{
	const struct sim_stream *s = fuzz.core;
	u64 start = fuzz.ep.frame_octets, at = start;
	bool has_ended = false;

	fuzz_require(!s->sent || (start && s->sent >= start));
	while (at < s->sent) {
		const struct hca_octets range = { s->log + at, s->sent - at };
		struct hca_fpdu_rx rx;
		u32 octets;

		octets = hca_fpdu_parse(&rx, &range, 1, at - start, fuzz.ep.peer.markers);
		fuzz_require(octets <= range.length && !has_ended);
		fuzz_require(hca_fpdu_check(&rx, fuzz.ep.own.crc || fuzz.ep.peer.crc) ==
			     HCA_IWARP_OK);
		has_ended = oracle_check_segment(&rx);
		at += octets;
	}
}

/* The end is told once: by an event, a completion or the reply, unless the ULP has asked for it. */
static void oracle_check_events(void)
{
	unsigned int events = fuzz.events[HCA_QP_FATAL] + fuzz.events[HCA_QP_REQUEST_ERROR] +
			      fuzz.events[HCA_QP_ACCESS_ERROR];

	/* A CQ that overflows causes an event of its own. */
	if (fuzz.send_cq.overflow || fuzz.recv_cq.overflow)
		return;
	fuzz_require(events <= 1);
	if (fuzz.is_destroyed || fuzz.qp->common.state != IB_QPS_ERR || fuzz.is_modified ||
	    !fuzz.close_status || fuzz.reply_status)
		return;
	fuzz_require(events || fuzz.sends.errors || fuzz.recvs.errors);
}

void fuzz_check_end(void)
{
	fuzz_require(fuzz.reported[HCA_ENDPOINT_CLOSE] == fuzz.is_begun);
	oracle_check_events();
	oracle_check_sent();
	if (!fuzz.is_destroyed && fuzz.is_begun)
		fuzz_require(!fuzz.it->ep);
	if (!fuzz.is_destroyed && fuzz.qp->common.state == IB_QPS_ERR)
		fuzz_check_flushed();
}
