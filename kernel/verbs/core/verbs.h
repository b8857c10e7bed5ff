/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The verbs that all carriers have, as the verbs of a carrier need them: the device, the objects
 * that a carrier adds to or converts, and the uverbs methods that a carrier's kind lists.
 */
#ifndef HCA_VERBS_CORE_VERBS_H
#define HCA_VERBS_CORE_VERBS_H

#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>
#include "compat.h"
#include "qp/ci.h"
#include "qp/limits.h"
#include "verbs/core/ah.h"
#include "verbs/core/attributes.h"
#include "verbs/core/context.h"
#include "verbs/core/doorbell.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/objects.h"
#include "verbs/core/pd.h"
#include "verbs/core/track.h"
#include "verbs/core/user.h"
#include "verbs/core/view.h"
#include "verbs/mr/dm.h"
#include "verbs/mr/mr.h"
#include "verbs/mr/mr_alloc.h"
#include "verbs/queue/cq.h"
#include "verbs/queue/ib_qp.h"
#include "verbs/queue/srq.h"

#endif
