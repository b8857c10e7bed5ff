/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Attributes of queue pairs and EE contexts, with the values that Linux's verbs define. */
#ifndef HCA_QP_ATTR_H
#define HCA_QP_ATTR_H

#include <linux/bits.h>
#include <linux/types.h>
#include <rdma/hca-abi.h>
#include <rdma/ib_verbs.h>

/* Queue pair type of reliable datagrams, which is missing in enum ib_qp_type. */
#define HCA_QPT_RD ((enum ib_qp_type)7)

/* The attributes that only InfiniBand has: paths, numbers of packets, retries, keys. */
struct hca_iba_attr {
	u8 path_mtu; /* enum ib_mtu */
	u8 port_num;
	u8 timeout; /* ACK timeout of 4.096 us * 2^timeout; 0: no timeout */
	u8 retry_cnt;
	u8 rnr_retry; /* 7: unlimited */
	u8 min_rnr_timer; /* RNR timer code of the AETH */
	u16 pkey_index;
	u32 qkey;
	u32 rq_psn;
	u32 sq_psn;
	u32 dest_qpn; /* EE context: the peer's EE context number */
	struct hca_av av;
	/* Automatic path migration: the migration state, and the alternate path. */
	u8 path_mig_state; /* enum ib_mig_state */
	u8 alt_port_num;
	u8 alt_timeout;
	u16 alt_pkey_index;
	struct hca_av alt_av;
};

/* Attributes that a modify sets and a query returns. */
struct hca_qp_attr {
	u8 state; /* enum ib_qp_state */
	u8 cur_state; /* modify: the state that the caller expects */
	u8 max_rd_atomic;
	u8 max_dest_rd_atomic;
	u32 access; /* enum ib_uverbs_access_flags */
	struct hca_iba_attr iba; /* unused by other carriers */
	bool en_sqd_async_notify; /* modify to SQD: raise HCA_QP_SQ_DRAINED when drained */
	bool sq_draining; /* query: the state is SQD, and requests are in progress */
};

#endif
