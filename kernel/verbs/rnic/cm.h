/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The operations by which iw_cm makes connections of an RNIC. */
#ifndef HCA_VERBS_RNIC_CM_H
#define HCA_VERBS_RNIC_CM_H

#include <rdma/ib_verbs.h>

/* To be set by ib_set_device_ops() before the device is registered. */
extern const struct ib_device_ops hca_rnic_cm_ops;

#endif
