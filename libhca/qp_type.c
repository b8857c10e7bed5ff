// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Types of queue pairs, a row for each. Each type has the opcodes of its transport service (req
 * B4-243). The kernel has rows of its own, kernel/transport/qp_type.c and kernel/iwarp/qp.c, with
 * which these agree.
 */
#include "qp_type.h"
#include <infiniband/verbs.h>
#include <rdma/hca-abi.h>

#define OPCODE(name) (1u << IBV_WR_##name)
#define SENDS (OPCODE(SEND) | OPCODE(SEND_WITH_IMM))
#define WRITES (OPCODE(RDMA_WRITE) | OPCODE(RDMA_WRITE_WITH_IMM))
#define LOCALS (OPCODE(LOCAL_INV) | OPCODE(BIND_MW)) /* requests without data */
#define UNRELIABLE (SENDS | WRITES | LOCALS)
#define RELIABLE                                                                                   \
	(UNRELIABLE | OPCODE(RDMA_READ) | OPCODE(ATOMIC_CMP_AND_SWP) | OPCODE(ATOMIC_FETCH_AND_ADD))
/* Opcodes of reliable connections, with XRC and without. */
#define CONNECTED                                                                                  \
	(RELIABLE | OPCODE(SEND_WITH_INV) | 1u << VERBS_WR_FLUSH | 1u << VERBS_WR_ATOMIC_WRITE)

#define STATE(name) (1u << IBV_QPS_##name)
/* States that allow posting (req V3-179); in some of them requests wait or are flushed. */
#define SEND_STATES (STATE(RTS) | STATE(SQD) | STATE(SQE) | STATE(ERR))
#define RECV_STATES (SEND_STATES | STATE(INIT) | STATE(RTR))

/*
 * Queue pairs of an RNIC queue requests in Init, too. The process does not make their later
 * transitions, and does not see all of them.
 */
#define RNIC_STATES (RECV_STATES)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct hca_lib_qp_type types[] = {
	[IBV_QPT_RC] = { CONNECTED, SEND_STATES, RECV_STATES },
	[IBV_QPT_UC] = { UNRELIABLE, SEND_STATES, RECV_STATES },
	[IBV_QPT_UD] = { SENDS, SEND_STATES, RECV_STATES },
	[IBV_QPT_XRC_SEND] = { CONNECTED, SEND_STATES, 0 },
	[IBV_QPT_XRC_RECV] = { 0, 0, 0 },
};

static const struct hca_lib_qp_type driver_types[] = {
	[HCA_DRIVER_QP_RD] = { RELIABLE, SEND_STATES, RECV_STATES },
	[HCA_DRIVER_QP_RAW_IPV6] = { OPCODE(SEND), SEND_STATES, RECV_STATES },
	[HCA_DRIVER_QP_RAW_ETHERTYPE] = { OPCODE(SEND), SEND_STATES, RECV_STATES },
};

static const struct hca_lib_qp_type rnic_rc = {
	OPCODE(SEND) | OPCODE(SEND_WITH_INV) | OPCODE(RDMA_WRITE) | OPCODE(RDMA_READ) | LOCALS,
	RNIC_STATES, RNIC_STATES,
};

static const struct hca_lib_qp_type none;

const struct hca_lib_qp_type *hca_lib_rnic_qp_type(unsigned int type)
{
	return type == IBV_QPT_RC ? &rnic_rc : &none;
}

const struct hca_lib_qp_type *hca_lib_qp_type(unsigned int type, uint32_t driver_type)
{
	if (type == IBV_QPT_DRIVER)
		return driver_type < COUNT(driver_types) ? &driver_types[driver_type] : &none;
	return type < COUNT(types) ? &types[type] : &none;
}
