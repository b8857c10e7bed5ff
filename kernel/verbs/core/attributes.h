/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Attributes that devices have with any carrier: sysfs files, and the version of the driver. */
#ifndef HCA_VERBS_CORE_ATTRIBUTES_H
#define HCA_VERBS_CORE_ATTRIBUTES_H

#include <rdma/ib_verbs.h>

extern const struct attribute_group hca_attribute_group;
void hca_ib_get_dev_fw_str(struct ib_device *ib, char *str);

/**
 * hca_node_desc_trim() - remove the final newline that echo adds to a description for node_desc
 * @desc: the description, of IB_DEVICE_NODE_DESC_MAX octets
 *
 * Context: any.
 */
void hca_node_desc_trim(char *desc);

#endif
