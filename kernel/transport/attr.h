/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Attributes of queue pairs and EE contexts. The values are those of Linux' verbs. */
#ifndef HCA_TRANSPORT_ATTR_H
#define HCA_TRANSPORT_ATTR_H

#include <linux/bits.h>
#include <linux/types.h>
#include <rdma/hca-abi.h>

enum hca_qp_type {
	HCA_QPT_SMI,
	HCA_QPT_GSI,
	HCA_QPT_RC,
	HCA_QPT_UC,
	HCA_QPT_UD,
	HCA_QPT_RD,
	HCA_QPT_RAW_IPV6,
	HCA_QPT_RAW_ETHERTYPE,
};

/* Values of enum ib_qp_state. */
enum hca_qp_state {
	HCA_QPS_RESET,
	HCA_QPS_INIT,
	HCA_QPS_RTR,
	HCA_QPS_RTS,
	HCA_QPS_SQD,
	HCA_QPS_SQE,
	HCA_QPS_ERR,
	HCA_NUM_QPS,
};

/* Values of enum ib_wc_status. */
enum hca_status {
	HCA_WC_SUCCESS = 0,
	HCA_WC_LOC_LEN_ERR = 1,
	HCA_WC_LOC_QP_OP_ERR = 2,
	HCA_WC_LOC_EEC_OP_ERR = 3,
	HCA_WC_LOC_PROT_ERR = 4,
	HCA_WC_WR_FLUSH_ERR = 5,
	HCA_WC_MW_BIND_ERR = 6,
	HCA_WC_BAD_RESP_ERR = 7,
	HCA_WC_LOC_ACCESS_ERR = 8,
	HCA_WC_REM_INV_REQ_ERR = 9,
	HCA_WC_REM_ACCESS_ERR = 10,
	HCA_WC_REM_OP_ERR = 11,
	HCA_WC_RETRY_EXC_ERR = 12,
	HCA_WC_RNR_RETRY_EXC_ERR = 13,
	HCA_WC_LOC_RDD_VIOL_ERR = 14,
	HCA_WC_REM_INV_RD_REQ_ERR = 15,
	HCA_WC_REM_ABORT_ERR = 16,
	HCA_WC_INV_EECN_ERR = 17,
	HCA_WC_INV_EEC_STATE_ERR = 18,
};

/* Values of enum ib_mig_state. */
enum hca_mig_state {
	HCA_MIG_MIGRATED,
	HCA_MIG_REARM,
	HCA_MIG_ARMED,
};

/* Values of enum ib_qp_attr_mask. */
enum hca_qp_attr_mask {
	HCA_QP_STATE = 1 << 0,
	HCA_QP_CUR_STATE = 1 << 1,
	HCA_QP_EN_SQD_ASYNC_NOTIFY = 1 << 2,
	HCA_QP_ACCESS_FLAGS = 1 << 3,
	HCA_QP_PKEY_INDEX = 1 << 4,
	HCA_QP_PORT = 1 << 5,
	HCA_QP_QKEY = 1 << 6,
	HCA_QP_AV = 1 << 7,
	HCA_QP_PATH_MTU = 1 << 8,
	HCA_QP_TIMEOUT = 1 << 9,
	HCA_QP_RETRY_CNT = 1 << 10,
	HCA_QP_RNR_RETRY = 1 << 11,
	HCA_QP_RQ_PSN = 1 << 12,
	HCA_QP_MAX_QP_RD_ATOMIC = 1 << 13,
	HCA_QP_ALT_PATH = 1 << 14,
	HCA_QP_MIN_RNR_TIMER = 1 << 15,
	HCA_QP_SQ_PSN = 1 << 16,
	HCA_QP_MAX_DEST_RD_ATOMIC = 1 << 17,
	HCA_QP_PATH_MIG_STATE = 1 << 18,
	HCA_QP_CAP = 1 << 19,
	HCA_QP_DEST_QPN = 1 << 20,
};

/* Attributes that modify sets and query returns. */
struct hca_qp_attr {
	u8 state; /* enum hca_qp_state */
	u8 cur_state; /* modify: the state that the caller expects */
	u8 path_mtu; /* enum hca_mtu */
	u8 port_num;
	u8 timeout; /* 4.096 us * 2^timeout; 0: none */
	u8 retry_cnt;
	u8 rnr_retry; /* 7: unlimited */
	u8 min_rnr_timer; /* RNR timer code of the AETH */
	u8 max_rd_atomic;
	u8 max_dest_rd_atomic;
	u16 pkey_index;
	u32 access; /* enum ib_uverbs_access_flags */
	u32 qkey;
	u32 rq_psn;
	u32 sq_psn;
	u32 dest_qpn; /* for an EE context the peer's EE context number */
	struct hca_av av;
	/* The alternate path (automatic path migration). */
	u8 path_mig_state; /* enum hca_mig_state */
	u8 alt_port_num;
	u8 alt_timeout;
	u16 alt_pkey_index;
	struct hca_av alt_av;
	bool en_sqd_async_notify; /* modify to SQD: raise HCA_QP_SQ_DRAINED */
	bool sq_draining; /* query: state SQD, and requests are in progress */
};

#endif
