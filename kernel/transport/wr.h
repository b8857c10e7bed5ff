/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The send requests of InfiniBand's transports. */
#ifndef HCA_TRANSPORT_WR_H
#define HCA_TRANSPORT_WR_H

#include "qp/wr.h"

/* struct hca_qp_ops.wr of all queue pairs of a channel adapter. */
extern const struct hca_wr_info hca_iba_wr[HCA_NUM_WR];

#endif
