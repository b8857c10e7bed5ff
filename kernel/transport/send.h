/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The run of a queue pair. */
#ifndef HCA_TRANSPORT_SEND_H
#define HCA_TRANSPORT_SEND_H

#include "transport/qp.h"

/* The run function of a queue pair. */
bool hca_qp_run(struct hca_runnable *r, int *budget);

extern const struct hca_eec_ops hca_qp_eec_ops;

#endif
