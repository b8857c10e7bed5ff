// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The model of vendor_err: which checks a completion of each status may name. */
#include <linux/kernel.h>
#include "ops.h"
#include "sim.h"

enum side {
	SEND = 1 << 0,
	RECV = 1 << 1,
};

#define E(name) HCA_VENDOR_ERR_##name

/* Those that random programs can provoke. */
static const struct reason {
	u8 status; /* enum ib_wc_status */
	u8 error; /* enum hca_vendor_err */
	u8 sides;
} reasons[] = {
	{ IB_WC_SUCCESS, E(NONE), SEND | RECV },
	{ IB_WC_LOC_QP_OP_ERR, E(OPCODE), SEND },
	{ IB_WC_LOC_QP_OP_ERR, E(NUM_SGE), SEND },
	{ IB_WC_LOC_QP_OP_ERR, E(PLACEMENT), SEND },
	{ IB_WC_LOC_QP_OP_ERR, E(INITIATOR_DEPTH), SEND },
	{ IB_WC_LOC_LEN_ERR, E(RECV_LENGTH), RECV },
	{ IB_WC_LOC_PROT_ERR, E(LKEY), SEND | RECV },
	{ IB_WC_LOC_PROT_ERR, E(LKEY_BOUNDS), SEND },
	{ IB_WC_LOC_PROT_ERR, E(LKEY_CHANGED), SEND },
	{ IB_WC_REM_INV_REQ_ERR, E(NAK_REQUEST), SEND },
	{ IB_WC_REM_INV_REQ_ERR, E(REMOTE_INVALIDATE), RECV },
	{ IB_WC_REM_ACCESS_ERR, E(NAK_ACCESS), SEND },
	{ IB_WC_REM_OP_ERR, E(NAK_OPERATION), SEND },
	{ IB_WC_REM_INV_RD_REQ_ERR, E(NAK_RD), SEND },
	{ IB_WC_RETRY_EXC_ERR, E(TIMEOUT_RETRIES), SEND },
	{ IB_WC_RETRY_EXC_ERR, E(SEQUENCE_RETRIES), SEND },
	{ IB_WC_RETRY_EXC_ERR, E(IMPLIED_RETRIES), SEND },
	{ IB_WC_RNR_RETRY_EXC_ERR, E(RNR_RETRIES), SEND },
	{ IB_WC_INV_EECN_ERR, E(EECN), SEND },
	{ IB_WC_LOC_RDD_VIOL_ERR, E(EEC_RDD), SEND },
	{ IB_WC_INV_EEC_STATE_ERR, E(EEC_STATE), SEND },
	{ IB_WC_LOC_EEC_OP_ERR, E(EEC_DEPTH), SEND },
	{ IB_WC_LOC_EEC_OP_ERR, E(EEC_ERROR), RECV },
	{ IB_WC_REM_ABORT_ERR, E(REMOTE_ABORT), RECV },
	{ IB_WC_WR_FLUSH_ERR, E(FLUSH_ERROR), SEND | RECV },
	{ IB_WC_WR_FLUSH_ERR, E(FLUSH_SQE), SEND },
};

static bool is_reason(const struct hca_cqe *cqe)
{
	u8 side = cqe->flags & HCA_CQE_RECV ? RECV : SEND;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].status == cqe->status && reasons[i].error == cqe->vendor_err)
			return reasons[i].sides & side;
	return false;
}

/* A request that was made wrong in one way; what its peer says of it is the peer's. */
static bool is_expected(const struct hca_cqe *cqe, u8 error)
{
	switch (cqe->status) {
	case IB_WC_LOC_QP_OP_ERR:
	case IB_WC_LOC_PROT_ERR:
		return !error || error == cqe->vendor_err;
	default:
		return true;
	}
}

/* Reliable connections have no SQE. */
static bool is_possible(const struct sim_qp *qp, const struct hca_cqe *cqe)
{
	return cqe->vendor_err != HCA_VENDOR_ERR_FLUSH_SQE || !sim_is_reliable(qp);
}

void sim_check_error(const struct sim_qp *qp, const struct hca_cqe *cqe, u8 error)
{
	if (!is_reason(cqe) || !is_expected(cqe, error) || !is_possible(qp, cqe))
		sim_fail("node%d qp %06x: completion of #%llu (%s): vendor_err %#x, expected %#x",
			 qp->node->index, cqe->qp_num, (unsigned long long)cqe->wr_id,
			 sim_status_name(cqe->status), cqe->vendor_err, error);
}
