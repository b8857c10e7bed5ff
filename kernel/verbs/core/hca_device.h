/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A device with any carrier, as it lies in memory: its counts, tables and users. */
#ifndef HCA_VERBS_CORE_HCA_DEVICE_H
#define HCA_VERBS_CORE_HCA_DEVICE_H

#include <linux/atomic.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>
#include "verbs/core/device.h"
#include "verbs/core/track.h"
#include "verbs/core/user.h"

struct hca_ci;
struct hca_device_kind;
struct platform_device;

struct hca_device {
	struct ib_device ib;
	const struct hca_device_kind *kind;
	struct hca_ci *ci; /* the carrier, a part of the structure that begins with this one */
	struct platform_device *pdev;
	bool events; /* asynchronous events may be dispatched to the RDMA core */
	atomic_t objects[HCA_NUM_OBJECTS];
	struct xarray counters; /* counters of qp_counter.c, by the number of the counter; RCU */
	u32 next_counter; /* number for the next counter; guarded by the lock of @counters */
	struct hca_users users;
	struct hca_track tracks[HCA_NUM_RESOURCES];
};

static inline struct hca_device *to_hca_device(struct ib_device *ib)
{
	return container_of(ib, struct hca_device, ib);
}

/* limits.c */
int hca_ib_query_device(struct ib_device *ib, struct ib_device_attr *attr, struct ib_udata *udata);

#endif
