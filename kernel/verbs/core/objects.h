/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Counts of live objects, and the limits that query_device reports (req V3-112). */
#ifndef HCA_VERBS_CORE_OBJECTS_H
#define HCA_VERBS_CORE_OBJECTS_H

#include "verbs/core/device.h"

struct hca_ib_context;
struct hca_user;
struct ib_device;

int hca_context_object_add(struct ib_device *ib, struct hca_ib_context *context,
			   enum hca_object type);
void hca_context_object_del(struct ib_device *ib, struct hca_ib_context *context,
			    enum hca_object type);
int hca_user_object_add(struct ib_device *ib, struct hca_user *user, enum hca_object type);
void hca_user_object_del(struct ib_device *ib, struct hca_user *user, enum hca_object type);
void hca_objects_report(const struct hca_device *dev);

#endif
