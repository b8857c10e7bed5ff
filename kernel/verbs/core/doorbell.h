/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The doorbell: a file whose write() makes the engine process queue pairs. */
#ifndef HCA_VERBS_CORE_DOORBELL_H
#define HCA_VERBS_CORE_DOORBELL_H

#include <rdma/uverbs_ioctl.h>

extern const struct uapi_definition hca_doorbell_definitions[];

#endif
