/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Types of queue pairs: what the provider checks of them when a request is posted. */
#ifndef HCA_LIB_QP_TYPE_H
#define HCA_LIB_QP_TYPE_H

#include <stdint.h>

/* Opcodes that enum ibv_wr_opcode of rdma-core 44 does not have. */
#define VERBS_WR_FLUSH 14
#define VERBS_WR_ATOMIC_WRITE 15

struct hca_lib_qp_type {
	/* Bit N: the type has opcode N of enum ibv_wr_opcode, if the device supports it. */
	uint16_t opcodes;
	/* Bit N: state N of enum ibv_qp_state allows posting. 0: the type has no such queue. */
	uint8_t send_states, recv_states;
};

/**
 * hca_lib_qp_type() - return the row of a type of queue pair
 * @type: any value of enum ibv_qp_type
 * @driver_type: enum hca_driver_qp_type, if @type is IBV_QPT_DRIVER
 *
 * Return: the row; for a type that hca.ko does not have, a row without opcodes and queues.
 */
const struct hca_lib_qp_type *hca_lib_qp_type(unsigned int type, uint32_t driver_type);

/**
 * hca_lib_rnic_qp_type() - return the row of a type of queue pair of an RNIC
 * @type: any value of enum ibv_qp_type
 *
 * Return: the row; for a type that RNICs do not have, a row without opcodes and queues.
 */
const struct hca_lib_qp_type *hca_lib_rnic_qp_type(unsigned int type);

#endif
