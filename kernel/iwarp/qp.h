/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The Channel Interface of an RNIC: the creation of queue pairs, and their run function. */
#ifndef HCA_IWARP_QP_H
#define HCA_IWARP_QP_H

#include "qp/ci.h"

/* Operations of an RNIC's Channel Interface. */
extern const struct hca_ci_ops hca_iwarp_ci_ops;

#endif
