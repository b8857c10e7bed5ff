/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writes faults of cables to netlink requests, and reads them from replies. */
#ifndef HCACTL_FAULT_NETLINK_H
#define HCACTL_FAULT_NETLINK_H

#include <stdbool.h>
#include "tools/ctl/setup.h"

struct nlattr;
struct request;

/* Adds a fault and its shape to a request for HCA_CMD_LINK_SET. */
void fault_put(struct request *request, const struct fault *fault);

/*
 * Parses @nest, a nested attribute with attributes of enum hca_nl_fault, into an array of
 * HCA_NL_FAULT_MAX + 1 attributes. Return: false if @nest is NULL or not valid.
 */
bool fault_attributes(struct nlattr *nest, struct nlattr **attrs);

/*
 * Sets all values of @fault except the cable. @nest contains attributes of enum hca_nl_fault, and
 * @shape contains attributes of enum hca_nl_shape. @nest, @shape or both may be NULL.
 */
void fault_read(struct nlattr *nest, struct nlattr *shape, struct fault *fault);

#endif
