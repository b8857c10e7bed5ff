// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Completion queues of ibv_create_cq_ex(). A completion is copied when it becomes the current one,
 * and the program reads single members of the copy (req V3-229). Its WQEs are released at once, so
 * that the program may post again before the end of polling. The lock is held from the start of
 * polling to its end.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include "completion.h"

/* Supported values of completions. InfiniBand ports have no VLANs, flow tags and tags. */
#define WC_FLAGS                                                                                   \
	((uint64_t)IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP |                  \
	 IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)
#define COMP_MASK (IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD)
#define FLAGS (IBV_CREATE_CQ_ATTR_SINGLE_THREADED | IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN)

static struct hca_cq *to_cq(struct ibv_cq_ex *ex)
{
	return to_hca_cq(ibv_cq_ex_to_cq(ex));
}

static void cq_ex_lock(struct hca_cq *cq)
{
	if (!cq->single_threaded)
		pthread_spin_lock(&cq->queue.lock);
}

static void cq_ex_unlock(struct hca_cq *cq)
{
	if (!cq->single_threaded)
		pthread_spin_unlock(&cq->queue.lock);
}

/* Make the completion at cq->next the current one. Return: 0, or ENOENT if there is none. */
static int cq_ex_advance(struct hca_cq *cq)
{
	struct ibv_cq_ex *ex = &cq->verbs.cq_ex;

	if (!hca_cq_copy(cq, &cq->next, &cq->current))
		return ENOENT;
	hca_ring_release(cq->queue.ring, cq->next);
	ex->wr_id = cq->current.wr_id;
	ex->status = cq->current.status;
	cq->qp = hca_cq_reap(cq, cq->qp, &cq->current);
	return 0;
}

static int start_poll(struct ibv_cq_ex *ex, struct ibv_poll_cq_attr *attr)
{
	struct hca_cq *cq = to_cq(ex);
	int ret;

	if (attr->comp_mask)
		return EINVAL;
	if (hca_cq_empty(&cq->queue))
		return ENOENT;
	cq_ex_lock(cq);
	cq->qp = NULL;
	cq->next = hca_ring_consumer(cq->queue.ring);
	ret = cq_ex_advance(cq);
	if (ret)
		cq_ex_unlock(cq);
	return ret;
}

static int next_poll(struct ibv_cq_ex *ex)
{
	return cq_ex_advance(to_cq(ex));
}

static void end_poll(struct ibv_cq_ex *ex)
{
	cq_ex_unlock(to_cq(ex));
}

#define READ(type, name, value)                                                                    \
	static type read_##name(struct ibv_cq_ex *ex)                                              \
	{                                                                                          \
		const struct hca_cqe *cqe = &to_cq(ex)->current;                                   \
                                                                                                   \
		return value;                                                                      \
	}
READ(enum ibv_wc_opcode, opcode, cqe->opcode)
READ(uint32_t, vendor_err, cqe->vendor_err)
READ(uint32_t, byte_len, cqe->byte_len)
READ(__be32, imm_data, cqe->imm_data)
READ(uint32_t, qp_num, cqe->qp_num)
READ(uint32_t, src_qp, cqe->src_qp)
READ(unsigned int, wc_flags, hca_wc_flags(cqe->flags))
READ(uint32_t, slid, cqe->slid)
READ(uint8_t, sl, cqe->sl)
READ(uint8_t, dlid_path_bits, cqe->dlid_path_bits)
READ(uint64_t, completion_ts, cqe->timestamp)
#undef READ

/* The present offset from the raw clock to the wall clock is added to the raw timestamp. */
static uint64_t read_completion_wallclock_ns(struct ibv_cq_ex *ex)
{
	struct timespec raw, real;

	clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
	clock_gettime(CLOCK_REALTIME, &real);
	return hca_ns(&real) - (hca_ns(&raw) - to_cq(ex)->current.timestamp);
}

/* Readers of values that the program has not requested stay NULL. */
static void set_functions(struct ibv_cq_ex *ex, uint64_t wanted)
{
	ex->start_poll = start_poll;
	ex->next_poll = next_poll;
	ex->end_poll = end_poll;
	ex->read_opcode = read_opcode;
	ex->read_vendor_err = read_vendor_err;
	ex->read_wc_flags = read_wc_flags;
#define READER(flag, name) ex->read_##name = wanted & IBV_WC_EX_WITH_##flag ? read_##name : NULL
	READER(BYTE_LEN, byte_len);
	READER(IMM, imm_data);
	READER(QP_NUM, qp_num);
	READER(SRC_QP, src_qp);
	READER(SLID, slid);
	READER(SL, sl);
	READER(DLID_PATH_BITS, dlid_path_bits);
	READER(COMPLETION_TIMESTAMP, completion_ts);
	READER(COMPLETION_TIMESTAMP_WALLCLOCK, completion_wallclock_ns);
#undef READER
}

static int cq_ex_check(const struct ibv_cq_init_attr_ex *attr)
{
	bool flags = attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS;

	if (attr->wc_flags & ~WC_FLAGS || attr->comp_mask & ~COMP_MASK)
		return EOPNOTSUPP;
	return flags && attr->flags & ~FLAGS ? EOPNOTSUPP : 0;
}

static int cq_ex_create(struct hca_cq *cq, struct ibv_context *context,
			struct ibv_cq_init_attr_ex *attr)
{
	VERBS_COMMAND_EX(struct ib_uverbs_ex_create_cq) cmd = {};
	struct {
		struct ib_uverbs_ex_create_cq_resp core;
		struct hca_create_cq_resp hca;
	} resp = {};
	int ret;

	ret = ibv_cmd_create_cq_ex(context, attr, VERBS_BUFFER(NULL) &cq->verbs, &cmd, sizeof(cmd),
				   &resp.core, sizeof(resp), 0);
	return ret ? ret : hca_cq_map(cq, &resp.hca);
}

struct ibv_cq_ex *hca_create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	uint32_t flags = attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS ? attr->flags : 0;
	int ret = cq_ex_check(attr);
	struct hca_cq *cq;

	if (ret) {
		errno = ret;
		return NULL;
	}
	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return NULL;
	cq->single_threaded = flags & IBV_CREATE_CQ_ATTR_SINGLE_THREADED;
	cq->ignore_overrun = flags & IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
	ret = cq_ex_create(cq, context, attr);
	if (ret) {
		free(cq);
		errno = ret;
		return NULL;
	}
	set_functions(&cq->verbs.cq_ex, attr->wc_flags);
	return &cq->verbs.cq_ex;
}
