// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A libibverbs that makes one kind of error, which the environment variable SABOTAGE names. It is
 * linked into hcaverify with --wrap of two functions, to test that hcaverify notices the error.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <infiniband/verbs.h>

#define MAX_RECEIVES 4096
#define MAX_SGE 32
#define HONEST 5 /* correct operations before the first error */

struct ibv_context *__real_ibv_open_device(struct ibv_device *device);
struct ibv_context *__wrap_ibv_open_device(struct ibv_device *device);
int __real_ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr);
int __wrap_ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr);

/* An error. Return: false if the operation at hand cannot have it. */
struct sabotage {
	const char *name;
	bool (*request)(struct ibv_send_wr *wr);
	bool (*completion)(struct ibv_wc *wc);
	bool always;
};

static struct ibv_context_ops honest;
static const struct sabotage *chosen;
static unsigned int chances;
static struct ibv_qp *posted_to;

static struct receive {
	uint64_t wr_id;
	struct ibv_sge list[MAX_SGE];
	int num_sge;
} receives[MAX_RECEIVES];
static unsigned int num_receives;

static bool its_time(void)
{
	return chosen->always || chances++ == HONEST;
}

/* Returns octet @at of what a receive has received. */
static uint8_t *received_octet(const struct ibv_wc *wc, uint32_t at)
{
	unsigned int i, sge;

	for (i = 0; i < MAX_RECEIVES; i++) {
		if (receives[i].wr_id != wc->wr_id)
			continue;
		for (sge = 0; sge < (unsigned int)receives[i].num_sge; sge++) {
			if (at < receives[i].list[sge].length)
				return (uint8_t *)(uintptr_t)receives[i].list[sge].addr + at;
			at -= receives[i].list[sge].length;
		}
	}
	return NULL;
}

/* --- completions -------------------------------------------------------------------------- */

static bool is_received(const struct ibv_wc *wc)
{
	return wc->status == IBV_WC_SUCCESS && wc->opcode == IBV_WC_RECV;
}

static bool wrong_octet(struct ibv_wc *wc)
{
	uint8_t *octet = is_received(wc) && wc->byte_len ? received_octet(wc, wc->byte_len - 1) :
							   NULL;

	return octet && its_time() && (*octet ^= 1, true);
}

static bool octet_before(struct ibv_wc *wc)
{
	uint8_t *octet = is_received(wc) ? received_octet(wc, 0) : NULL;

	return octet && its_time() && (octet[-1] ^= 1, true);
}

static bool wrong_length(struct ibv_wc *wc)
{
	return is_received(wc) && its_time() && ++wc->byte_len;
}

static bool wrong_imm(struct ibv_wc *wc)
{
	return is_received(wc) && wc->wc_flags & IBV_WC_WITH_IMM && its_time() &&
	       (wc->imm_data ^= 1, true);
}

static bool no_imm(struct ibv_wc *wc)
{
	return is_received(wc) && wc->wc_flags & IBV_WC_WITH_IMM && its_time() &&
	       (wc->wc_flags &= ~IBV_WC_WITH_IMM, true);
}

static bool wrong_key(struct ibv_wc *wc)
{
	return is_received(wc) && wc->wc_flags & IBV_WC_WITH_INV && its_time() &&
	       (wc->invalidated_rkey ^= 1, true);
}

static bool no_inv(struct ibv_wc *wc)
{
	return is_received(wc) && wc->wc_flags & IBV_WC_WITH_INV && its_time() &&
	       (wc->wc_flags &= ~IBV_WC_WITH_INV, true);
}

static bool wrong_source(struct ibv_wc *wc)
{
	return is_received(wc) && its_time() && (wc->src_qp ^= 1, true);
}

static bool wrong_opcode(struct ibv_wc *wc)
{
	return wc->status == IBV_WC_SUCCESS && wc->opcode == IBV_WC_RDMA_READ && its_time() &&
	       (wc->opcode = IBV_WC_RDMA_WRITE, true);
}

static bool wrong_status(struct ibv_wc *wc)
{
	return is_received(wc) && its_time() && (wc->status = IBV_WC_LOC_LEN_ERR, true);
}

static bool wrong_name(struct ibv_wc *wc)
{
	return its_time() && (wc->wr_id ^= 1ull << 40, true);
}

/* Returns the previous completion again. */
static bool twice(struct ibv_wc *wc)
{
	static struct ibv_wc before;

	if (its_time())
		return *wc = before, true;
	before = *wc;
	return false;
}

/* --- requests ----------------------------------------------------------------------------- */

static bool is_write(const struct ibv_send_wr *wr)
{
	return wr->opcode == IBV_WR_RDMA_WRITE && !(wr->send_flags & IBV_SEND_INLINE) &&
	       wr->num_sge == 1 && wr->sg_list[0].length > 8;
}

static bool shifted(struct ibv_send_wr *wr)
{
	return is_write(wr) && its_time() && ++wr->sg_list[0].addr;
}

static bool torn(struct ibv_send_wr *wr)
{
	return is_write(wr) && its_time() && --wr->sg_list[0].length;
}

static bool misplaced(struct ibv_send_wr *wr)
{
	return is_write(wr) && its_time() && ++wr->wr.rdma.remote_addr;
}

static bool not_read(struct ibv_send_wr *wr)
{
	return wr->opcode == IBV_WR_RDMA_READ && wr->num_sge && its_time() &&
	       (wr->opcode = IBV_WR_RDMA_WRITE, true);
}

static bool all_signaled(struct ibv_send_wr *wr)
{
	return its_time() && (wr->send_flags |= IBV_SEND_SIGNALED, true);
}

static bool no_imm_sent(struct ibv_send_wr *wr)
{
	return wr->opcode == IBV_WR_RDMA_WRITE_WITH_IMM && its_time() && (wr->imm_data = 0, true);
}

/* Keys whose invalidation is reported but not carried out, in the order of their receivers. */
static struct stolen {
	uint32_t qpn, key;
	bool is_reported;
} stolen[MAX_RECEIVES];
static unsigned int num_stolen;

static bool not_invalidated(struct ibv_send_wr *wr)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (wr->opcode != IBV_WR_SEND_WITH_INV || num_stolen == MAX_RECEIVES ||
	    ibv_query_qp(posted_to, &attr, IBV_QP_DEST_QPN, &init))
		return false;
	stolen[num_stolen++] = (struct stolen){ attr.dest_qp_num, wr->invalidate_rkey, false };
	wr->opcode = IBV_WR_SEND;
	return true;
}

static bool reported_invalidated(struct ibv_wc *wc)
{
	unsigned int i;

	for (i = 0; i < num_stolen && is_received(wc); i++) {
		if (stolen[i].is_reported || stolen[i].qpn != wc->qp_num)
			continue;
		stolen[i].is_reported = true;
		wc->wc_flags |= IBV_WC_WITH_INV;
		wc->invalidated_rkey = stolen[i].key;
		return true;
	}
	return false;
}

/* Some datagrams are sent to a queue pair that does not exist. */
static bool lost(struct ibv_send_wr *wr)
{
	return ++chances % HONEST == 0 && (wr->wr.ud.remote_qkey ^= 1, true);
}

/* The request names an SRQ that does not exist. */
static bool no_srq(struct ibv_send_wr *wr)
{
	return its_time() && (wr->qp_type.xrc.remote_srqn ^= 1 << 23, true);
}

/* The request names the SRQ of the one before it, which is another of the same end. */
static bool other_srq(struct ibv_send_wr *wr)
{
	static const struct ibv_qp *qp;
	static uint32_t before;
	uint32_t srqn = wr->qp_type.xrc.remote_srqn;

	if (qp == posted_to && srqn != before && its_time())
		return wr->qp_type.xrc.remote_srqn = before, true;
	qp = posted_to;
	before = srqn;
	return false;
}

static const struct sabotage sabotages[] = {
	{ "octet", NULL, wrong_octet, false },
	{ "octet-before", NULL, octet_before, false },
	{ "length", NULL, wrong_length, false },
	{ "imm", NULL, wrong_imm, false },
	{ "no-imm", NULL, no_imm, false },
	{ "key", NULL, wrong_key, false },
	{ "no-inv", NULL, no_inv, false },
	{ "not-invalidated", not_invalidated, reported_invalidated, true },
	{ "source", NULL, wrong_source, false },
	{ "opcode", NULL, wrong_opcode, false },
	{ "status", NULL, wrong_status, false },
	{ "name", NULL, wrong_name, false },
	{ "twice", NULL, twice, false },
	{ "shifted", shifted, NULL, false },
	{ "torn", torn, NULL, false },
	{ "misplaced", misplaced, NULL, false },
	{ "not-read", not_read, NULL, false },
	{ "signaled", all_signaled, NULL, true },
	{ "write-imm", no_imm_sent, NULL, false },
	{ "lost", lost, NULL, false },
	{ "no-srq", no_srq, NULL, false },
	{ "other-srq", other_srq, NULL, false },
	{ "no-event", NULL, NULL, false },
	{ "no-xrc", NULL, NULL, false },
};

/* --- libibverbs --------------------------------------------------------------------------- */

static int poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc)
{
	int i, got = honest.poll_cq(cq, n, wc);

	for (i = 0; chosen->completion && i < got; i++)
		chosen->completion(&wc[i]);
	return got;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct ibv_send_wr *each;

	posted_to = qp;
	for (each = wr; chosen->request && each; each = each->next)
		chosen->request(each);
	return honest.post_send(qp, wr, bad);
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct receive *receive = &receives[num_receives++ % MAX_RECEIVES];

	receive->wr_id = wr->wr_id;
	receive->num_sge = wr->num_sge;
	if (wr->num_sge)
		memcpy(receive->list, wr->sg_list, wr->num_sge * sizeof(receive->list[0]));
	return honest.post_recv(qp, wr, bad);
}

static int req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	return strcmp(chosen->name, "no-event") ? honest.req_notify_cq(cq, solicited_only) : 0;
}

static void choose(void)
{
	const char *name = getenv("SABOTAGE");
	size_t i;

	for (i = 0; name && i < sizeof(sabotages) / sizeof(sabotages[0]); i++)
		if (!strcmp(sabotages[i].name, name))
			chosen = &sabotages[i];
	if (!chosen) {
		fprintf(stderr, "verify_sabotage: SABOTAGE is none\n");
		exit(3);
	}
}

struct ibv_context *__wrap_ibv_open_device(struct ibv_device *device)
{
	struct ibv_context *context = __real_ibv_open_device(device);

	choose();
	if (context) {
		honest = context->ops;
		context->ops.poll_cq = poll_cq;
		context->ops.post_send = post_send;
		context->ops.post_recv = post_recv;
		context->ops.req_notify_cq = req_notify_cq;
	}
	return context;
}

int __wrap_ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	int error = __real_ibv_query_device(context, attr);

	if (chosen && !strcmp(chosen->name, "no-xrc"))
		attr->device_cap_flags &= ~IBV_DEVICE_XRC;
	return error;
}
