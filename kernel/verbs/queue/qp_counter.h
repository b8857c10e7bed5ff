/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Counters of queue pairs. */
#ifndef HCA_VERBS_QUEUE_QP_COUNTER_H
#define HCA_VERBS_QUEUE_QP_COUNTER_H

#include <rdma/ib_verbs.h>
#include <rdma/rdma_counter.h>
#include "compat.h"

struct hca_device;

/* A counter of queue pairs. The RDMA core allocates this structure since Linux 6.15. */
struct hca_ib_counter {
	struct rdma_counter ib;
};

void hca_counter_table_init(struct hca_device *dev);
void hca_counter_table_destroy(struct hca_device *dev);
int hca_ib_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *qp HCA_COUNTER_PORT_ARG);
int hca_ib_counter_unbind_qp(struct ib_qp *qp HCA_COUNTER_PORT_ARG);
int hca_ib_counter_dealloc(struct rdma_counter *counter);
int hca_ib_counter_update_stats(struct rdma_counter *counter);
/**
 * hca_ib_counter_init() - do nothing, as counter_init: the RDMA core has zeroed the counter
 * @counter: the RDMA core's counter
 */
void hca_ib_counter_init(struct rdma_counter *counter);

#endif
