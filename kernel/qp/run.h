/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The run of a queue pair. */
#ifndef HCA_QP_RUN_H
#define HCA_QP_RUN_H

#include "qp/qp.h"

/* The run function of a queue pair, whatever carries it: struct hca_runnable.run of its common. */
bool hca_qp_run(struct hca_runnable *r, int *budget);

#endif
